#pragma once
#include <memory>
#include <vector>

#include "collision/find_pairs.hpp"
#include "collision/tree/surface_tree.hpp"
#include "contact/certify.hpp"
#include "engine/model.hpp"
#include "engine/state.hpp"

namespace plica {

// Finds the pairs of features (step/features.hpp).
struct FeatureSearch {
    explicit FeatureSearch(const Model& model);

    Surface surface;  // the tree's own: models move
    SurfaceTree tree;
    std::vector<Pose> start, end;  // per body, of rigid ones
};

// What the search for pairs uses.
struct DetectScratch {
    DetectorScratch detector;
    TrackScratch tracker;
    std::unique_ptr<FeatureSearch> features;    // none: there are none
    std::vector<Pair> unfolded;                 // the whole list, between steps
    CandidateList watched;                      // pairs that certify looks at when the detector may miss some
    double watched_distance = 0.0;              // m
    std::vector<std::uint8_t> capsule_enabled;  // per capsule
};

// What a coupling does in a substep.
struct Pull {
    Vec3 away{};      // m, from the centre of mass at the start to where the hand wants it at the end
    Vec3 velocity{};  // m/s, of the hand
    Vec3 turned{};    // rad, the same of the turn
    Vec3 spin{};      // rad/s
    bool limited = false;
    Vec3 force{};  // N, when it is
};

// What tools hold and feel.
struct ToolScratch {
    std::vector<Hold> holds;
    std::vector<std::vector<std::int32_t>> held_nodes;  // per tool, the first being the one it took
    std::vector<Vec3> impulse;                          // kg m, per tool, summed over the substeps
};

// Where rigid bodies are on their way, and what they feel.
struct RigidScratch {
    std::vector<NodeGroup> groups;              // their nodes
    std::vector<RigidState> now;                // where they are at the end of the substep
    Floating floating;                          // those on couplings
    std::vector<Joint> joints;                  // in this substep
    std::vector<Pull> pulls;                    // per floating body
    std::vector<Vec3> hand_force, hand_torque;  // N and N m, per rigid body, summed over the substeps
    std::vector<Vec3> impulse, twist;           // kg m and kg m^2 about its origin, summed over the substeps
};

// What a step did not do as it was asked, per body: flagged when it ends.
struct Shortfalls {
    std::vector<std::uint8_t> limited, held;
};

// For the audit: all nodes at the start, after every `interval` substeps, at the end.
struct Trail {
    int interval = 0;  // substeps; 0: none is kept
    std::vector<Vec3> positions;
};

// Rebuilt every step; nothing in it outlives one.
struct Scratch {
    std::vector<Vec3> p;            // m, predicted positions
    std::vector<NodeRange> all;     // nodes, as one range
    std::vector<NodeRange> moving;  // those that do not stand: what is not in a rigid body without a tool
    Tissues::Work tissues;
    DetectScratch detect;
    ContactScratch contact;
    std::unique_ptr<FacetNormals> facets;  // none: normals of rows are rounded
    CertifyScratch certify;
    ToolScratch tools;
    RigidScratch rigids;
    Shortfalls shortfalls;
    State last_good;
    Trail trail;

    // All that a tissue works with.
    template <class Group>
    [[nodiscard]] const typename Group::Work& of() const {
        return std::get<Tissues::index<Group>>(tissues);
    }
    template <class Group>
    [[nodiscard]] typename Group::Work& of() {
        return std::get<Tissues::index<Group>>(tissues);
    }
};

}  // namespace plica
