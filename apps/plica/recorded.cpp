#include "apps/plica/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "engine/tissues/field.hpp"
#include "io/recording/record_world.hpp"

namespace plica::app {
namespace {

constexpr double farthest_node = 1e9;  // m; no run gets there

void check_tissues(const RecordingHeader& header) {
    for (const Body& body : header.shapes.bodies) {
        if (body.tissue != TissueKind::own) continue;
        throw Error(
            fmt::format("{}: the body \"{}\" is of a tissue that this program does not know{}; run it again with the "
                        "program that recorded it (plica render draws it all the same)",
                        header.scene_name, body.name, body.shape.empty() ? "" : ", \"" + body.shape + "\""));
    }
}

bool has_bodies(const Model& model, const std::vector<Body>& bodies) {
    if (bodies.empty()) return true;  // a recording without surfaces
    return std::equal(model.bodies.begin(), model.bodies.end(), bodies.begin(), bodies.end(),
                      [](const Body& a, const Body& b) {
                          return a.name == b.name && a.first_node == b.first_node && a.nodes == b.nodes;
                      });
}

// Over the nodes that have one.
void spread_temperature(Frame& frame) {
    const Field* field = frame.find_field("temperature");
    frame.field.clear();
    frame.field_kind = field != nullptr ? FieldKind::temperature : FieldKind::none;
    if (field == nullptr) return;
    frame.field.assign(frame.positions.size(), std::numeric_limits<float>::quiet_NaN());
    auto next = field->values.begin();
    for (const Field::Range& range : field->where) {
        std::copy_n(next, range.nodes, frame.field.begin() + range.first_node);
        next += range.nodes;
    }
}

}  // namespace

SceneSource source_of(const RecordingHeader& header) {
    check_tissues(header);
    return {header.scene_name, header.scene_name + " (in the recording)", header.scene_text, header.overrides,
            std::make_shared<FileSource>(header.folder, header.files)};
}

void check_world(const RecordingHeader& header, const Model& model) {
    if (model.nodes() == static_cast<std::size_t>(header.nodes) &&
        model.tools.size() == static_cast<std::size_t>(header.tools) && has_bodies(model, header.shapes.bodies)) {
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
    check_inputs(inputs, static_cast<std::int32_t>(model.nodes()), file);
}

void check_inputs(const Inputs& inputs, std::int32_t nodes, const std::string& file) {
    for (const ToolInput& tool : inputs.tools) {
        if (tool.node >= -1 && tool.node < nodes) continue;
        throw Error(fmt::format("{}: a tool holds node {}, expected -1 to {}", file, tool.node, nodes - 1));
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

void warn_if_cut(const RecordingReader& reader) {
    if (!reader.message().empty()) fmt::print(stderr, "plica: {}\n", reader.message());
}

std::vector<Vec3> to_positions(const std::vector<float>& floats) {
    std::vector<Vec3> positions(floats.size() / 3);
    for (std::size_t i = 0; i < positions.size(); ++i)
        positions[i] = {floats[3 * i], floats[3 * i + 1], floats[3 * i + 2]};
    return positions;
}

RecordedFrames::RecordedFrames(const std::string& path) : m_path(path), m_reader(path) {
    warn_if_cut(m_reader);
    if (shapes().rest.size() != static_cast<std::size_t>(header().nodes)) {
        throw Error(path + ": the recording has no surfaces that could be drawn");
    }
    check(m_reader.initial_positions());
    fill_start(header(), m_reader.initial_positions(), m_frame);
}

double RecordedFrames::end() const {
    return static_cast<double>(m_reader.step_count()) * header().dt;
}

void RecordedFrames::check(std::span<const float> numbers) const {
    for (const float number : numbers) {
        if (std::abs(number) <= farthest_node) continue;
        throw Error(fmt::format("{}: step {}: found {}, expected numbers up to 1e9", m_path, m_frame.step, number));
    }
}

bool RecordedFrames::advance() {
    const std::uint64_t promised = m_reader.step_count();
    if (!m_reader.next(m_step)) {
        if (promised != m_reader.step_count()) warn_if_cut(m_reader);  // found while reading
        return false;
    }
    check_inputs(m_step.inputs, header().nodes, m_path);
    check(m_step.positions);
    check(m_step.values);
    fill_frame(header(), m_step, m_frame.step + 1, m_frame);
    return true;
}

void RecordedFrames::fill_field(FieldKind kind, Frame& frame) {
    if (kind == FieldKind::temperature) return spread_temperature(frame);
    if (!m_built) m_built = rebuild_world(header());
    plica::fill_field(m_built->model, kind, frame);
}

}  // namespace plica::app
