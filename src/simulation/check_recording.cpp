#include "simulation/check_recording.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace plica {
namespace {

bool has_bodies(const Model& model, const std::vector<Body>& bodies) {
    if (bodies.empty()) return true;  // a recording without surfaces
    return std::equal(model.bodies.begin(), model.bodies.end(), bodies.begin(), bodies.end(),
                      [](const Body& a, const Body& b) {
                          return a.name == b.name && a.first_node == b.first_node && a.nodes == b.nodes;
                      });
}

}  // namespace

void check_world(const RecordingHeader& header, const Model& model, const std::string& file) {
    if (model.nodes() == static_cast<std::size_t>(header.nodes) &&
        model.tools.size() == static_cast<std::size_t>(header.tools) && model.dt == header.dt &&
        has_bodies(model, header.shapes.bodies)) {
        return;
    }
    throw Error(fmt::format(
        "{}: a recording of another world ({} nodes, {} tools, steps of {} s) than this program builds from the scene "
        "({}, {}, {} s)",
        file, header.nodes, header.tools, header.dt, model.nodes(), model.tools.size(), model.dt));
}

void check_inputs(const Inputs& inputs, std::int32_t nodes, const std::string& file) {
    for (const ToolInput& tool : inputs.tools) {
        if (tool.node >= -1 && tool.node < nodes) continue;
        throw Error(fmt::format("{}: a tool holds node {}, expected -1 to {}", file, tool.node, nodes - 1));
    }
    if (inputs.full_substeps < 0) {
        throw Error(fmt::format("{}: found {} full substeps, expected 0 or more", file, inputs.full_substeps));
    }
    const Tuning& tuning = inputs.tuning;
    const auto is_factor = [](double value) { return value >= 0.0 && value <= 1e6; };  // NaN is none
    if (!is_factor(tuning.stiffness) || !is_factor(tuning.damping) || !(tuning.friction <= 1e6)) {
        throw Error(fmt::format("{}: found a tuning of {}, {} and {}, expected numbers from 0 to 1e6", file,
                                tuning.stiffness, tuning.damping, tuning.friction));
    }
    for (const BodyFactors& own : tuning.bodies) {
        if (is_factor(own.stiffness) && is_factor(own.damping)) continue;
        throw Error(fmt::format("{}: found body {} tuned by {} and {}, expected numbers from 0 to 1e6", file, own.body,
                                own.stiffness, own.damping));
    }
}

}  // namespace plica
