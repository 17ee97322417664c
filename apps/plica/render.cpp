#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/plica/commands.hpp"
#include "apps/plica/film.hpp"
#include "apps/plica/painter.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "apps/plica/recorded.hpp"
#include "core/clock.hpp"
#include "engine/named_fields.hpp"
#include "engine/tissues/field.hpp"
#include "scene/build.hpp"
#include "simulation/inside.hpp"

namespace plica::app {
namespace {

// Frames in order, from a simulation or from a recording.
class Source {
public:
    virtual ~Source() = default;
    [[nodiscard]] virtual const Shapes& shapes() const = 0;
    [[nodiscard]] virtual const Frame& frame() const = 0;
    // Adds a field over the nodes to a copy of the frame.
    virtual void fill_field(FieldKind kind, Frame& frame) = 0;
    // False: there is no next frame.
    virtual bool advance() = 0;
    [[nodiscard]] virtual double end() const = 0;  // s, where a film ends when nobody says otherwise
};

class Simulated final : public Source {
public:
    explicit Simulated(const RenderOptions& options)
        : m_simulation(make_simulation(open_scene(find_scene(options.scene, options.overrides)),
                                       {options.seed, options.threads})) {
        m_simulation.inside().world().mark_contacts(options.contacts);
        m_simulation.inside().world().stop_on(interrupt_flag());
    }
    [[nodiscard]] const Shapes& shapes() const override { return m_simulation.inside().model(); }
    [[nodiscard]] const Frame& frame() const override { return m_simulation.inside().frame(); }
    void fill_field(FieldKind kind, Frame& frame) override {
        plica::fill_field(m_simulation.inside().model(), kind, frame);
    }
    bool advance() override {
        const StepReport& report = m_simulation.inside().step();
        return report.is_valid() && !report.interrupted;
    }
    [[nodiscard]] double end() const override { return m_simulation.inside().scene().seconds; }

private:
    Simulation m_simulation;
};

// No scene is built: what is drawn is in the recording.
class Recorded final : public Source {
public:
    explicit Recorded(const std::string& path) : m_frames(path) {}
    [[nodiscard]] const Shapes& shapes() const override { return m_frames.shapes(); }
    [[nodiscard]] double end() const override { return m_frames.end(); }
    [[nodiscard]] const Frame& frame() const override { return m_frames.frame(); }
    bool advance() override { return m_frames.advance(); }
    void fill_field(FieldKind kind, Frame& frame) override { m_frames.fill_field(kind, frame); }

private:
    RecordedFrames m_frames;
};

bool is_recording(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;  // to open a pipe would wait for its other end
    std::ifstream file(path, std::ios::binary);
    char word[8] = "";
    return file.read(word, 8) && std::string(word, 8) == "PLICAREC";
}

bool is_film(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".mp4") return true;
    if (extension == ".png") return false;
    throw Error(fmt::format("-o {}: found the ending \"{}\", expected .png or .mp4", path, extension));
}

}  // namespace

namespace {

std::unique_ptr<Source> open_source(const RenderOptions& options) {
    if (!is_recording(options.scene)) return std::make_unique<Simulated>(options);
    if (!options.overrides.empty()) {
        throw Error(options.scene + ": found --set beside a recording, which is as it was recorded");
    }
    if (options.contacts) {
        throw Error(options.scene +
                    ": found --contacts beside a recording, which does not hold them; expected a scene");
    }
    auto recorded = std::make_unique<Recorded>(options.scene);
    if (options.at > recorded->end() + 1e-9) {
        throw Error(fmt::format("--at {}: expected a time in the recording, which ends at {:.3f} s", options.at,
                                recorded->end()));
    }
    return recorded;
}

// What is drawn of a source: its frames, with the field that the colour needs.
class Coloured {
public:
    Coloured(const RenderOptions& options, Source& source) : m_source(source) {
        const auto known = render::find_colour(options.colour);
        const bool shown = known && has_field(source.shapes(), render::field_for(*known));
        if (shown) {
            m_colour = *known;
        } else if (source.frame().find_field(options.colour) != nullptr) {
            m_colour = render::ColourBy::named;
            m_name = options.colour;
        } else if (known) {
            complain_of_tissue(options, is_of_heat(render::field_for(*known)));
        } else {
            complain_of_name(options, source.frame());
        }
        m_kind = render::field_for(m_colour);
    }
    [[nodiscard]] render::ColourBy colour() const { return m_colour; }
    const Frame& frame() {
        if (m_kind == FieldKind::none) return m_source.frame();
        m_frame = m_source.frame();
        m_kind == FieldKind::named ? show_field(m_name, m_frame) : m_source.fill_field(m_kind, m_frame);
        return m_frame;
    }

private:
    static bool is_of_heat(FieldKind kind) { return kind == FieldKind::temperature || kind == FieldKind::conductivity; }
    static bool has_field(const Shapes& shapes, FieldKind kind) {
        return kind == FieldKind::none || has_tissue(shapes, is_of_heat(kind) ? TissueKind::heat : TissueKind::tled);
    }
    [[noreturn]] static void complain_of_tissue(const RenderOptions& options, bool heat) {
        throw Error(fmt::format("--colour {}: expected a scene with {}, found none in {}", options.colour,
                                heat ? "a surface of heat tissue (tissue \"heat\")" : "a solid organ (tissue \"tled\")",
                                options.scene));
    }
    [[noreturn]] static void complain_of_name(const RenderOptions& options, const Frame& frame) {
        const std::vector<std::string> fields = list_fields(frame);
        throw Error(fmt::format("--colour {}: expected one of {}, or a field of {}, which has {}", options.colour,
                                fmt::join(render::colour_names, ", "), options.scene,
                                fields.empty() ? "none" : fmt::format("{}", fmt::join(fields, ", "))));
    }
    static bool has_tissue(const Shapes& shapes, TissueKind tissue) {
        return std::any_of(shapes.bodies.begin(), shapes.bodies.end(),
                           [&](const Body& b) { return b.tissue == tissue; });
    }

