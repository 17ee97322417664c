#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "collision/tree/build.hpp"
#include "collision/tree/cone.hpp"
#include "collision/tree/leaves.hpp"
#include "collision/tree/patches.hpp"
#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "geometry/pose.hpp"

// The bounding volume hierarchy over the triangles of solids, rigid tools and sheets, as plain data: axis-aligned boxes
// and normal cones, refitted patch by patch.
namespace plica {

// Ours; the paper's eq. 5 as printed, which misses pairs; Larsson and Akenine-Moeller (half depth, below on demand);
// everything at every update; what the paper compares itself with (half depth, eq. 5 as printed).
enum class TreeUpdate : std::uint8_t { margins, johnsen, larsson, naive, half_depth };

struct TreeSettings {
    TreeBuilder builder = TreeBuilder::growth;
    TreeUpdate update = TreeUpdate::margins;
    bool cones = true;    // closed surfaces: leave out what cannot be a first contact
    double margin = 0.0;  // m, how far corners move before a refit; 0: a tenth of the body's mean edge
    double layer = 0.0;   // m: pairs nearer than this beyond their contact radii are wanted too
    double soon = 0.5;    // share of its margin: patches with less left are refitted along with those that must be
};

// Per body of the surface.
struct TreeBody {
    bool closed = false;  // an open one is never culled by cones
    bool rigid = false;   // its boxes stay in its own frame
};

struct TreeCounts {
    int volumes = 0;
    int patches = 0;                   // of bodies that deform
    std::int64_t updates = 0;          // volumes read or written by updates so far
    std::int64_t visits = 0;           // pairs of volumes tested in searches so far
    std::int64_t refits = 0;           // of patches so far
    std::int64_t searches = 0;         // updates that searched at all
    std::int64_t facet_pairs = 0;      // now
    std::int64_t heap_operations = 0;  // of the build
};

// A body, and where its frame is.
struct HierarchyBody {
    bool closed, rigid;
    bool own = false;  // touches itself
    std::int32_t first_volume = 0, last_volume = 0;
    std::int32_t first_patch = 0, last_patch = 0;
    double margin = 0.0;                 // m
    std::vector<std::int32_t> sample{};  // nodes whose mean place its frame follows
    Bounds rest{};                       // of a rigid one
    // The nodes of one that deforms, some repeated, where they were when all of its patches were last looked at, in its
    // frame.
    struct Seen {
        std::vector<std::int32_t> node;
        std::vector<double> x, y, z;
    };
    Seen seen{};
    double margin_left = 0.0;  // m: how far its nodes may go from there until patches are looked at
    Pose start{}, end{};       // its frame, now
};

// Which volumes an update changed.
struct TreeMarks {
    std::vector<std::uint8_t> touched;    // per patch, in this update
    std::vector<std::uint8_t> above;      // per volume above patches: touched below
    std::vector<std::int32_t> ancestors;  // those
};

struct Hierarchy {
    const Surface& surface;
    TreeSettings settings;
    double limit;  // rad: cones that open less hold no contact
    Isa isa = best_isa();
    ThreadPool* pool = nullptr;  // that updates and searches are shared out to; none: what calls does it all
    bool warm = false;           // it was fitted to places before

    TreeShape shape{};  // of all bodies; `facet` are triangles of the surface
    std::vector<Bounds> boxes{};
    std::vector<Cone> cones{};
    std::vector<std::int32_t> patch_of{};  // per volume; -1: above the patches
    std::vector<Leaf> leaves{};
    std::vector<std::int32_t> patch_of_primitive{};  // that answers for it
    Fans fans{};
    Patches patches{};
    std::vector<HierarchyBody> bodies{};
    TreeMarks marks{};
    TreeCounts counts{};

    [[nodiscard]] bool is_dirty(std::int32_t volume) const {
        const std::int32_t u = patch_of[static_cast<std::size_t>(volume)];
        return u >= 0 ? marks.touched[static_cast<std::size_t>(u)] != 0
                      : marks.above[static_cast<std::size_t>(volume)] != 0;
    }
    [[nodiscard]] bool is_wide(const Cone& cone) const { return !(2.0 * cone.half < limit); }
};

// Calls work(begin, end) for [0, count) in pieces, side by side where there are threads.
template <class Work>
void for_pieces(const Hierarchy& tree, std::size_t count, std::size_t size, const Work& work) {
    if (tree.pool != nullptr) return tree.pool->for_pieces(count, size, work);
    if (count > 0) work(std::size_t{0}, count);
}

// `rest`: places of all nodes; Triangle::body is an index into `bodies`. Keeps a reference to the surface.
Hierarchy build_hierarchy(const Surface& surface, std::span<const TreeBody> bodies, std::span<const Vec3> rest,
                          const TreeSettings& settings);

}  // namespace plica
