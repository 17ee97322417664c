#include "apps/desktop/view.hpp"

#include "apps/plica/commands.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "core/hash.hpp"

namespace plica::app {
namespace {

Json to_json(const ViewOptions& options, const desktop::ViewReport& report) {
    return {{"scene", options.scene},
            {"seed", options.seed},
            {"frames", report.frames},
            {"fps", {{"p50", report.fps_p50}, {"p99", report.fps_p99}}},
            {"level", report.level},
            {"width", report.width},
            {"height", report.height},
            {"step", report.step},
            {"simulated_s", report.simulated_s},
            {"pace", report.pace},
            {"hand", {{"used", report.hand_used}, {"largest_force", report.largest_force}}},
            {"paused", report.paused},
            {"wireframe", report.wireframe},
            {"contacts", report.contacts},
            {"help", report.help},
            {"resets", report.resets},
            {"pictures", report.pictures},
            {"recordings", report.recordings},
            {"lost", report.lost},
            {"hash", to_hex(report.hash)}};
}

}  // namespace

Status view(const ViewOptions& options) {
    desktop::ViewOptions wanted;
    wanted.source = find_scene(options.scene, options.overrides);
    wanted.width = options.width;
    wanted.height = options.height;
    wanted.seed = options.seed;
    wanted.threads = options.threads;
    wanted.fps = options.fps;
    wanted.low = options.low;
    wanted.colour = render::find_colour(options.colour).value_or(render::ColourBy::tissue);
    wanted.seconds = options.seconds;
    wanted.end = is_interrupted;
    watch_for_interrupt();
    const desktop::ViewReport report = desktop::view(wanted);
    if (options.json) print_json(to_json(options, report));
    return Status::ok;
}

}  // namespace plica::app
