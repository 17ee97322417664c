#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "bench/common/bench.hpp"
#include "bench/common/machine.hpp"
#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/statistics.hpp"
#include "scene/script.hpp"
#include "simulation/inside.hpp"

// What a hand feels of a step: whole scenes by number of threads, in turns.
namespace plica::bench {
namespace {

struct HandScene {
    const char* name;
    std::vector<std::string> overrides;
    const char* title;
    double ahead;    // s, simulated before it is looked at
    double seconds;  // simulated and measured
};

const std::vector<HandScene>& hand_scenes() {
    static const std::vector<HandScene> list{
        {"intestine", {}, "intestine", 5.0, 8.0},
        {"intestine", {"start=built"}, "intestine, falling", 0.0, 4.0},
        {"intestine", {"gut.segments=1000"}, "intestine, 1,000 segments", 0.0, 4.0},
        {"intestine", {"solver.dt=0.001", "solver.substeps=1"}, "intestine, steps of 1 ms", 5.0, 3.0},
        {"intestine",
         {"solver.dt=0.001", "solver.substeps=1", "gut.mesentery_self_contact=false"},
         "the same, mesentery through itself",
         5.0,
         3.0},
        {"three-tissues", {}, "three-tissues", 0.0, 6.0},
        {"intestine-on-liver", {}, "intestine-on-liver", 0.0, 1.0},
        {"liver-diaphragm", {}, "liver-diaphragm", 0.0, 2.0},
        {"forceps-liver", {}, "forceps-liver", 0.0, 1.2},
        {"liver-bars", {}, "liver-bars", 0.0, 2.0},
        {"liver-drop", {}, "liver-drop", 0.0, 2.0},
        {"liver-drop", {"contact.enabled=false"}, "liver-drop, elements alone", 0.0, 1.0},
    };
    return list;
}

// Wall time of all steps of a run, ms, and what it ended in.
struct HandRun {
    std::vector<double> step;
    std::vector<double> stage[stage_count];
    std::uint64_t hash = 0;
};

HandRun run_scene(const HandScene& scene, int threads, double ahead, double seconds, const Hooks& hooks) {
    const OpenScene opened = open_scene(find_scene(scene.name, scene.overrides));
    DriveOptions options;
    options.threads = threads;
    World world = build_world(opened, options);
    const double dt = world.model().dt;
    Script script(opened.scene);
    HandRun run;
    for (int i = 0; i * dt < ahead + seconds && !hooks.is_interrupted(); ++i) {
        const Inputs& inputs = script.next(world);
        const double began = wall_seconds();
        const StepReport report = world.step(inputs);
        if (i * dt < ahead) continue;
        run.step.push_back(1e3 * (wall_seconds() - began));
        for (std::size_t s = 0; s < stage_count; ++s) run.stage[s].push_back(1e3 * report.stage_seconds[s]);
        run.hash = report.hash;
    }
    return run;
}

Json describe(const HandScene& scene, int threads, double dt, const HandRun& run, double alone) {
    const double total = sum(run.step);
    Json stages = Json::object();
    for (std::size_t s = 0; s < stage_count; ++s) stages[stage_names[s]] = mean(run.stage[s]);
    return {{"scene", scene.title},
            {"threads", threads},
            {"steps", run.step.size()},
            {"realtime", total > 0.0 ? 1e3 * dt * static_cast<double>(run.step.size()) / total : 0.0},
            {"p50_ms", percentile(run.step, 0.5)},
            {"p99_ms", percentile(run.step, 0.99)},
            {"worst_ms", largest(run.step)},
            {"mean_ms", mean(run.step)},
            {"stage_mean_ms", stages},
            {"over_one_thread", total > 0.0 ? alone / total : 0.0},
            {"hash", to_hex(run.hash)}};
}

double step_of(const HandScene& scene) {
    return open_scene(find_scene(scene.name, scene.overrides)).scene.dt;
}

std::string to_text(const Json& j) {
    std::string text = fmt::format(
        "whole steps by threads, wall time, {} ({} cores); load {:.2f}\n"
        "{:<34} {:>7} {:>8} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>6}\n",
        j["processor"].get<std::string>(), j["cores"].get<unsigned>(), j["load"].get<double>(), "scene", "threads",
        "realtime", "p50, ms", "p99, ms", "worst, ms", "tissue", "detect", "respond", "certify", "x 1");
    for (const Json& row : j["rows"]) {
        const Json& stages = row["stage_mean_ms"];
        text += fmt::format(
            "{:<34} {:>7} {:>8.2f} {:>9.3f} {:>9.3f} {:>9.3f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>6.2f}\n",
            row["scene"].get<std::string>(), row["threads"].get<int>(), row["realtime"].get<double>(),
            row["p50_ms"].get<double>(), row["p99_ms"].get<double>(), row["worst_ms"].get<double>(),
            stages["tissue"].get<double>(), stages["detect"].get<double>(), stages["respond"].get<double>(),
            stages["certify"].get<double>(), row["over_one_thread"].get<double>());
    }
    if (!j["same"].get<bool>()) text += "hashes differ between numbers of threads\n";
    return text;
}

std::string to_csv(const Json& j) {
    std::string csv = "scene,threads,realtime,p50_ms,p99_ms,worst_ms,over_one_thread,hash\n";
    for (const Json& row : j["rows"]) {
        csv += fmt::format("\"{}\",{},{},{},{},{},{},{}\n", row["scene"].get<std::string>(), row["threads"].get<int>(),
                           row["realtime"].get<double>(), row["p50_ms"].get<double>(), row["p99_ms"].get<double>(),
                           row["worst_ms"].get<double>(), row["over_one_thread"].get<double>(),
                           row["hash"].get<std::string>());
    }
    return csv;
}

// As many as the machine has, and no more, unless they are asked for.
std::vector<int> choose_threads(const Options& options) {
    if (!options.threads.empty()) return options.threads;
    std::vector<int> threads{1};
    for (const int more : {2, 4, 8, 16}) {
        if (static_cast<unsigned>(more) <= std::thread::hardware_concurrency()) threads.push_back(more);
    }
    return threads;
}

}  // namespace

Result run_hand(const Options& options, const Hooks& hooks) {
    const std::vector<int> threads = choose_threads(options);
    const auto total = static_cast<std::int64_t>(hand_scenes().size() * threads.size());
    Result result;
    result.json = {{"benchmark", "hand"},
                   {"processor", processor_name()},
                   {"cores", std::thread::hardware_concurrency()},
                   {"load", load_average()}};
    result.json["rows"] = Json::array();
    bool same = true;
    std::int64_t done = 0;
    for (const HandScene& scene : hand_scenes()) {
        const double dt = step_of(scene);
        const double seconds = options.seconds > 0.0 ? options.seconds : options.quick ? 2.0 * dt : scene.seconds;
        const double ahead = options.quick ? 0.0 : scene.ahead;
        double alone = 0.0;
        std::uint64_t hash = 0;
        for (const int count : threads) {
            hooks.progress("hand", done++, total);
            if (hooks.is_interrupted()) break;
            const HandRun run = run_scene(scene, count, ahead, seconds, hooks);
            if (hooks.is_interrupted()) break;
            if (count == threads.front()) {
                alone = sum(run.step);
                hash = run.hash;
            }
            same = same && run.hash == hash;
            result.json["rows"].push_back(describe(scene, count, dt, run, alone));
        }
    }
    result.json["same"] = same;
    result.text = to_text(result.json);
    result.csv = to_csv(result.json);
    result.gnuplot =
        "set datafile separator ','\nset xlabel 'threads'\nset ylabel 'times as fast as the first'\nset key left top\n"
        "plot csv using 2:7 with points title 'whole step'\n";
    result.status = same ? Status::ok : Status::failed;
    return result;
}

}  // namespace plica::bench
