#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "bench.hpp"
#include "our_detectors.hpp"
#include "pile.hpp"
#include "programs.hpp"
#include "statistics.hpp"

namespace plica::bench {
namespace {

constexpr int grow_from = 400;  // segments; below, four metres are cut finer as in the papers

// Frames for the double loop to get through in reasonable time; every method sees the same ones.
std::size_t frames_for(int segments, bool quick) {
    if (quick) return 10;
    if (segments <= 1000) return 120;
    return segments <= 3000 ? 30 : 12;
}

Trajectory thin_out(const Trajectory& all, std::size_t count) {
    Trajectory few;
    few.nodes = all.nodes;
    for (std::size_t k = 1; k <= std::min(count, all.frames()); ++k) {
        const auto frame = all.frame(k * all.frames() / std::min(count, all.frames()) - 1);
        few.positions.insert(few.positions.end(), frame.begin(), frame.end());
    }
    return few;
}

struct Frames {
    RopeCase rope;
    Trajectory trajectory;
    std::string folder;
};

Frames make_frames(int segments, const Options& options, const Hooks& hooks) {
    const double seconds = options.seconds > 0.0 ? options.seconds : options.quick ? 0.5 : 4.0;
    const Growth growth = segments < grow_from ? Growth::length : Growth::segment;
    const auto after = [&](int frame) {
        hooks.progress(fmt::format("{} segments, frames", segments), frame, std::lround(seconds * 30.0));
        return !hooks.is_interrupted();
    };
    const PileRun run = run_pile(pile_overrides(segments, growth), seconds, after);
    Frames frames{run.rope, thin_out(run.trajectory, frames_for(segments, options.quick)),
                  fmt::format("{}/detection-{}", options.folder, segments)};
    TrajectoryWriter writer(frames.folder, run.rope);
    for (std::size_t i = 0; i < frames.trajectory.frames(); ++i) {
        writer.add(static_cast<double>(i), frames.trajectory.frame(i));
    }
    writer.close();
    write_case(run.rope, frames.folder + "/case.json");
    return frames;
}

struct Method {
    std::string name;
    std::function<DetectorRun()> run;
};

// The double loop first: it is the reference for the others.
std::vector<Method> find_methods(const Frames& frames, const Options& options, Json& missing) {
    std::vector<Method> methods;
    const auto add = [&](const std::string& name, const std::shared_ptr<TimedDetector>& detector) {
        methods.push_back(
            {name, [name, detector, &frames] { return time_detector(name, *detector, frames.trajectory); }});
    };
    add("scalar", make_scalar_detector(frames.rope));
    if (is_wanted(options, "plica")) {
        add("plica-brute", make_plica_detector(DetectorKind::brute, frames.rope));
        add("plica-grid", make_plica_detector(DetectorKind::grid, frames.rope));
    }
    for (const char* name : {"cgal", "fcl"}) {
        if (!is_wanted(options, name)) continue;
        const std::string program = find_peer(options.programs, name);
        if (program.empty()) {
            missing.push_back(name);
        } else {
            methods.push_back({name, [program, &frames] {
                                   return to_detector_run(run_program(program, {"detect", frames.folder}));
                               }});
        }
    }
    return methods;
}

// The methods take turns, so that what else the machine does meets all of them; each frame keeps its least time.
std::vector<DetectorRun> time_all(const Frames& frames, const Options& options, const Hooks& hooks, Json& missing) {
    const std::vector<Method> methods = find_methods(frames, options, missing);
    std::vector<DetectorRun> runs;
    const int rounds = options.quick ? 1 : 3;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t m = 0; m < methods.size() && !hooks.is_interrupted(); ++m) {
            const auto done = static_cast<std::int64_t>(m) + round * static_cast<std::int64_t>(methods.size());
            hooks.progress(fmt::format("{} segments, methods in turn", frames.rope.segments()), done,
                           rounds * static_cast<std::int64_t>(methods.size()));
            DetectorRun run = methods[m].run();
            if (round == 0) {
                runs.push_back(std::move(run));
            } else {
                merge_times(run, runs[m]);
            }
        }
    }
    return runs;
}

double mean(const std::vector<std::int64_t>& values) {
    double total = 0.0;
    for (const std::int64_t v : values) total += static_cast<double>(v);
    return values.empty() ? 0.0 : total / static_cast<double>(values.size());
}

