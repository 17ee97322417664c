#include "apps/plica/recorded.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "engine/named_fields.hpp"
#include "engine/tissues/field.hpp"
#include "io/recording/record_world.hpp"
#include "simulation/check_recording.hpp"

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

}  // namespace

SceneSource source_of(const RecordingHeader& header) {
    check_tissues(header);
    return {header.scene_name, header.scene_name + " (in the recording)", header.scene_text, header.overrides,
            std::make_shared<FileSource>(header.folder, header.files)};
}

Built rebuild_world(const RecordingHeader& header) {
    Built built = build_scene(source_of(header), header.seed);
    check_world(header, built.model, header.scene_name);
    return built;
}

void warn_if_cut(const RecordingReader& reader) {
    if (!reader.message().empty()) fmt::print(stderr, "plica: {}\n", reader.message());
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
    fill_frame(header(), m_step, m_frame.step + 1, m_frame);
    return true;
}

void RecordedFrames::fill_field(FieldKind kind, Frame& frame) {
    if (kind == FieldKind::temperature) {
        frame.field_kind = spread_field(frame, "temperature", frame.field) ? kind : FieldKind::none;
        return;
    }
    if (!m_built) m_built = rebuild_world(header());
    plica::fill_field(m_built->model, kind, frame);
}

}  // namespace plica::app