    Source& m_source;
    render::ColourBy m_colour = render::ColourBy::tissue;
    FieldKind m_kind = FieldKind::none;
    std::string m_name;  // of the field, of kind named
    Frame m_frame;
};

struct Drawn {
    std::int64_t frames = 0;
    std::string path;
    bool folder = false;
};

[[noreturn]] void complain_of_nothing(const RenderOptions& options) {
    if (is_interrupted()) throw Error(options.output + ": interrupted before it was drawn", interrupted_status);
    throw Error(fmt::format("{}: {} ends before {} s, so that there is nothing to draw", options.output, options.scene,
                            options.at),
                Status::invalid);
}

// Goes on to each time that is wanted and draws; a film stops early when the source ends or the user says so.
Drawn draw(const RenderOptions& options, Source& source, bool film) {
    const int samples = options.samples > 0 ? options.samples : (film ? 1 : 4);
    Coloured coloured(options, source);
    Painter painter(source.shapes(), source.frame(), options.width, options.height, samples);
    painter.colour_by(coloured.colour(), options.colour_max);
    painter.show_contacts(options.contacts);
    const double seconds = options.seconds > 0.0 ? options.seconds : std::max(source.end() - options.at, 0.0);
    const double last = film ? options.at + seconds : options.at;
    const double half = 0.5 * source.shapes().dt;
    const auto wanted = film ? std::max<std::int64_t>(1, std::llround(seconds * options.fps)) : 1;
    std::optional<Film> out;
    if (film) out.emplace(options.output, options.width, options.height, options.fps);
    Drawn drawn;
    Progress progress(options.output, std::max<std::int64_t>(1, std::llround(last / source.shapes().dt)));
    for (bool more = true; more && drawn.frames < wanted && !is_interrupted();) {
        const double next = options.at + static_cast<double>(drawn.frames) / options.fps;
        if (source.frame().time + half < next) {
            more = source.advance();
            progress.update(static_cast<std::int64_t>(source.frame().step));
            continue;
        }
        const render::Picture& picture = painter.paint(coloured.frame());
        film ? out->add(picture) : write_png(options.output, picture);
        ++drawn.frames;
    }
    if (drawn.frames == 0) complain_of_nothing(options);
    if (film) out->close();
    drawn.path = film ? out->path() : options.output;
    drawn.folder = film && out->is_folder();
    return drawn;
}

}  // namespace

Status render_picture(const RenderOptions& options) {
    const bool film = is_film(options.output);
    const std::unique_ptr<Source> source = open_source(options);
    const double began = wall_seconds();
    watch_for_interrupt();
    const Drawn drawn = draw(options, *source, film);
    const double seconds = wall_seconds() - began;
    if (drawn.folder) {
        fmt::print(stderr, "plica: ffmpeg is missing, so the pictures are in {}; install ffmpeg for a film\n",
                   drawn.path);
    }
    if (options.json) {
        print_json({{"output", drawn.path},
                    {"frames", drawn.frames},
                    {"width", options.width},
                    {"height", options.height},
                    {"time", source->frame().time},
                    {"wall_s", seconds}});
    } else {
        const std::string what = film ? fmt::format("{} frames", drawn.frames) : "a picture";
        fmt::print("{}: {} of {} x {} in {:.1f} s\n", drawn.path, what, options.width, options.height, seconds);
    }
    return Status::ok;
}

}  // namespace plica::app
