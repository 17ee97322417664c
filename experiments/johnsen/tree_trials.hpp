#pragma once
#include <functional>
#include <string>
#include <vector>

#include "collision/tree/surface_tree.hpp"
#include "scene/build.hpp"
#include "scene/description.hpp"

// A scene runs in the simulator, with the simulator's own contact, and at every substep trees of all kinds look for
// pairs on the way that its nodes went.
namespace plica::experiments {

struct TreeKind {
    TreeBuilder builder;
    TreeUpdate update;
};
const char* name_of(TreeBuilder builder);
const char* name_of(TreeUpdate update);
inline constexpr std::array all_builders{TreeBuilder::growth, TreeBuilder::johnsen, TreeBuilder::volume};
inline constexpr std::array all_updates{TreeUpdate::margins, TreeUpdate::johnsen, TreeUpdate::half_depth,
                                        TreeUpdate::larsson, TreeUpdate::naive};

// The model's solid bodies as a tree sees them.
std::vector<TreeBody> list_tree_bodies(const Model& model);

// Of one kind. Means are over all substeps but the first, whose update refits everything.
struct TreeRow {
    TreeKind kind{};
    int volumes = 0, patches = 0, depth = 0;
    double build_seconds = 0.0;          // CPU
    double updates = 0.0, visits = 0.0;  // volumes read or written, pairs of volumes tested: per substep
    double searched = 0.0;               // share of the substeps that searched at all
    double candidates = 0.0;             // per corner
    double most_candidates = 0.0;        // the same at its largest
    double seconds = 0.0;                // CPU, per substep
    int missed = 0;                      // near pairs that were not listed
    int missed_contacts = 0;             // of them, those that can be a first contact of closed surfaces
    std::vector<double> updates_at;      // per substep, frame by frame
};

struct TreeTrial {
    int triangles = 0, corners = 0;
    int substeps = 0;
    double seconds = 0.0;       // simulated
    double dt = 0.0;            // s, a frame
    int checks = 0;             // substeps whose pairs were compared with those of brute force
    int near_pairs = 0;         // found by it, over all of them
    double largest_step = 0;    // m, of a node in a substep
    double margin = 0.0;        // m, the smallest of a body
    std::vector<Vec3> pressed;  // m: nodes at the moment asked for, or at the end
    std::string lost;           // why the simulation ended early; empty: it did not
    std::vector<TreeRow> rows;
};

inline constexpr int substeps_per_check = 50;
// Updates that do not depend on the one before, on demand and all, are slow, and alike from a substep to the next.
inline constexpr int substeps_per_forgetful_update = 5;

// `moment`: s, whose positions are kept.
TreeTrial run_trees(const SceneSource& source, double seconds, double moment,
                    const std::function<void(double)>& progress);

}  // namespace plica::experiments
