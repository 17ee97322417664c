#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "bench/common/bench.hpp"
#include "bench/common/programs.hpp"
#include "bench/detection/our_detectors.hpp"
#include "bench/detection/pile.hpp"
#include "core/statistics.hpp"

namespace plica::bench {
namespace {

constexpr int grow_from = 400;   // segments; below, four metres are cut finer as in the papers
constexpr double enough = 10.0;  // s, of a method that does not get another turn

// What the double loop gets through in reasonable time; every method sees the same frames.
Windows windows_for(int segments, bool quick) {
    if (quick) return {2, 10};
    return segments <= 3000 ? Windows{4, 30} : Windows{4, 20};
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
    PileRun run =
        record_substeps(pile_overrides(segments, growth), seconds, windows_for(segments, options.quick), after);
    Frames frames{run.rope, std::move(run.trajectory), fmt::format("{}/detection-{}", options.folder, segments)};
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

struct OurMethod {
    const char* name;
    search::Method method;
    Kernels kernels;
};
constexpr OurMethod our_methods[] = {
    {"brute-vector", search::Method::brute, Kernels::best}, {"tree-scalar", search::Method::tree, Kernels::scalar},
    {"list-scalar", search::Method::list, Kernels::scalar}, {"grid", search::Method::grid, Kernels::best},
    {"tree", search::Method::tree, Kernels::best},          {"list", search::Method::list, Kernels::best}};

// The double loop first: it is the reference for the others.
std::vector<Method> find_methods(const Frames& frames, const Options& options, Json& missing) {
    std::vector<Method> methods;
    const auto add = [&](const std::string& name, const std::shared_ptr<TimedDetector>& detector) {
        methods.push_back({name, [name, detector, &frames] {
                               return time_detector(name, *detector, frames.trajectory, frames.rope.window);
                           }});
    };
    add("brute-scalar", make_scalar_detector(frames.rope));
    for (const OurMethod& our : our_methods) {
        if (!is_wanted(options, "plica")) break;
        std::shared_ptr<TimedDetector> detector = make_plica_detector(our.method, our.kernels, frames.rope);
        if (detector == nullptr) {
            missing.push_back(our.name);
        } else {
            add(our.name, detector);
        }
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
            if (round == 0) {
                runs.push_back(methods[m].run());
            } else if (sum(runs[m].seconds) < enough) {
                merge_times(methods[m].run(), runs[m]);
            }
        }
    }
    return runs;
}

template <class Value>
double mean(const std::vector<Value>& values) {
    double total = 0.0;
    for (const Value v : values) total += static_cast<double>(v);
    return values.empty() ? 0.0 : total / static_cast<double>(values.size());
}

Json describe(const std::vector<DetectorRun>& runs, int segments) {
    Json rows = Json::array();
    for (const DetectorRun& run : runs) {
        const double average = mean(run.seconds);
        const double frames = std::max(1.0, static_cast<double>(run.seconds.size()));
        rows.push_back({{"method", run.name},
                        {"frame_us",
                         {{"mean", 1e6 * average},
                          {"p50", 1e6 * percentile(run.seconds, 0.5)},
                          {"p99", 1e6 * percentile(run.seconds, 0.99)}}},
                        {"ns_per_segment", 1e9 * average / segments},
                        {"rebuilds_per_frame", static_cast<double>(run.rebuilds) / frames},
                        {"tests_mean", mean(run.tests)},
                        {"pairs_mean", mean(run.pairs)}});
    }
    return rows;
}

// How many times faster, by the means: like against like first, then what ships against the plain loop.
Json compare(const std::vector<DetectorRun>& runs) {
    constexpr const char* questions[][2] = {{"tree", "brute-vector"},
                                            {"list", "brute-vector"},
                                            {"tree-scalar", "brute-scalar"},
                                            {"list-scalar", "brute-scalar"},
                                            {"tree", "brute-scalar"},
                                            {"list", "brute-scalar"},
                                            {"tree", "cgal"},
                                            {"tree", "fcl"}};
    const auto time_of = [&](const char* name) {
        for (const DetectorRun& run : runs) {
            if (run.name == name) return mean(run.seconds);
        }
        return 0.0;
    };
    Json ratios = Json::array();
    for (const auto& [method, reference] : questions) {
        const double mine = time_of(method), theirs = time_of(reference);
        if (mine <= 0.0 || theirs <= 0.0) continue;
        ratios.push_back({{"method", method}, {"reference", reference}, {"times_faster", theirs / mine}});
    }
    return ratios;
}

std::string size_to_text(const Json& size) {
    std::string text =
        fmt::format("detection: {} segments, {} substeps of a pile, gap at most {:.1f} mm, one thread\n",
                    size["segments"].get<int>(), size["frames"].get<int>(), 1e3 * size["gap"].get<double>());
    text += fmt::format("  {:<14} {:>12} {:>12} {:>12} {:>13} {:>9} {:>14} {:>9}\n", "", "mean us", "p50 us", "p99 us",
                        "ns / segment", "rebuilds", "exact tests", "pairs");
    for (const Json& row : size["rows"]) {
        const Json& us = row["frame_us"];
        text += fmt::format("  {:<14} {:>12.1f} {:>12.1f} {:>12.1f} {:>13.0f} {:>9.3f} {:>14.0f} {:>9.1f}\n",
                            row["method"].get<std::string>(), us["mean"].get<double>(), us["p50"].get<double>(),
                            us["p99"].get<double>(), row["ns_per_segment"].get<double>(),
                            row["rebuilds_per_frame"].get<double>(), row["tests_mean"].get<double>(),
                            row["pairs_mean"].get<double>());
    }
    for (const Json& ratio : size["ratios"]) {
        text += fmt::format("  {} is {:.2f} times as fast as {}\n", ratio["method"].get<std::string>(),
                            ratio["times_faster"].get<double>(), ratio["reference"].get<std::string>());
    }
    for (const Json& name : size["missing"]) {
        text += fmt::format("  {:<14} not available: it was not built\n", name.get<std::string>());
    }
    const std::string problem = size["disagreement"].is_null() ? "" : size["disagreement"].get<std::string>();
    return text +
           (problem.empty() ? "  all methods found exactly the same pairs\n\n" : "  FAILED: " + problem + "\n\n");
}

std::string to_text(const Json& result) {
    std::string text;
    for (const Json& size : result["sizes"]) text += size_to_text(size);
    return text;
}

std::string to_csv(const Json& result) {
    std::string text = "segments,method,mean_us,p50_us,p99_us,ns_per_segment,rebuilds_per_frame,exact_tests,pairs\n";
    for (const Json& size : result["sizes"]) {
        for (const Json& row : size["rows"]) {
            const Json& us = row["frame_us"];
            text += fmt::format("{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", size["segments"].get<int>(),
                                row["method"].get<std::string>(), us["mean"].get<double>(), us["p50"].get<double>(),
                                us["p99"].get<double>(), row["ns_per_segment"].get<double>(),
                                row["rebuilds_per_frame"].get<double>(), row["tests_mean"].get<double>(),
                                row["pairs_mean"].get<double>());
        }
    }
    return text;
}

constexpr const char* plot =
    "set title 'All close pairs of a rope in a bowl, one thread'\n"
    "set xlabel 'segments'\nset ylabel 'microseconds a substep, mean'\nset logscale xy\nset key left top\n"
    "set datafile separator ','\nset datafile missing NaN\n"
    "plot for [name in 'brute-scalar brute-vector tree-scalar list-scalar grid tree list cgal fcl'] csv using "
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
                                        {"frames", runs.empty() ? 0 : runs.front().seconds.size()},
                                        {"gap", 2.0 * frames.rope.margin},
                                        {"rows", describe(runs, segments)},
                                        {"ratios", compare(runs)},
                                        {"missing", missing},
                                        {"disagreement", problem.empty() ? Json(nullptr) : Json(problem)}});
    }
    result.text = to_text(result.json);
    result.csv = to_csv(result.json);
    result.gnuplot = plot;
    return result;
}

}  // namespace plica::bench
