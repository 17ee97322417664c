#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "core/clock.hpp"
#include "film.hpp"
#include "painter.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "scene/build.hpp"
#include "scene/recording/recording.hpp"
#include "scene/script.hpp"

namespace plica::app {
namespace {

// Frames in order, from a simulation or from a recording.
class Source {
public:
    virtual ~Source() = default;
    [[nodiscard]] virtual const Model& model() const = 0;
    [[nodiscard]] virtual const Frame& frame() const = 0;
    // False: there is no next frame.
    virtual bool advance() = 0;
};

class Simulated final : public Source {
public:
    explicit Simulated(const RenderOptions& options)
        : m_source(find_scene(options.scene, options.overrides)), m_scene(read_scene(m_source)), m_script(m_scene) {
        Built built = build_scene(m_source, options.seed);
        m_world.emplace(std::move(built.model), std::move(built.state), options.threads);
    }
    [[nodiscard]] const Model& model() const override { return m_world->model(); }
    [[nodiscard]] const Frame& frame() const override { return m_world->frame(); }
    bool advance() override { return m_world->step(m_script.next(*m_world)).is_valid(); }

private:
    SceneSource m_source;
    SceneDescription m_scene;
    Script m_script;
    std::optional<World> m_world;
};

class Recorded final : public Source {
public:
    explicit Recorded(const std::string& path) : m_reader(path) {
        const RecordingHeader& header = m_reader.header();
        const SceneSource source{header.scene_name, header.scene_name, header.scene_text, header.overrides};
        m_built = build_scene(source, header.seed);
        take(m_reader.initial_positions());
        m_frame.tools.resize(m_built.model.tools.size());
        m_frame.tool_force.resize(m_built.model.tools.size());
    }
    [[nodiscard]] const Model& model() const override { return m_built.model; }
    [[nodiscard]] const Frame& frame() const override { return m_frame; }
    bool advance() override {
        if (!m_reader.next(m_step)) return false;
        take(m_step.positions);
        m_frame.tool_force = m_step.tool_forces;
        for (std::size_t t = 0; t < m_step.inputs.tools.size(); ++t) {
            const ToolInput& input = m_step.inputs.tools[t];
            m_frame.tools[t] = {input.target, input.node, input.present != 0};
        }
        ++m_frame.step;
        m_frame.time = static_cast<double>(m_frame.step) * m_built.model.dt;
        return true;
    }

private:
    void take(const std::vector<float>& numbers) {
        m_frame.positions.resize(numbers.size() / 3);
        for (std::size_t i = 0; i < m_frame.positions.size(); ++i) {
            m_frame.positions[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        }
    }
    RecordingReader m_reader;
    Built m_built;
    RecordedStep m_step;
    Frame m_frame;
};

bool is_recording(const std::string& path) {
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

Status render_picture(const RenderOptions& options) {
    const bool film = is_film(options.output);
    const bool recorded = is_recording(options.scene);
    std::unique_ptr<Source> source;
    if (recorded) {
        source = std::make_unique<Recorded>(options.scene);
    } else {
        source = std::make_unique<Simulated>(options);
    }
    const double began = wall_seconds();
    const int samples = options.samples > 0 ? options.samples : (film ? 1 : 4);
    Painter painter(source->model(), source->frame(), options.width, options.height, samples);
    const double last = film ? options.at + options.seconds : options.at;
    std::optional<Film> out;
    if (film) out.emplace(options.output, options.width, options.height, options.fps);
    watch_for_interrupt();
    std::int64_t frames = 0;
    {
        const auto total = static_cast<std::int64_t>(std::ceil(last / source->model().dt));
        Progress progress(options.output, std::max<std::int64_t>(total, 1));
        bool more = true;
        double next = options.at;
        const double half = 0.5 * source->model().dt;
        while (more && !is_interrupted()) {
            while (film && source->frame().time + half >= next && next < last) {
                out->add(painter.paint(source->frame()));
                ++frames;
                next = options.at + static_cast<double>(frames) / options.fps;
            }
            if (source->frame().time + half >= last) break;
            more = source->advance();
            progress.update(static_cast<std::int64_t>(source->frame().step));
        }
    }
    if (film) {
        out->close();
    } else {
        write_png(options.output, painter.paint(source->frame()));
        frames = 1;
    }
    const std::string path = film ? out->path() : options.output;
    const double seconds = wall_seconds() - began;
    if (film && out->is_folder()) {
        fmt::print(stderr, "plica: ffmpeg is missing, so the pictures are in {}; install ffmpeg for a film\n", path);
    }
    if (options.json) {
        print_json({{"output", path},
                    {"frames", frames},
                    {"width", options.width},
                    {"height", options.height},
                    {"time", source->frame().time},
                    {"wall_s", seconds}});
    } else {
        fmt::print("{}: {} of {} x {} in {:.1f} s\n", path,
                   frames == 1 ? "a picture" : fmt::format("{} pictures", frames), options.width, options.height,
                   seconds);
    }
    return Status::ok;
}

}  // namespace plica::app
