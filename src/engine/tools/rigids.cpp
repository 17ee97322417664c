#include "engine/tools/rigids.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "engine/tools/couplings.hpp"
#include "engine/tools/pushing.hpp"
#include "engine/tools/tool_walls.hpp"

namespace plica {
RigidState rigid_on_the_way(const RigidState& from, const RigidState& to, double share) {
    return {from.position + (to.position - from.position) * share, from.turn + (to.turn - from.turn) * share};
}

void aim_rigids(StepContext& c) {
    for (std::size_t i = 0; i < c.model.rigids.size(); ++i) {
        const std::int32_t tool = c.model.rigids[i].tool;
        RigidState& aim = c.scratch.rigids.now[i];
        aim = c.state.rigids[i];
        if (tool < 0) continue;
        const ToolState& now = c.state.tools[at(tool)];
        const ToolInput& input = c.inputs.tools[at(tool)];
        aim = rigid_on_the_way({now.handle, now.turn}, {input.target, input.turn}, c.share());
        if (c.model.rigids[i].floating >= 0) continue;
        aim = within_walls(c.model, c.model.rigids[i], aim, c.state.rigids[i]);
        const RigidState can = push_towards(c, i, aim);
        if (can.position != aim.position || can.turn != aim.turn) {
            c.scratch.shortfalls.limited[at(c.model.rigids[i].body)] = 1;
        }
        aim = can;
    }
}

void place_rigids(const Model& model, Scratch& scratch) {
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        const RigidBody& rigid = model.rigids[i];
        if (rigid.tool < 0) continue;
        const Pose pose = make_pose(scratch.rigids.now[i].turn, scratch.rigids.now[i].position);
        for (std::size_t n = 0; n < rigid.local.size(); ++n) {
            scratch.p[at(rigid.first_node) + n] = apply(pose, rigid.local[n]);
        }
    }
}

bool hold_rigids(StepContext& c) {
    bool any = false;
    for (std::size_t i = 0; i < c.model.rigids.size(); ++i) {
        const RigidBody& rigid = c.model.rigids[i];
        if (rigid.tool < 0) continue;
        const double kept = c.scratch.certify.kept[at(rigid.first_node)];  // as all of its nodes
        if (kept == 1.0) continue;
        any = true;
        if (rigid.floating >= 0) {
            hold_coupling(i, kept, c);
        } else {
            c.scratch.rigids.now[i] = rigid_on_the_way(c.state.rigids[i], c.scratch.rigids.now[i], kept);
            c.scratch.rigids.now[i].pace = 0.0;  // feel() sees that it was held
        }
    }
    return any;
}

void commit_rigids(StepContext& c) {
    RigidScratch& rigids = c.scratch.rigids;
    for (std::size_t i = 0; i < c.model.rigids.size(); ++i) {
        const RigidBody& rigid = c.model.rigids[i];
        Vec3 load{}, twist{};
        for (std::size_t n = at(rigid.first_node); n < at(rigid.first_node) + rigid.local.size(); ++n) {
            const Vec3& force = c.scratch.contact.outcome.force[n];
            load += force;
            twist += cross(c.scratch.p[n] - rigids.now[i].position, force);
        }
        rigids.impulse[i] += load;
        rigids.twist[i] += twist;
        if (rigid.tool >= 0 && rigid.floating < 0) feel(c, i, load, twist, rigids.now[i]);
    }
    c.state.rigids.assign(rigids.now.begin(), rigids.now.end());
}

double furthest_rigid_travel(const Model& model, const Inputs& inputs, const State& state) {
    double most = 0.0;
    const double h = model.dt / static_cast<double>(std::max<std::uint64_t>(1, state.substeps));
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        const RigidBody& rigid = model.rigids[i];
        if (rigid.tool < 0) continue;
        const ToolState& now = state.tools[at(rigid.tool)];
        const ToolInput& input = inputs.tools[at(rigid.tool)];
        if (rigid.floating >= 0) {
            most = std::max(most, norm(input.target - now.handle) + norm(input.turn - now.turn) * rigid.radius);
            continue;
        }
        const RigidState& is = state.rigids[i];
        most = std::max(most, way_ahead(rigid, is, within_walls(model, rigid, {input.target, input.turn}, is), h));
    }
    return most;
}

}  // namespace plica
