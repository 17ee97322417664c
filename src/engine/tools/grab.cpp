#include "engine/tools/grab.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace plica {

void find_held_nodes(const Model& model, const Tool& tool, const ToolState& now, std::vector<std::int32_t>& held) {
    const std::int32_t node = tool.kind == ToolKind::sphere ? tool.node : now.node;
    if (now.present == 0 || node < 0) return held.clear();
    if (!held.empty() && held[0] == node) return;
    held.assign(1, node);
    if (tool.kind == ToolKind::sphere || !(tool.grip > 0.0)) return;
    const auto body = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const Body& b) {
        return node >= b.first_node && node < b.first_node + b.nodes;
    });
    if (traits_of(body->tissue).grip != Grip::patch) return;
    for (std::int32_t n = body->first_node; n < body->first_node + body->nodes; ++n) {
        if (n != node && distance(model.rest[at(n)], model.rest[at(node)]) <= tool.grip) held.push_back(n);
    }
}

void aim_holds(StepContext& c) {
    for (std::size_t t = 0; t < c.model.tools.size(); ++t) {
        const Tool& tool = c.model.tools[t];
        const ToolState& now = c.state.tools[t];
        const Vec3 target = now.handle + (c.inputs.tools[t].target - now.handle) * c.share();
        c.scratch.tools.holds[t] = {
            c.scratch.tools.held_nodes[t], target, tool.stiffness, tool.damping, tool.max_force, now.pull};
    }
}

void commit_holds(StepContext& c) {
    ToolScratch& tools = c.scratch.tools;
    for (std::size_t t = 0; t < c.model.tools.size(); ++t) {
        const Tool& tool = c.model.tools[t];
        c.state.tools[t].pull = tools.holds[t].multiplier;
        if (tool.kind == ToolKind::sphere) {
            tools.impulse[t] += c.scratch.contact.outcome.force[at(tool.node)];
        } else if (!tools.holds[t].nodes.empty()) {
            tools.impulse[t] -= tools.holds[t].multiplier;
        }
    }
}

}  // namespace plica
