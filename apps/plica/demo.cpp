#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "apps/desktop/window.hpp"
#include "apps/plica/commands.hpp"
#include "apps/plica/film.hpp"
#include "apps/plica/painter.hpp"
#include "engine/world.hpp"

namespace plica::app {
namespace {

constexpr const char* demo_scene = "intestine";
constexpr double demo_seconds = 10.0;
constexpr int film_width = 960, film_height = 540;
constexpr int picture_width = 1280, picture_height = 720;

}  // namespace

// With a display the window. Without one: a film of ten seconds, a picture of its end, and what a run tells.
Status demo(const DemoOptions& options) {
    if (desktop::has_display()) {
        ViewOptions window;
        window.scene = demo_scene;
        window.seed = options.seed;
        window.seconds = options.seconds;
        window.json = options.json;
        return view(window);
    }
    const std::string folder = options.folder;
    std::filesystem::create_directories(folder);
    std::optional<Painter> painter;
    std::optional<Film> film;
    Frame first;
    RunOptions run_options;
    run_options.scene = demo_scene;
    run_options.seconds = options.seconds > 0.0 ? options.seconds : demo_seconds;
    run_options.seed = options.seed;
    run_options.json = options.json;
    run_options.each_frame = [&](const World& world) {
        const Frame& frame = world.frame();
        if (!film) {
            first = frame;
            painter.emplace(world.model(), frame, film_width, film_height, 1);
            film.emplace(folder + "/demo.mp4", film_width, film_height, 1.0 / world.model().dt);
        }
        film->add(painter->paint(frame));
    };
    run_options.at_end = [&](const World& world) {
        film->close();
        painter.reset();  // one context at a time
        painter.emplace(world.model(), first, picture_width, picture_height, 4);
        render::write_png(folder + "/demo.png", painter->paint(world.frame()));
        fmt::print(stderr, "plica: no display, so the demo is in {} and {}/demo.png\n", film->path(), folder);
    };
    return run(run_options);
}

}  // namespace plica::app
