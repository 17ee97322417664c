#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "audit/verdict.hpp"
#include "bench/abuse/abuse_run.hpp"
#include "bench/common/bench.hpp"
#include "bench/common/machine.hpp"
#include "core/statistics.hpp"

// A thousand gestures that nobody should make: does every step end, does nothing pass through anything, does all of it
// come to rest afterwards?
namespace plica::bench {
namespace {

constexpr int gestures_of_scene = 250;
constexpr double patience = 6.0;         // s, to come to rest
constexpr double most_medians = 20.0;    // a step's worst over the scene's median
constexpr double short_enough_ms = 5.0;  // whatever the median is
constexpr std::uint64_t abuse_seed = 1;

// All gestures on one scene.
struct AbusedScene {
    std::string name;
    bool timed = true;   // steps are judged by their times too
    double nodes = 0.0;  // a distance for each of them is little, whatever the median is
    std::vector<Abused> gestures{};
    double median_tests = 0.0, median_ms = 0.0, p99_ms = 0.0;  // of all their steps

    void measure() {
        std::vector<double> tests, milliseconds;
        for (const Abused& each : gestures) {
            tests.insert(tests.end(), each.tests.begin(), each.tests.end());
            milliseconds.insert(milliseconds.end(), each.milliseconds.begin(), each.milliseconds.end());
        }
        median_tests = percentile(tests, 0.5);
        median_ms = percentile(milliseconds, 0.5);
        p99_ms = percentile(milliseconds, 0.99);
    }
    [[nodiscard]] double few_tests() const { return std::max(nodes, median_tests); }
    [[nodiscard]] bool is_long(const Abused& each) const {
        return timed && largest(each.milliseconds) > std::max(short_enough_ms, most_medians * median_ms);
    }
    [[nodiscard]] bool is_hard(const Abused& each) const { return largest(each.tests) > most_medians * few_tests(); }
};

// What is wrong with a gesture's run; empty: nothing.
std::string complain(const AbusedScene& scene, const Abused& each) {
    std::vector<std::string> found;
    if (each.pass_throughs > 0) found.push_back(fmt::format("{} pass-throughs", each.pass_throughs));
    if (each.intersections > 0) found.push_back(fmt::format("{} triangles intersect", each.intersections));
    if (each.depth > audit::deepest_allowed) found.push_back(fmt::format("depth {:.2f} of a radius", each.depth));
    if (each.lost > 0) found.push_back(fmt::format("lost in {} steps", each.lost));
    if (each.rest_after < 0.0) found.push_back(fmt::format("not at rest, {:.1f} mm/s", 1e3 * each.speed_after));
    if (scene.is_hard(each)) {
        found.push_back(fmt::format("{:.0f} medians of tests", largest(each.tests) / scene.few_tests()));
    }
    if (scene.is_long(each)) {
        found.push_back(fmt::format("{:.1f} ms, {:.0f} medians", largest(each.milliseconds),
                                    largest(each.milliseconds) / scene.median_ms));
    }
    return fmt::format("{}", fmt::join(found, "; "));
}

template <class Count>
std::int64_t total(const AbusedScene& scene, const Count& count) {
    std::int64_t sum = 0;
    for (const Abused& each : scene.gestures) sum += static_cast<std::int64_t>(count(each));
    return sum;
}

Json describe(const AbusedScene& scene) {
    Json gestures = Json::array();
    double worst_tests = 0.0, worst_ms = 0.0, depth = 0.0;
    for (const Abused& each : scene.gestures) {
        worst_tests = std::max(worst_tests, largest(each.tests));
        worst_ms = std::max(worst_ms, largest(each.milliseconds));
        depth = std::max(depth, each.depth);
        gestures.push_back({{"number", each.number},
                            {"gesture", each.gesture.describe()},
                            {"worst_tests", largest(each.tests)},
                            {"worst_ms", largest(each.milliseconds)},
                            {"pass_throughs", each.pass_throughs},
                            {"intersections", each.intersections},
                            {"depth", each.depth},
                            {"lost", each.lost},
                            {"limited", each.limited},
                            {"held", each.held},
                            {"rest_after_s", each.rest_after},
                            {"speed_after_m_s", each.speed_after}});
    }
    return {{"scene", scene.name},
            {"gestures", scene.gestures.size()},
            {"steps", total(scene, [](const Abused& each) { return each.tests.size(); })},
            {"tests_median", scene.median_tests},
            {"tests_worst", worst_tests},
            {"p50_ms", scene.median_ms},
            {"p99_ms", scene.p99_ms},
            {"worst_ms", worst_ms},
            {"hard", total(scene, [&](const Abused& each) { return scene.is_hard(each); })},
            {"long", total(scene, [&](const Abused& each) { return scene.is_long(each); })},
            {"pass_throughs", total(scene, [](const Abused& each) { return each.pass_throughs; })},
            {"intersections", total(scene, [](const Abused& each) { return each.intersections; })},
            {"deepest", depth},
            {"deep", total(scene, [](const Abused& each) { return each.depth > audit::deepest_allowed; })},
            {"lost", total(scene, [](const Abused& each) { return each.lost > 0; })},
            {"limited", total(scene, [](const Abused& each) { return each.limited > 0; })},
            {"held", total(scene, [](const Abused& each) { return each.held > 0; })},
            {"unrest", total(scene, [](const Abused& each) { return each.rest_after < 0.0; })},
            {"each", gestures}};
}

std::string to_text(const Json& rows, const std::vector<std::string>& complaints) {
    std::string text = fmt::format(
        "{:<6} {:>8} {:>7} {:>8} {:>8} {:>7} {:>7} {:>8} {:>5} {:>5} {:>7} {:>6} {:>6} {:>5} {:>7} {:>5} {:>6}\n",
        "scene", "gestures", "steps", "tests", "worst", "p50 ms", "p99 ms", "worst ms", "hard", "long", "through",
        "inters", "depth", "lost", "limited", "held", "unrest");
    for (const Json& row : rows) {
        text += fmt::format(
            "{:<6} {:>8} {:>7} {:>8.0f} {:>8.0f} {:>7.2f} {:>7.2f} {:>8.1f} {:>5} {:>5} {:>7} {:>6} {:>6.3f} {:>5} "
            "{:>7} {:>5} "
            "{:>6}\n",
            row["scene"].get<std::string>(), row["gestures"].get<int>(), row["steps"].get<int>(),
            row["tests_median"].get<double>(), row["tests_worst"].get<double>(), row["p50_ms"].get<double>(),
            row["p99_ms"].get<double>(), row["worst_ms"].get<double>(), row["hard"].get<int>(), row["long"].get<int>(),
            row["pass_throughs"].get<int>(), row["intersections"].get<int>(), row["deepest"].get<double>(),
            row["lost"].get<int>(), row["limited"].get<int>(), row["held"].get<int>(), row["unrest"].get<int>());
    }
    constexpr std::size_t most = 40;
    for (std::size_t i = 0; i < std::min(most, complaints.size()); ++i) text += complaints[i] + "\n";
    if (complaints.size() > most) text += fmt::format("and {} more\n", complaints.size() - most);
    return text;
}

std::string to_csv(const Json& rows) {
    std::string csv = "scene,number,gesture,worst_tests,worst_ms,pass_throughs,intersections,rest_after_s\n";
    for (const Json& row : rows) {
        for (const Json& each : row["each"]) {
            csv += fmt::format(
                "{},{},\"{}\",{},{},{},{},{}\n", row["scene"].get<std::string>(), each["number"].get<int>(),
                each["gesture"].get<std::string>(), each["worst_tests"].get<double>(), each["worst_ms"].get<double>(),
                each["pass_throughs"].get<int>(), each["intersections"].get<int>(), each["rest_after_s"].get<double>());
        }
    }
    return csv;
}

// "gut:17" asks for one gesture, "gut" for all of a scene.
std::vector<int> choose_numbers(const Options& options, const std::string& scene) {
    const int count = !options.sizes.empty() ? options.sizes.front() : options.quick ? 3 : gestures_of_scene;
    std::vector<int> all(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = i;
    if (options.only.empty()) return all;
    std::vector<int> numbers;
    for (const std::string& only : options.only) {
        if (only == scene) return all;
        if (only.rfind(scene + ":", 0) == 0) numbers.push_back(std::atoi(only.c_str() + scene.size() + 1));
    }
    return numbers;
}

}  // namespace

Result run_abuse(const Options& options, const Hooks& hooks) {
    Result result;
    result.json = {{"benchmark", "abuse"}, {"processor", processor_name()}, {"load", load_average()},
                   {"seed", abuse_seed},   {"patience_s", patience},        {"rest_speed_m_s", rest_speed}};
    result.json["rows"] = Json::array();
    std::vector<std::string> complaints;
    for (const AbuseScene& scene : abuse_scenes()) {
        const std::vector<int> numbers = choose_numbers(options, scene.name);
        if (numbers.empty() || hooks.is_interrupted()) continue;
        AbuseRun run(scene, {}, abuse_seed);
        AbusedScene abused{scene.name, !options.quick, run.nodes()};
        for (const int number : numbers) {
            if (hooks.is_interrupted()) break;
            hooks.progress("abuse of " + scene.name, static_cast<std::int64_t>(abused.gestures.size()),
                           static_cast<std::int64_t>(numbers.size()));
            abused.gestures.push_back(run.abuse(number, patience));
        }
        abused.measure();
        for (const Abused& each : abused.gestures) {
            const std::string wrong = complain(abused, each);
            if (wrong.empty()) continue;
            complaints.push_back(
                fmt::format("{}:{} ({}): {}", scene.name, each.number, each.gesture.describe(), wrong));
        }
        result.json["rows"].push_back(describe(abused));
    }
    result.json["complaints"] = complaints;
    result.text = to_text(result.json["rows"], complaints);
    result.csv = to_csv(result.json["rows"]);
    result.gnuplot =
        "set datafile separator ','\nset logscale y\nset xlabel 'gesture'\nset ylabel 'CPU time of the worst step, "
        "ms'\n"
        "plot for [s in 'gut liver heat all'] csv using (strcol(1) eq s ? $2 : 1/0):5 with points title s\n";
    result.status = complaints.empty() ? Status::ok : Status::failed;
    return result;
}

}  // namespace plica::bench
