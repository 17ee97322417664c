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
    result.measured = {{"rest_time", rest.time},
                       {"rest_speed", rest.found.speed},
                       {"worst", std::max(rest.found.worst, loop.worst)},
                       {"turns", around / full_turn},
                       {"turns_back", winding.angle / full_turn},
                       {"pierced_as_built", built.found.pierced_now},
                       {"pierced", rest.found.pierced_frames + loop.pierced_frames},
                       {"loop_through", loop.pass_throughs},
                       {"rest_through", rest.found.pass_throughs}};
    if (options.quick) result.notes.emplace_back("Too short to come to rest or around the root.");
    return result;
}

std::vector<Claim> judge_raghupathi2003_fig9(const Measurements& m) {
    const double speed = m.at("rest_speed"), worst = m.at("worst"), turns = m.at("turns");
    const int loop = m.at("loop_through"), through = loop + m.at("rest_through").get<int>(),
              built = m.at("pierced_as_built"), pierced = m.at("pierced");
    return {
        with_plot(judge({"From its initial state the gut comes to a more plausible shape.",
                         "Raghupathi 2003, fig. 9 (b)", "The intestine has reached a more plausible shape.", "by eye"},
                        fmt::format("after {:.1f} s at {:.2f} cm/s, {:.3f} r deep at the worst",
                                    m.at("rest_time").get<double>(), 100.0 * speed, worst),
                        "it comes to rest: slower than 1 cm/s after 5 s", speed < quiet_speed),
                  "plausible.png"),
        with_plot(judge({"The gut can make a loop around the mesentery.", "Raghupathi 2003, fig. 9 (c)",
                         "The intestine makes a loop around the mesentery (medically unrealistic).", "seen"},
                        fmt::format("its middle goes {:.2f} turns around the root, with {} pass-throughs", turns, loop),
                        "its middle goes 0.9 turns around the root, and nothing goes through anything",
                        turns > 0.9 && loop == 0),
                  "loop.png"),
        with_plot(
            promise("Nothing goes through anything else, there or back.",
                    "none pierced as built or in any frame, no pass-through, at most 0.12 r deep",
                    fmt::format("{} triangles pierced as built, {} pass-throughs, {} pierced in all frames, {:.3f} r "
                                "deep at the worst; back at {:.2f} turns",
                                built, through, pierced, worst, m.at("turns_back").get<double>()),
                    built + through + pierced == 0 && worst <= deepest_allowed),
            "initial.png")};
}

}  // namespace plica::experiments