Json describe(const std::vector<DetectorRun>& runs, int segments) {
    double grid = 0.0;  // the median that ratios refer to
    for (const DetectorRun& run : runs) {
        if (run.name == "plica-grid") grid = percentile(run.seconds, 0.5);
    }
    Json rows = Json::array();
    for (const DetectorRun& run : runs) {
        const double p50 = percentile(run.seconds, 0.5);
        rows.push_back({{"method", run.name},
                        {"frame_us", {{"p50", 1e6 * p50}, {"p99", 1e6 * percentile(run.seconds, 0.99)}}},
                        {"ns_per_segment", 1e9 * p50 / segments},
                        {"tests_mean", mean(run.tests)},
                        {"pairs_mean", mean(run.pairs)},
                        {"ratio", grid > 0.0 ? Json(p50 / grid) : Json(nullptr)}});
    }
    return rows;
}

std::string to_text(const Json& result) {
    std::string text;
    for (const Json& size : result["sizes"]) {
        text += fmt::format("detection: {} segments, {} frames of a pile, gap at most {:.1f} mm, one thread\n",
                            size["segments"].get<int>(), size["frames"].get<int>(), 1e3 * size["gap"].get<double>());
        text += fmt::format("  {:<14} {:>12} {:>12} {:>7} {:>13} {:>14} {:>9}\n", "", "p50 us", "p99 us", "ratio",
                            "ns / segment", "exact tests", "pairs");
        for (const Json& row : size["rows"]) {
            text += fmt::format(
                "  {:<14} {:>12.1f} {:>12.1f} {:>7} {:>13.0f} {:>14.0f} {:>9.1f}\n", row["method"].get<std::string>(),
                row["frame_us"]["p50"].get<double>(), row["frame_us"]["p99"].get<double>(),
                row["ratio"].is_null() ? "-" : fmt::format("{:.2f}", row["ratio"].get<double>()),
                row["ns_per_segment"].get<double>(), row["tests_mean"].get<double>(), row["pairs_mean"].get<double>());
        }
        for (const Json& name : size["missing"]) {
            text += fmt::format("  {:<14} not available: its program was not built\n", name.get<std::string>());
        }
        const std::string problem = size["disagreement"].is_null() ? "" : size["disagreement"].get<std::string>();
        text += problem.empty() ? "  all methods found exactly the same pairs\n\n" : "  FAILED: " + problem + "\n\n";
    }
    return text;
}

std::string to_csv(const Json& result) {
    std::string text = "segments,method,p50_us,p99_us,ratio,ns_per_segment,exact_tests,pairs\n";
    for (const Json& size : result["sizes"]) {
        for (const Json& row : size["rows"]) {
            text += fmt::format("{},{},{:.6g},{:.6g},{},{:.6g},{:.6g},{:.6g}\n", size["segments"].get<int>(),
                                row["method"].get<std::string>(), row["frame_us"]["p50"].get<double>(),
                                row["frame_us"]["p99"].get<double>(),
                                row["ratio"].is_null() ? "" : fmt::format("{:.4g}", row["ratio"].get<double>()),
                                row["ns_per_segment"].get<double>(), row["tests_mean"].get<double>(),
                                row["pairs_mean"].get<double>());
        }
    }
    return text;
}

constexpr const char* plot =
    "set title 'All close pairs of a rope in a bowl, one thread'\n"
    "set xlabel 'segments'\nset ylabel 'microseconds a frame, median'\nset logscale xy\nset key left top\n"
    "set datafile separator ','\nset datafile missing NaN\n"
    "plot for [name in 'scalar plica-brute plica-grid cgal fcl'] csv using "
    "1:(stringcolumn(2) eq name ? $3 : NaN) with linespoints title name\n";

}  // namespace

Result run_detection(const Options& options, const Hooks& hooks) {
    std::vector<int> sizes = options.sizes;
    if (sizes.empty()) {
        sizes = options.quick ? std::vector{50, 100} : std::vector{50, 100, 200, 400, 1000, 3000, 10000};
    }
    Result result;
    result.json = {{"benchmark", "detection"}, {"sizes", Json::array()}};
    for (const int segments : sizes) {
        if (hooks.is_interrupted()) break;
        const Frames frames = make_frames(segments, options, hooks);
        Json missing = Json::array();
        const std::vector<DetectorRun> runs = time_all(frames, options, hooks, missing);
        const std::string problem = find_disagreement(runs);
        if (!problem.empty()) result.status = Status::failed;
        result.json["sizes"].push_back({{"segments", segments},
                                        {"frames", frames.trajectory.frames()},
                                        {"gap", 2.0 * frames.rope.margin},
                                        {"rows", describe(runs, segments)},
                                        {"missing", missing},
                                        {"disagreement", problem.empty() ? Json(nullptr) : Json(problem)}});
    }
    result.text = to_text(result.json);
    result.csv = to_csv(result.json);
    result.gnuplot = plot;
    return result;
}

}  // namespace plica::bench
