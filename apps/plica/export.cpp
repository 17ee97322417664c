#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "apps/plica/commands.hpp"
#include "apps/plica/dump.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "apps/plica/recorded.hpp"
#include "engine/tissues/field.hpp"
#include "engine/world.hpp"
#include "io/export/obj.hpp"
#include "io/export/organ_vtk.hpp"
#include "io/export/vtk.hpp"

namespace plica::app {
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
        for (std::size_t i = 0; i < model.of<Solids>().size(); ++i) {
            std::string name;
            for (const Body& body : model.bodies) {
                if (body.first_node == model.of<Solids>()[i].first_node) name = body.name;
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
    if (options.format == "vtk" && !model.of<Solids>().empty()) {
        solids = std::make_unique<SolidFields>(options, std::move(built));
    }
    std::int64_t frames = 0;
    const auto add = [&](const std::vector<float>& floats, const std::vector<float>& temperature) {
        const std::vector<Vec3> positions = to_positions(floats);
        const std::string base = fmt::format("{}/frame_{:06}", options.folder, frames);
        if (dump) dump->add_frame(static_cast<double>(frames) * model.dt, positions, temperature);
        if (options.format == "vtk") {
            Frame frame;
            Field warmth{"temperature", "J/m^2", {}, {}};
            for (const heat::Membrane& m : model.of<HeatSurfaces>()) warmth.where.push_back({m.first_node, m.nodes});
            warmth.values = temperature;
            frame.fields.push_back(warmth);
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
        add(reader.initial_positions(), std::vector<float>(static_cast<std::size_t>(count_warm_nodes(model)), 0.0F));
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
