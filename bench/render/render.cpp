#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "bench/common/bench.hpp"
#include "bench/render/guarantee.hpp"
#include "bench/render/render_load.hpp"
#include "core/clock.hpp"
#include "core/statistics.hpp"
#include "render/governor.hpp"
#include "render/skin.hpp"

// What drawing costs: preparing a frame on the processor, each level of detail, and two laws that choose among them.
namespace plica::bench {
namespace {

using render::Detail;
using render::Style;

constexpr int width = 640, height = 480;

Json milliseconds(const std::vector<double>& seconds) {
    return {{"p50", 1e3 * percentile(seconds, 0.5)}, {"p99", 1e3 * percentile(seconds, 0.99)}};
}

// A tube that winds as a gut does: bends of two radii, in all directions.
void wind(int nodes, std::vector<Vec3>& positions, render::Tube& tube) {
    constexpr double radius = 0.01, step = 0.015;
    Vec3 at{}, forward{1, 0, 0};
    for (int i = 0; i < nodes; ++i) {
        const double s = i * step;
        const Vec3 turn{std::sin(37.0 * s), std::cos(23.0 * s), std::sin(11.0 * s + 1.0)};
        forward = normalized(forward + 0.7 * step / (2.0 * radius) * cross(turn, forward));
        positions.push_back(at);
        tube.nodes.push_back(i);
        tube.radius.push_back(radius);
        at += step * forward;
    }
}

// Skinning on the graphics processor sends frames of the axis; the reference computes the same skin here and sends it.
Json measure_preparing(int nodes, int rounds) {
    std::vector<Vec3> positions;
    std::vector<render::Tube> tubes(1);
    wind(nodes, positions, tubes[0]);
    Json rows = Json::array();
    for (const double degrees : {60.0, 30.0, 15.0}) {
        const Detail detail{.largest_turn = degrees * 3.14159265358979 / 180.0, .sides = 32, .rings = 4};
        std::vector<render::AxisFrame> frames;
        std::vector<double> ours, reference;
        std::size_t vertices = 0;
        for (int i = 0; i < rounds; ++i) {
            double began = thread_cpu_seconds();
            find_axis_frames(tubes, positions, detail.largest_turn, frames);
            ours.push_back(thread_cpu_seconds() - began);
            if (i % 10 != 0) continue;
            began = thread_cpu_seconds();
            vertices = compute_skin_mesh(frames, detail.sides, detail.rings).positions.size();
            reference.push_back(thread_cpu_seconds() - began);
        }
        rows.push_back({{"nodes", nodes},
                        {"largest_turn_deg", degrees},
                        {"cells", frames.size() - 1},
                        {"prepare_ms", milliseconds(ours)},
                        {"bytes", frames.size() * sizeof(render::AxisFrame)},
                        {"on_processor_ms", milliseconds(reference)},
                        {"on_processor_bytes", vertices * 24}});
    }
    return rows;
}

Json measure_levels(RenderLoad& load, int rounds, const Hooks& hooks) {
    Json rows = Json::array();
    const auto levels = render::detail_levels();
    for (std::size_t i = 0; i < levels.size() && !hooks.is_interrupted(); ++i) {
        Style style;
        style.detail = levels[i];
        std::vector<double> seconds, prepare;
        load.rewind();
        load.draw(style);  // compiles what this level needs
        for (int k = 0; k < rounds; ++k) {
            seconds.push_back(load.draw(style));
            prepare.push_back(load.report().prepare_seconds);
        }
        rows.push_back({{"level", i},
                        {"sides", levels[i].sides},
                        {"rings", levels[i].rings},
                        {"largest_turn_deg", levels[i].largest_turn * 180.0 / 3.14159265358979},
                        {"cells", load.report().cells},
                        {"triangles", load.report().triangles},
                        {"draw_calls", load.report().draw_calls},
                        {"bytes", load.report().bytes},
                        {"prepare_ms", milliseconds(prepare)},
                        {"frame_ms", milliseconds(seconds)}});
        hooks.progress("levels", static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(levels.size()));
    }
    return rows;
}

struct Control {
    std::vector<double> time, seconds, level;  // of each frame
};

// Ours, or the paper's as printed: its threshold and resolution drive its own sampling.
class Law {
public:
    Law(bool ours, double target) {
        if (ours) {
            m_ours.emplace(target, static_cast<int>(render::detail_levels().size()), 0);
        } else {
            m_paper.emplace(target, 0.3, 2.0, render::PaperLaw::Gains{});
        }
    }
    [[nodiscard]] Style style() const {
        Style style;
        if (m_ours) {
            style.detail = render::detail_levels()[static_cast<std::size_t>(m_ours->level())];
            return style;
        }
        style.sampling = render::Sampling::adaptive;
        style.eps = m_paper->eps();
        style.detail = render::detail_levels().front();
        style.detail.sides = 16;
        style.detail.rings = 2 << std::clamp(m_paper->resolution(), 0, 5);
        return style;
    }
    void next(double seconds) { m_ours ? static_cast<void>(m_ours->next(seconds)) : m_paper->next(seconds); }
    [[nodiscard]] double level() const { return m_ours ? m_ours->level() : std::clamp(m_paper->resolution(), 0, 5); }

private:
    std::optional<render::Governor> m_ours;
    std::optional<render::PaperLaw> m_paper;
};

Control run_control(RenderLoad& load, bool ours, double target, double seconds, const Hooks& hooks) {
    Law law(ours, target);
    Control control;
    std::optional<OtherLoad> other;
    load.rewind();
    double time = 0.0;
    while (time < seconds && !hooks.is_interrupted()) {
        if (!other && time > 0.5 * seconds && time < 0.75 * seconds) other.emplace();
        if (other && time > 0.75 * seconds) other.reset();
        const double took = load.draw(law.style());
        time += took;
        control.time.push_back(time);
        control.seconds.push_back(took);
        control.level.push_back(law.level());
        law.next(took);
    }
    return control;
}

// From when on the rate is kept: frames in a second, 5 % fewer than wanted at the most. -1: never until `until`.
double settling_time(const Control& c, double target, double from, double until) {
    double settled = -1.0;
    for (std::size_t i = 0; i < c.time.size() && c.time[i] < until; ++i) {
        if (c.time[i] < from) continue;
        double sum = 0.0;
        int count = 0;
        for (std::size_t k = i + 1; k-- > 0 && c.time[i] - c.time[k] < 1.0 && c.time[k] >= from;) {
            sum += c.seconds[k];
            ++count;
        }
        const bool fast = sum / count < 1.05 / target;
        if (!fast) settled = -1.0;
        if (fast && settled < 0.0) settled = c.time[i] - from;
    }
    return settled;
}

Json describe(const Control& c, bool ours, double target, double seconds) {
    int slow = 0, counted = 0, switches = 0;
    for (std::size_t i = 1; i < c.time.size(); ++i) {
        if (c.time[i] < 2.0 || c.time[i] > 0.5 * seconds) continue;
        ++counted;
        slow += c.seconds[i] > 1.0 / (0.95 * target) ? 1 : 0;
        switches += c.level[i] != c.level[i - 1] ? 1 : 0;
    }
    Json series = Json::array();
    for (std::size_t i = 0; i < c.time.size(); ++i) series.push_back({c.time[i], 1e3 * c.seconds[i], c.level[i]});
    return {{"law", ours ? "governor" : "paper"},
            {"target_fps", target},
            {"settled_after_s", settling_time(c, target, 0.0, 0.5 * seconds)},
            {"recovered_after_s", settling_time(c, target, 0.5 * seconds, 0.75 * seconds)},
            {"slow_share", counted > 0 ? static_cast<double>(slow) / counted : 0.0},
            {"switches_per_s", switches / std::max(0.5 * seconds - 2.0, 1e-9)},
            {"last_level", c.level.empty() ? 0.0 : c.level.back()},
            {"series", series}};
}

std::string to_text(const Json& j) {
    std::string text = fmt::format(
        "\npreparing a frame on one core: frames of the axis, and the whole skin for comparison\n"
        "{:>7} {:>6} {:>7} {:>9} {:>9} {:>11} {:>14} {:>12}\n",
        "nodes", "turn", "cells", "p50 ms", "p99 ms", "bytes", "whole skin ms", "its bytes");
    for (const Json& row : j["prepare"]) {
        text += fmt::format("{:>7} {:>5.0f}° {:>7} {:>9.4f} {:>9.4f} {:>11} {:>14.3f} {:>12}\n",
                            row["nodes"].get<int>(), row["largest_turn_deg"].get<double>(), row["cells"].get<int>(),
                            row["prepare_ms"]["p50"].get<double>(), row["prepare_ms"]["p99"].get<double>(),
                            row["bytes"].get<int>(), row["on_processor_ms"]["p50"].get<double>(),
                            row["on_processor_bytes"].get<int>());
    }
    text += fmt::format(
        "\nlevels of detail, `intestine` at {} x {}\n{:>6} {:>6} {:>6} {:>7} {:>10} {:>6} {:>9} {:>9} {:>9}\n", width,
        height, "level", "sides", "rings", "cells", "triangles", "calls", "bytes", "p50 ms", "p99 ms");
    for (const Json& row : j["levels"]) {
        text += fmt::format("{:>6} {:>6} {:>6} {:>7} {:>10} {:>6} {:>9} {:>9.1f} {:>9.1f}\n", row["level"].get<int>(),
                            row["sides"].get<int>(), row["rings"].get<int>(), row["cells"].get<int>(),
                            row["triangles"].get<int>(), row["draw_calls"].get<int>(), row["bytes"].get<int>(),
                            row["frame_ms"]["p50"].get<double>(), row["frame_ms"]["p99"].get<double>());
    }
    text += fmt::format(
        "\nholding a frame rate; another load takes all cores in the third quarter\n"
        "{:>9} {:>7} {:>10} {:>12} {:>9} {:>11} {:>6}\n",
        "law", "target", "settled s", "recovered s", "too slow", "switches/s", "level");
    const auto seconds_text = [](double s) { return s < 0.0 ? std::string("never") : fmt::format("{:.2f}", s); };
    for (const Json& row : j["control"]) {
        text +=
            fmt::format("{:>9} {:>7.0f} {:>10} {:>12} {:>8.1f}% {:>11.2f} {:>6.0f}\n", row["law"].get<std::string>(),
                        row["target_fps"].get<double>(), seconds_text(row["settled_after_s"].get<double>()),
                        seconds_text(row["recovered_after_s"].get<double>()), 100.0 * row["slow_share"].get<double>(),
                        row["switches_per_s"].get<double>(), row["last_level"].get<double>());
    }
    return text + describe_starts(j["starts"]) + describe_beside(j["beside"]);
}

std::string to_csv(const Json& j) {
    std::string text = "law,target_fps,time_s,frame_ms,level\n";
    for (const Json& run : j["control"]) {
        for (const Json& point : run["series"]) {
            text +=
                fmt::format("{},{},{:.4f},{:.3f},{}\n", run["law"].get<std::string>(), run["target_fps"].get<double>(),
                            point[0].get<double>(), point[1].get<double>(), point[2].get<double>());
        }
    }
    return text;
}

constexpr const char* plot =
    "set title 'Holding 30 frames a second; another load in the third quarter'\nset datafile separator ','\n"
    "set xlabel 's'\nset ylabel 'ms a frame'\nset y2label 'level'\nset y2tics\nset key left top\nset yrange [0:*]\n"
    "plot 33.3 with lines dt 2 lc 'grey' title '30 fps', \\\n"
    " csv using 3:(stringcolumn(1) eq 'governor' && $2 == 30 ? $4 : NaN) with lines title 'ours', \\\n"
    " csv using 3:(stringcolumn(1) eq 'paper' && $2 == 30 ? $4 : NaN) with lines title 'Raghupathi 2004, eq. 15', \\\n"
    " csv using 3:(stringcolumn(1) eq 'governor' && $2 == 30 ? $5 : NaN) axes x1y2 with steps title 'our level'\n";

}  // namespace

Result run_render(const Options& options, const Hooks& hooks) {
    Result result;
    result.json = {{"benchmark", "render"}, {"width", width}, {"height", height}, {"prepare", Json::array()}};
    for (const int nodes : options.sizes.empty() ? std::vector{100, 300, 2000} : options.sizes) {
        for (const Json& row : measure_preparing(nodes, options.quick ? 20 : 400))
            result.json["prepare"].push_back(row);
    }
    std::optional<RenderLoad> load(std::in_place, "intestine", options.quick ? 5 : 60, width, height);
    result.json["levels"] = measure_levels(*load, options.quick ? 2 : 20, hooks);
    result.json["control"] = Json::array();
    const double seconds = options.seconds > 0.0 ? options.seconds : options.quick ? 1.0 : 16.0;
    const std::vector<double> targets = options.quick ? std::vector{30.0} : std::vector{30.0, 60.0, 90.0};
    std::int64_t done = 0;
    for (const double target : targets) {
        for (const bool ours : {true, false}) {
            const Control control = run_control(*load, ours, target, seconds, hooks);
            result.json["control"].push_back(describe(control, ours, target, seconds));
            hooks.progress("frame rates", ++done, 2 * static_cast<std::int64_t>(targets.size()));
        }
    }
    result.json["starts"] = measure_starts(*load, options.quick ? 0.5 : 4.0, hooks);
    load.reset();  // its context; the next one has its own
    result.json["beside"] = measure_beside("intestine", options.quick ? 0.5 : 2.0 * seconds, width, height, hooks);
    result.text = to_text(result.json);
    result.csv = to_csv(result.json);
    result.gnuplot = plot;
    return result;
}

}  // namespace plica::bench
