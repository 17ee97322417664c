#include <algorithm>

#include "core/index.hpp"
#include "engine/frame.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/joints.hpp"

namespace plica {

void publish(const Model& model, const State& state, const Scratch& scratch, Frame& frame) {
    frame.step = state.step;
    frame.time = static_cast<double>(state.step) * model.dt;
    frame.positions.assign(state.x.begin(), state.x.end());
    // Sum of force h^2 over the substeps, as a mean force.
    const double substeps = std::max(1.0, static_cast<double>(state.substeps));
    const double to_force = substeps / (model.dt * model.dt);
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        const ToolState& tool = state.tools[t];
        frame.tools[t] = {tool.handle, tool.node, tool.present != 0, tool.turn};
        frame.tool_force[t] = scratch.tools.impulse[t] * to_force;
    }
    const RigidScratch& rigids = scratch.rigids;
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        frame.rigid_force[i] = rigids.impulse[i] * to_force;
        if (model.rigids[i].tool < 0) continue;
        const std::size_t t = at(model.rigids[i].tool);
        frame.tool_force[t] = frame.rigid_force[i];
        frame.tool_torque[t] = rigids.twist[i] * to_force;
        frame.hand_force[t] = rigids.hand_force[i] / substeps;
        frame.hand_torque[t] = rigids.hand_torque[i] / substeps;
    }
    publish_joints(model, state, frame);
    Tissues::publish_fields(model, state, frame);
}

}  // namespace plica
