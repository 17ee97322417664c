#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dump.hpp"
#include "progress.hpp"
#include "scene/build.hpp"
#include "scene/export/obj.hpp"
#include "scene/export/vtk.hpp"
#include "scene/recording/recording.hpp"
#include "scene/world.hpp"

namespace plica::app {
namespace {

using Json = nlohmann::ordered_json;

Built rebuild_world(const RecordingHeader& header) {
    const SceneSource source{header.scene_name, header.scene_name + " (in the recording)", header.scene_text, header.overrides};
    Built built = build_scene(read_scene(source), header.seed);
    if (built.model.nodes() != static_cast<std::size_t>(header.nodes) ||
        built.model.tools.size() != static_cast<std::size_t>(header.tools)) {
        throw Error(fmt::format("{}: this program builds another world from the recorded scene ({} nodes, the recording has {})",
                                header.scene_name, built.model.nodes(), header.nodes));
    }
    return built;
}

void warn_if_cut(const RecordingReader& reader) {
    if (!reader.message().empty()) fmt::print(stderr, "plica: {}\n", reader.message());
}

std::vector<Vec3> to_positions(const std::vector<float>& floats) {
    std::vector<Vec3> positions(floats.size() / 3);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = {floats[3 * i], floats[3 * i + 1], floats[3 * i + 2]};
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
            if (world.step(step.inputs).hash != step.hash) {
                wrong = done;
            } else {
                progress.update(++done);
            }
        }
    }
    const bool matches = wrong < 0;
    if (options.json) {
        Json j{{"recording", options.recording}, {"scene", reader.header().scene_name}, {"seed", reader.header().seed},
               {"steps", total}, {"verified", done}, {"matches", matches}, {"first_difference", nullptr},
               {"truncated", reader.truncated()}, {"hash", to_hex(compute_hash(world.state()))}};
        if (!matches) j["first_difference"] = wrong;
        fmt::print("{}\n", j.dump(2));
    } else if (matches) {
        fmt::print("{}: {} of {} steps re-run, every hash matches\n", options.recording, done, total);
    } else {
        fmt::print("{}: step {} differs from the recording\n", options.recording, wrong);
    }
    return matches ? Status::ok : Status::failed;
}

Status export_recording(const ExportOptions& options) {
    RecordingReader reader(options.recording);
    warn_if_cut(reader);
    const Model model = rebuild_world(reader.header()).model;
    make_folder(options.folder);
    std::optional<Dump> dump;
    if (options.format == "npy") dump.emplace(options.folder, model);
    std::int64_t frames = 0;
    const auto add = [&](const std::vector<float>& floats) {
        const std::vector<Vec3> positions = to_positions(floats);
        const std::string base = fmt::format("{}/frame_{:06}", options.folder, frames);
        if (dump) dump->add_frame(static_cast<double>(frames) * model.dt, positions);
        if (options.format == "vtk") write_vtk_frame(base + ".vtk", positions, model.surface);
        if (options.format == "obj") write_obj_frame(base + ".obj", positions, model.surface);
        ++frames;
    };
    watch_for_interrupt();
    {
        Progress progress("export", static_cast<std::int64_t>(reader.step_count()) + 1);
        add(reader.initial_positions());
        RecordedStep step;
        while (!is_interrupted() && reader.next(step)) {
            add(step.positions);
            if (dump) dump->add_tools(step.tool_forces, step.tool_torques);
            progress.update(frames);
        }
    }
    if (dump) dump->close();
    if (options.json) {
        fmt::print("{}\n", Json{{"recording", options.recording}, {"format", options.format}, {"folder", options.folder}, {"frames", frames}}.dump(2));
    } else {
        fmt::print("{}: {} frames written to {}\n", options.recording, frames, options.folder);
    }
    return Status::ok;
}

}  // namespace plica::app
