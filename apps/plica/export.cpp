#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "apps/plica/commands.hpp"
#include "apps/plica/dump.hpp"
#include "apps/plica/export_folder.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "apps/plica/recorded.hpp"
#include "engine/named_fields.hpp"
#include "engine/world.hpp"
#include "io/export/obj.hpp"
#include "io/export/organ_vtk.hpp"
#include "io/export/vtk.hpp"

namespace plica::app {
namespace {

// A part of the frames looks like the whole of a shorter recording: none is left.
[[noreturn]] void complain_of_interrupt(const ExportOptions& options) {
    prepare_export_folder(options.folder);
    throw Error(options.folder + ": interrupted before all frames were written; none was kept", interrupted_status);
}

// Fields of solid bodies are not in a recording: it is run again.
class SolidFields {
public:
    SolidFields(const ExportOptions& options, Built built) : m_options(options) {
        m_world.emplace(std::move(built.model), std::move(built.state), 1);
        m_world->stop_on(interrupt_flag());
        write(0);
    }
    void add(const RecordedStep& step, std::uint64_t frame) {
        const StepReport report = m_world->step(step.inputs);
        if (report.interrupted) complain_of_interrupt(m_options);
        if (report.hash != step.hash) {
            throw Error(fmt::format("{}: step {} differs from the recording when it is run again; see plica replay",
                                    m_options.recording, frame - 1),
                        Status::failed);
        }
        write(frame);
    }

private:
    void write(std::uint64_t frame) const {
        const Model& model = m_world->model();
        for (std::size_t i = 0; i < model.of<Solids>().size(); ++i) {
            std::string name;
            for (const Body& body : model.bodies) {
                if (body.first_node == model.of<Solids>()[i].first_node) name = body.name;
            }
            write_organ_vtk(solid_frame_path(m_options.folder, name, frame), *m_world, i);
        }
    }
    const ExportOptions& m_options;
    std::optional<World> m_world;
};

// Writes the frames of a recording in one of the formats.
class Exporter {
public:
    Exporter(const ExportOptions& options, RecordedFrames& frames) : m_options(options), m_frames(frames) {
        const bool runs_again = options.format != "obj" && has_solids(frames.shapes());
        std::optional<Built> built;
        if (runs_again) built = rebuild_world(frames.header());
        prepare_export_folder(options.folder);
        if (options.format == "npy") {
            m_dump.emplace(options.folder, frames.header(), built ? &built->model : nullptr);
        } else if (runs_again) {
            m_solids = std::make_unique<SolidFields>(options, std::move(*built));
        }
    }
    void add() {
        const Frame& frame = m_frames.frame();
        if (m_solids && frame.step > 0) m_solids->add(m_frames.step(), frame.step);
        if (m_dump) m_dump->add_frame(frame.time, frame.positions, frame.values_of("temperature"));
        if (m_dump && frame.step > 0) m_dump->add_tools(frame.tool_force, frame.tool_torque);
        if (m_options.format == "vtk") write_vtk(frame);
        if (m_options.format == "obj") {
            write_obj_frame(frame_path(m_options.folder, frame.step, ".obj"), frame.positions,
                            m_frames.shapes().surface);
        }
    }
    void close() {
        if (m_dump) m_dump->close();
    }

private:
    static bool has_solids(const Shapes& shapes) {
        return std::any_of(shapes.bodies.begin(), shapes.bodies.end(),
                           [](const Body& body) { return body.tissue == TissueKind::tled; });
    }
    void write_vtk(const Frame& frame) {
        const std::string path = frame_path(m_options.folder, frame.step, ".vtk");
        std::vector<PointField> fields;
        for (const std::string& name : list_fields(frame))
            spread_field(frame, name, fields.emplace_back(PointField{name, {}}).values);
        write_vtk_frame_with(fields, path, frame.positions, m_frames.shapes().surface);
    }

    const ExportOptions& m_options;
    RecordedFrames& m_frames;
    std::optional<Dump> m_dump;
    std::unique_ptr<SolidFields> m_solids;
};

}  // namespace

Status export_recording(const ExportOptions& options) {
    RecordedFrames recorded(options.recording);
    watch_for_interrupt();
    Exporter exporter(options, recorded);
    std::int64_t frames = 0;
    {
        Progress progress("export", static_cast<std::int64_t>(recorded.steps()) + 1);
        for (bool more = true; more;) {
            exporter.add();
            progress.update(++frames);
            more = recorded.advance();
            if (more && is_interrupted()) complain_of_interrupt(options);
        }
    }
    exporter.close();
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
