#include "apps/plica/recorded.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "engine/tissues/field.hpp"

namespace plica::app {

SceneSource source_of(const RecordingHeader& header) {
    return {header.scene_name, header.scene_name + " (in the recording)", header.scene_text, header.overrides};
}

void check_world(const RecordingHeader& header, const Model& model) {
    if (model.nodes() == static_cast<std::size_t>(header.nodes) && count_warm_nodes(model) == header.warm_nodes &&
        model.tools.size() == static_cast<std::size_t>(header.tools)) {
        return;
    }
    throw Error(
        fmt::format("{}: this program builds another world from the recorded scene ({} nodes, the recording has {})",
                    header.scene_name, model.nodes(), header.nodes));
}

Built rebuild_world(const RecordingHeader& header) {
    Built built = build_scene(source_of(header), header.seed);
    check_world(header, built.model);
    return built;
}

void check_inputs(const Inputs& inputs, const Model& model, const std::string& file) {
    for (const ToolInput& tool : inputs.tools) {
        if (tool.node >= -1 && tool.node < static_cast<std::int32_t>(model.nodes())) continue;
        throw Error(fmt::format("{}: a tool holds node {}, expected -1 to {}", file, tool.node, model.nodes() - 1));
    }
    const Tuning& tuning = inputs.tuning;
    const auto is_factor = [](double value) { return value >= 0.0 && value <= 1e6; };  // NaN is none
    if (!is_factor(tuning.stiffness) || !is_factor(tuning.damping) || !(tuning.friction <= 1e6)) {
        throw Error(fmt::format("{}: found a tuning of {}, {} and {}, expected numbers from 0 to 1e6", file,
                                tuning.stiffness, tuning.damping, tuning.friction));
    }
}

void warn_if_cut(const RecordingReader& reader) {
    if (!reader.message().empty()) fmt::print(stderr, "plica: {}\n", reader.message());
}

std::vector<Vec3> to_positions(const std::vector<float>& floats) {
    std::vector<Vec3> positions(floats.size() / 3);
    for (std::size_t i = 0; i < positions.size(); ++i)
        positions[i] = {floats[3 * i], floats[3 * i + 1], floats[3 * i + 2]};
    return positions;
}

}  // namespace plica::app
