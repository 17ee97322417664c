#include "engine/recall.hpp"

namespace plica {

Recall compute_recall(const World& world) {
    const Model& model = world.model();
    const State& state = world.state();
    if (state.candidates.built.size() != model.nodes()) return {};  // nothing was detected yet
    std::vector<std::uint8_t> enabled(model.surface.capsules.size(), 1);
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        if (model.tools[t].kind != ToolKind::sphere) continue;
        enabled[static_cast<std::size_t>(model.tools[t].capsule)] = state.tools[t].present != 0 ? 1 : 0;
    }
    const TrackedView view{model.surface, model.neighbours, enabled, state.candidates.built};
    return compute_recall(view, model.tracking, state.active, state.candidates.pairs);
}

}  // namespace plica
