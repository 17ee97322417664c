#include "engine/tools/tool_walls.hpp"

#include "core/index.hpp"

namespace plica {
namespace {

// The node that is deepest in a wall.
struct Deepest {
    double depth = 0.0;  // m
    Vec3 normal{};
};

Deepest find_deepest(const Model& model, const RigidBody& rigid, const RigidState& now) {
    const Pose pose = make_pose(now.turn, now.position);
    Deepest deepest;
    for (std::size_t s = 0; s < rigid.stopped_by.size(); ++s) {
        const Wall& wall = model.walls[s];
        if (rigid.stopped_by[s] == 0 || distance_bound(wall, now.position) > rigid.radius + rigid.half_thickness)
            continue;
        for (const Vec3& local : rigid.local) {
            const Vec3 p = apply(pose, local);
            if (rigid.half_thickness - distance_bound(wall, p) <= deepest.depth) continue;
            const SurfaceSample sample = sample_wall(wall, p);
            const double depth = rigid.half_thickness - sample.distance;
            if (depth > deepest.depth) deepest = {depth, sample.normal};
        }
    }
    return deepest;
}

}  // namespace

// The free side of every wall is convex: to go out of it at the deepest node leads to a place within all of them, where
// there is one, and triangles are within where their nodes are.
RigidState within_walls(const Model& model, const RigidBody& rigid, RigidState aim, const RigidState& otherwise) {
    constexpr int patience = 100;
    constexpr double enough = 1e-3;  // of the half thickness
    Deepest deepest = find_deepest(model, rigid, aim);
    for (int k = 0; k < patience && deepest.depth > enough * rigid.half_thickness; ++k) {
        aim.position += deepest.normal * deepest.depth;
        deepest = find_deepest(model, rigid, aim);
    }
    return deepest.depth > enough * rigid.half_thickness ? otherwise : aim;
}

void keep_within_walls(StepContext& c) {
    for (std::size_t i = 0; i < c.model.rigids.size(); ++i) {
        const RigidBody& rigid = c.model.rigids[i];
        if (rigid.tool < 0 || rigid.floating >= 0) continue;
        RigidState& aim = c.scratch.rigids.now[i];
        aim = within_walls(c.model, rigid, aim, c.state.rigids[i]);
    }
}

}  // namespace plica
