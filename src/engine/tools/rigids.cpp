#include "engine/tools/rigids.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "engine/tools/couplings.hpp"

namespace plica {
RigidState rigid_on_the_way(const RigidState& from, const RigidState& to, double share) {
    return {from.position + (to.position - from.position) * share, from.turn + (to.turn - from.turn) * share};
}

void aim_rigids(const Model& model, const Inputs& inputs, double share, const State& state, Scratch& scratch) {
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        const std::int32_t tool = model.rigids[i].tool;
        scratch.rigids[i] = state.rigids[i];
        if (tool < 0) continue;
        const ToolState& now = state.tools[at(tool)];
        const ToolInput& input = inputs.tools[at(tool)];
        scratch.rigids[i] = rigid_on_the_way({now.handle, now.turn}, {input.target, input.turn}, share);
    }
}

void place_rigids(const Model& model, Scratch& scratch) {
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        const RigidBody& rigid = model.rigids[i];
        if (rigid.tool < 0) continue;
        const Pose pose = make_pose(scratch.rigids[i].turn, scratch.rigids[i].position);
        for (std::size_t n = 0; n < rigid.local.size(); ++n) {
            scratch.p[at(rigid.first_node) + n] = apply(pose, rigid.local[n]);
        }
    }
}

bool hold_rigids(const Model& model, double h, const State& state, Scratch& scratch) {
    bool any = false;
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        const RigidBody& rigid = model.rigids[i];
        if (rigid.tool < 0) continue;
        const double kept = scratch.certify.kept[at(rigid.first_node)];  // as all of its nodes
        if (kept == 1.0) continue;
        any = true;
        if (rigid.floating >= 0) {
            hold_coupling(rigid, kept, h, state.rigids[i], scratch, scratch.rigids[i]);
            continue;
        }
        scratch.rigids[i] = rigid_on_the_way(state.rigids[i], scratch.rigids[i], kept);
    }
    return any;
}

void commit_rigids(const Model& model, State& state, Scratch& scratch) {
    state.rigids.assign(scratch.rigids.begin(), scratch.rigids.end());
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        const RigidBody& rigid = model.rigids[i];
        for (std::size_t n = at(rigid.first_node); n < at(rigid.first_node) + rigid.local.size(); ++n) {
            const Vec3& force = scratch.contact.outcome.force[n];
            scratch.rigid_impulse[i] += force;
            scratch.rigid_twist[i] += cross(scratch.p[n] - scratch.rigids[i].position, force);
        }
    }
}

double furthest_rigid_travel(const Model& model, const Inputs& inputs, const State& state) {
    double most = 0.0;
    for (const RigidBody& rigid : model.rigids) {
        if (rigid.tool < 0) continue;
        const ToolState& now = state.tools[at(rigid.tool)];
        const ToolInput& input = inputs.tools[at(rigid.tool)];
        most = std::max(most, norm(input.target - now.handle) + norm(input.turn - now.turn) * rigid.radius);
    }
    return most;
}

}  // namespace plica
