#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/common/album.hpp"
#include "experiments/common/registry.hpp"

// Snapshots: as built, at rest, a loop around the mesentery. The gut of the papers: 4 m, mesentery of constant width.
namespace plica::experiments {
namespace {

constexpr double quiet_speed = 0.01;      // m/s, rms
constexpr double deepest_allowed = 0.12;  // in radii, of the acceptance of whole scenes
constexpr double full_turn = 2.0 * std::numbers::pi;

// The angle by which the gut's middle has gone around the root.
struct Winding {
    double angle = 0.0, most = 0.0, last = 0.0;  // rad
    bool began = false;

    void look(const World& world) {
        if (world.frame().time < loop_begins) return;
        const Vec3 x = world.state().x[static_cast<std::size_t>(find_node(world.model(), "gut", 0.5))];
        const double now = std::atan2(x.y, -x.z);
        if (began) angle += std::remainder(now - last, full_turn);
        began = true;
        last = now;
        most = std::max(most, angle);
    }
};

}  // namespace

Result run_raghupathi2003_fig9(const ExperimentOptions& options) {
    Result result;
    Album album(options, result);
    {
        Stage stage(plane_scene({"gut.preset=paper"}));
        album.take(stage, "initial");
        stage.run_to(options.quick ? 0.2 : 5.0);
        album.take(stage, "plausible");
    }
    options.progress(0.4);
    Stage stage(loop_scene({}));
    Winding winding;
    const auto look = [&](const World& world) {
        winding.look(world);
        options.progress(0.4 + 0.6 * world.frame().time / (loop_opens() + 1.0));
    };
    stage.run_to(options.quick ? 0.2 : loop_closes(), look);
    album.take(stage, "loop");
    const double around = winding.angle;
    if (!options.quick) stage.run_to(loop_opens() + 0.5, look);
    const Shot& built = album.shots()[0];
    const Shot& rest = album.shots()[1];
    const StageFindings& loop = stage.found();

    result.tables = {album.table()};
    result.claims = {
        {"2003, fig. 9b: from its initial state the gut comes to a more plausible shape", "by eye",
         fmt::format("after {:.1f} s at {:.2f} cm/s, {:.3f} r deep at the worst", rest.time, 100.0 * rest.found.speed,
                     rest.found.worst),
         rest.found.speed < quiet_speed, ""},
        {"2003, fig. 9c: the gut can make a loop around the mesentery", "seen",
         fmt::format("its middle goes {:.2f} turns around the root, with {} pass-throughs", around / full_turn,
                     loop.pass_throughs),
         around > 0.9 * full_turn && loop.pass_throughs == 0, ""},
    };
    if (options.quick) result.notes.emplace_back("Too short to come to rest or around the root.");
    result.claims.push_back({"nothing goes through anything else, there or back", "",
                             fmt::format("{} triangles pierced as built, {} pass-throughs, {} pierced in all frames, "
                                         "{:.3f} r deep at the worst; back at {:.2f} turns",
                                         built.found.pierced_now, rest.found.pass_throughs + loop.pass_throughs,
                                         rest.found.pierced_frames + loop.pierced_frames,
                                         std::max(rest.found.worst, loop.worst), winding.angle / full_turn),
                             built.found.pierced_now + rest.found.pass_throughs + loop.pass_throughs +
                                         rest.found.pierced_frames + loop.pierced_frames ==
                                     0 &&
                                 std::max(rest.found.worst, loop.worst) <= deepest_allowed,
                             "", true});
    return result;
}

}  // namespace plica::experiments
