#include "bench/render/guarantee.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "core/clock.hpp"
#include "core/statistics.hpp"
#include "render/governor.hpp"
#include "render/warm_up.hpp"
#include "scene/description.hpp"
#include "simulation/live/live.hpp"

namespace plica::bench {
namespace {

constexpr double window = 0.5, least_share = 0.8;  // s, of the rate wanted

int level_count() {
    return static_cast<int>(render::detail_levels().size());
}

render::Style style_of(int level) {
    render::Style style;
    style.detail = render::detail_levels()[static_cast<std::size_t>(level)];
    return style;
}

double measure_rate(RenderLoad& load, int level) {
    std::vector<double> seconds;
    for (int i = 0; i < 6; ++i) seconds.push_back(load.draw(style_of(level)));
    return 1.0 / percentile(seconds, 0.5);
}

struct Started {
    std::vector<double> ends, seconds;  // of each frame

    // From when on every half second has the share of the rate that it must have.
    [[nodiscard]] double kept_after(double target) const {
        double since = 0.0;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            double sum = 0.0, frames = 0.0;
            for (std::size_t k = i + 1; k-- > 0 && ends[k] > ends[i] - window;) {
                sum += seconds[k];
                frames += 1.0;
            }
            if (frames < least_share * target * sum) since = ends[i];
        }
        return since;
    }
};

Json start_at(RenderLoad& load, int level, double target, double seconds, const Hooks& hooks) {
    render::Governor governor(target, level_count(), level);
    Started started;
    load.rewind();
    for (double clock = 0.0; clock < seconds && !hooks.is_interrupted();) {
        const double took = load.draw(style_of(governor.level()));
        clock += took;
        started.ends.push_back(clock);
        started.seconds.push_back(took);
        governor.next(took);
    }
    return {{"start", level},
            {"target_fps", target},
            {"first_frame_ms", started.seconds.empty() ? 0.0 : 1e3 * started.seconds.front()},
            {"kept_after_s", started.kept_after(target)},
            {"fps", static_cast<double>(started.seconds.size()) / seconds},
            {"last_level", governor.level()}};
}

}  // namespace

Json measure_starts(RenderLoad& load, double seconds, const Hooks& hooks) {
    Json rows = Json::array();
    for (const bool busy : {false, true}) {
        std::optional<OtherLoad> other;
        if (busy) other.emplace();
        const double target = std::sqrt(measure_rate(load, 0) * measure_rate(load, level_count() - 1));
        for (const int level : {0, level_count() - 1}) {
            rows.push_back(start_at(load, level, target, seconds, hooks));
            rows.back()["other_load"] = busy;
            hooks.progress("from either end", static_cast<std::int64_t>(rows.size()), 4);
        }
    }
    return rows;
}

Json measure_beside(const std::string& scene, double seconds, int width, int height, const Hooks& hooks) {
    constexpr double wanted = 30.0;
    render::Offscreen screen(width, height);
    Live live(find_scene(scene));
    render::Renderer renderer(render::make_drawing(live.model()));
    const render::Camera camera = choose_camera(renderer.drawing(), live.look().frame.positions);
    render::warm_up(renderer, live.look().frame, camera, {}, screen.framebuffer());
    render::Governor governor(wanted, level_count(), level_count() / 4);
    std::vector<double> from_one_to_next;
    double pace = 0.0;
    int paces = 0;
    const double began = wall_seconds();
    for (double last = began; last - began < seconds && !hooks.is_interrupted();) {
        const double start = wall_seconds();
        const Snapshot& now = live.look();
        renderer.draw(now.frame, camera, style_of(governor.level()), width, height, screen.framebuffer());
        screen.finish();
        governor.next(wall_seconds() - start);
        pace += now.pace;
        ++paces;
        const double left = last + 1.0 / wanted - wall_seconds();
        if (left > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
        from_one_to_next.push_back(wall_seconds() - last);
        last = wall_seconds();
    }
    live.end();
    return {
        {"scene", scene},
        {"wanted_fps", wanted},
        {"seconds", seconds},
        {"fps", {{"p50", 1.0 / percentile(from_one_to_next, 0.5)}, {"p99", 1.0 / percentile(from_one_to_next, 0.99)}}},
        {"pace", paces > 0 ? pace / paces : 0.0},
        {"last_level", governor.level()}};
}

std::string describe_starts(const Json& rows) {
    std::string text = fmt::format(
        "\nfrom when on no half second is slower than 80 % of the rate wanted\n{:>7} {:>10} {:>7} {:>14} {:>9} {:>6}\n",
        "target", "other load", "start", "first frame ms", "kept s", "level");
    for (const Json& row : rows) {
        text += fmt::format("{:>7.1f} {:>10} {:>7} {:>14.1f} {:>9.2f} {:>6}\n", row["target_fps"].get<double>(),
                            row["other_load"].get<bool>() ? "yes" : "no", row["start"].get<int>(),
                            row["first_frame_ms"].get<double>(), row["kept_after_s"].get<double>(),
                            row["last_level"].get<int>());
    }
    return text;
}

std::string describe_beside(const Json& row) {
    return fmt::format(
        "\n`{}` simulated beside it, {:.0f} s, {:.0f} frames a second wanted: p50 {:.1f}, p99 {:.1f}; at {:.2f} times "
        "real time; level {}\n",
        row["scene"].get<std::string>(), row["seconds"].get<double>(), row["wanted_fps"].get<double>(),
        row["fps"]["p50"].get<double>(), row["fps"]["p99"].get<double>(), row["pace"].get<double>(),
        row["last_level"].get<int>());
}

}  // namespace plica::bench
