#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "dump.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "scene/build.hpp"
#include "scene/export/obj.hpp"
#include "scene/export/organ_vtk.hpp"
#include "scene/export/vtk.hpp"
#include "scene/field.hpp"
#include "scene/recording/recording.hpp"
#include "scene/world.hpp"

namespace plica::app {
namespace {

Built rebuild_world(const RecordingHeader& header) {
    const SceneSource source{header.scene_name, header.scene_name + " (in the recording)", header.scene_text,
                             header.overrides};
    Built built = build_scene(source, header.seed);
    if (built.model.nodes() != static_cast<std::size_t>(header.nodes) ||
        built.model.warm_nodes() != header.warm_nodes ||
        built.model.tools.size() != static_cast<std::size_t>(header.tools)) {
        throw Error(fmt::format(
            "{}: this program builds another world from the recorded scene ({} nodes, the recording has {})",
            header.scene_name, built.model.nodes(), header.nodes));
    }
    return built;
}

// A node outside the world cannot come from a run; a forged or damaged file must not reach into memory.
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

}  // namespace

Status replay(const ReplayOptions& options) {
    RecordingReader reader(options.recording);
    warn_if_cut(reader);
    Built built = rebuild_world(reader.header());
    World world(std::move(built.model), std::move(built.state), options.threads);
    const auto total = static_cast<std::int64_t>(reader.step_count());
    std::int64_t done = 0;
    std::int64_t wrong = -1;
    watch_for_interrupt();
    {
        Progress progress("replay", total);
        RecordedStep step;
        while (wrong < 0 && !is_interrupted() && reader.next(step)) {
            check_inputs(step.inputs, world.model(), options.recording);
            if (world.step(step.inputs).hash != step.hash) {
                wrong = done;
            } else {
                progress.update(++done);
            }
        }
    }
    if (static_cast<std::uint64_t>(total) != reader.step_count()) warn_if_cut(reader);  // found while reading
    const bool matches = wrong < 0 && done > 0 && (done == total || is_interrupted()) && !reader.damaged();
    if (options.json) {
        Json j{{"recording", options.recording},
               {"scene", reader.header().scene_name},
               {"seed", reader.header().seed},
               {"steps", total},
               {"verified", done},
               {"matches", matches},
               {"first_difference", nullptr},
               {"truncated", reader.truncated()},
               {"damaged", reader.damaged()},
               {"hash", to_hex(compute_hash(world.state()))}};
        if (wrong >= 0) j["first_difference"] = wrong;
        print_json(j);
    } else if (matches) {
        fmt::print("{}: {} of {} steps re-run{}, every hash matches\n", options.recording, done, total,
                   reader.truncated() ? " (the recording is cut)" : "");
    } else if (wrong >= 0) {
        fmt::print("{}: step {} differs from the recording\n", options.recording, wrong);
    } else {
        fmt::print("{}: {} of {} steps could be read and match\n", options.recording, done, total);
    }
    return matches ? Status::ok : Status::failed;
}

namespace {

// Fields of solid bodies are not in a recording: it is run again.
class SolidFields {
public:
    SolidFields(const ExportOptions& options, Built built) : m_options(options) {
        m_world.emplace(std::move(built.model), std::move(built.state), 1);
        write(0);
    }
    void add(const RecordedStep& step, std::int64_t frame) {
        check_inputs(step.inputs, m_world->model(), m_options.recording);
        if (m_world->step(step.inputs).hash != step.hash) {
            throw Error(fmt::format("{}: step {} differs from the recording when it is run again; see plica replay",
                                    m_options.recording, frame - 1),
                        Status::failed);
        }
        write(frame);
    }

private:
    void write(std::int64_t frame) const {
        const Model& model = m_world->model();
        for (std::size_t i = 0; i < model.organs.size(); ++i) {
            std::string name;
            for (const Body& body : model.bodies) {
                if (body.first_node == model.organs[i].first_node) name = body.name;
            }
            std::replace_if(name.begin(), name.end(), [](char c) { return c == '/' || c == '\\' || c == '\0'; }, '_');
            write_organ_vtk(fmt::format("{}/solid_{}_{:06}.vtk", m_options.folder, name, frame), *m_world, i);
        }
    }
    const ExportOptions& m_options;
    std::optional<World> m_world;
};

}  // namespace

Status export_recording(const ExportOptions& options) {
    RecordingReader reader(options.recording);
    warn_if_cut(reader);
    Built built = rebuild_world(reader.header());
    const Model model = built.model;
    const Surface surface = without_edges(model.surface);
    make_folder(options.folder);
    std::optional<Dump> dump;
    if (options.format == "npy") dump.emplace(options.folder, model);
    std::unique_ptr<SolidFields> solids;
    if (options.format == "vtk" && !model.organs.empty()) {
        solids = std::make_unique<SolidFields>(options, std::move(built));
    }
    std::int64_t frames = 0;
    const auto add = [&](const std::vector<float>& floats, const std::vector<float>& temperature) {
        const std::vector<Vec3> positions = to_positions(floats);
        const std::string base = fmt::format("{}/frame_{:06}", options.folder, frames);
        if (dump) dump->add_frame(static_cast<double>(frames) * model.dt, positions, temperature);
        if (options.format == "vtk") {
            Frame frame;
            frame.temperature = temperature;
            fill_field(model, FieldKind::temperature, frame);
            write_vtk_frame_with("temperature", frame.field, base + ".vtk", positions, surface);
        }
        if (options.format == "obj") write_obj_frame(base + ".obj", positions, surface);
        ++frames;
    };
    const std::uint64_t expected = reader.step_count();
    watch_for_interrupt();
    {
        Progress progress("export", static_cast<std::int64_t>(reader.step_count()) + 1);
        add(reader.initial_positions(), std::vector<float>(static_cast<std::size_t>(model.warm_nodes()), 0.0F));
        RecordedStep step;
        while (!is_interrupted() && reader.next(step)) {
            if (solids) solids->add(step, frames);
            add(step.positions, step.temperature);
            if (dump) dump->add_tools(step.tool_forces, step.tool_torques);
            progress.update(frames);
        }
    }
    if (dump) dump->close();
    if (expected != reader.step_count()) warn_if_cut(reader);  // found while reading
    if (options.json) {
        print_json({{"recording", options.recording},
                    {"format", options.format},
                    {"folder", options.folder},
                    {"frames", frames}});
    } else {
        fmt::print("{}: {} frames written to {}\n", options.recording, frames, options.folder);
    }
    return Status::ok;
}

}  // namespace plica::app
