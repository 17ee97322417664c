#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "bench/common/bench.hpp"
#include "bench/common/programs.hpp"
#include "bench/detection/pile.hpp"
#include "bench/self_collision/participant.hpp"
#include "bench/self_collision/self_collision_report.hpp"

namespace plica::bench {
namespace {

namespace fs = std::filesystem;

constexpr double deepest = 0.5;          // of a radius: what every audit here lets pass
constexpr double far_too_deep = 10.0;    // no limit: 2 is as deep as it gets
constexpr double slowest = 60.0;         // s per simulated second
constexpr double worth_trying = 1.5;     // times the work of a setting that is good enough already
constexpr int patience = 3;              // settings in a row that fail or are too slow
constexpr std::size_t quick_trials = 4;  // settings of each program with --quick
constexpr int rounds = 2;                // of the final, besides the sweep
constexpr double finalist = 1.6;         // times the fastest: a busy machine may have mistaken the order by that
constexpr std::size_t finalists = 2;     // of each program under each rule

// What the sweep of one program's settings has come to.
struct Sweep {
    std::vector<Trial> trials;
    std::vector<std::optional<std::size_t>> best;  // per rule, index of the fastest trial that counts
};

struct Contest {
    const Options& options;
    const Hooks& hooks;
    RopeCase rope;
    std::string folder;  // of this number of segments
    std::vector<double> rules;
};

// Keeps what the winner of the first rule did, for looking at.
void keep_trajectory(const Contest& contest, const std::string& name) {
    const fs::path kept = fs::path(contest.folder) / name;
    fs::remove_all(kept);
    fs::rename(fs::path(contest.folder) / "trial", kept);
}

void take(const Contest& contest, const std::string& name, Trial trial, Sweep& sweep) {
    sweep.trials.push_back(std::move(trial));
    const Trial& last = sweep.trials.back();
    for (std::size_t r = 0; r < contest.rules.size(); ++r) {
        std::optional<std::size_t>& best = sweep.best[r];
        if (!counts(last, contest.rope, contest.rules[r])) continue;
        if (best && sweep.trials[*best].cost <= last.cost) continue;
        best = sweep.trials.size() - 1;
        if (r == 0) keep_trajectory(contest, name);
    }
}

// Beyond these a trial cannot win under any rule: slower than the winner under the strictest one, or too deep for the
// rules that it is not too expensive for.
Limits find_limits(const Contest& contest, const Sweep& sweep, const Json& setting) {
    Limits limits{slowest, contest.rules.back()};
    if (sweep.best.back()) limits.seconds = sweep.trials[*sweep.best.back()].cost;
    for (std::size_t r = contest.rules.size(); r-- > 0;) {
        const bool open =
            !sweep.best[r] || setting.at("work").get<double>() <= worth_trying * sweep.trials[*sweep.best[r]].work();
        if (open) limits.depth = contest.rules[r];
    }
    return limits;
}

// At most so many of the settings, evenly spread and none of the very ends.
Json spread(const Json& settings, int most) {
    const std::size_t all = settings.size(), few = most > 0 ? std::min(all, static_cast<std::size_t>(most)) : all;
    Json some = Json::array();
    for (std::size_t i = 0; i < few; ++i) some.push_back(settings[(2 * i + 1) * all / (2 * few)]);
    return some;
}

// Tries the settings by growing work until more work cannot win under any rule.
Sweep sweep_settings(const Contest& contest, const Participant& program) {
    Sweep sweep;
    sweep.best.resize(contest.rules.size());
    int too_slow = 0;
    const Json settings = spread(program.settings, contest.options.settings);
    const auto total = static_cast<std::int64_t>(settings.size());
    for (std::int64_t i = 0; i < total && too_slow < patience && !contest.hooks.is_interrupted(); ++i) {
        const Json& setting = settings[static_cast<std::size_t>(i)];
        if (contest.options.quick && sweep.trials.size() >= quick_trials) break;
        const std::optional<std::size_t>& strictest = sweep.best.back();
        if (strictest && setting.at("work").get<double>() > worth_trying * sweep.trials[*strictest].work()) break;
        contest.hooks.progress(fmt::format("{} segments, {}", contest.rope.segments(), program.name), i, total);
        Trial trial = program.run(setting, contest.folder + "/trial", find_limits(contest, sweep, setting));
        const bool hopeless = trial.state == "failed" || (trial.state == "too slow" && !strictest);
        too_slow = hopeless ? too_slow + 1 : 0;
        take(contest, program.name, std::move(trial), sweep);
    }
    return sweep;
}

struct Entry {
    Participant program;
    Sweep sweep;
};

// Trials that may be the fastest under a rule.
std::vector<std::size_t> find_finalists(const Contest& contest, const Sweep& sweep, std::size_t rule) {
    std::vector<std::size_t> list;
    if (!sweep.best[rule]) return list;
    for (std::size_t i = 0; i < sweep.trials.size(); ++i) {
        const bool near = sweep.trials[i].cost < finalist * sweep.trials[*sweep.best[rule]].cost;
        if (near && counts(sweep.trials[i], contest.rope, contest.rules[rule])) list.push_back(i);
    }
    std::sort(list.begin(), list.end(),
              [&](std::size_t a, std::size_t b) { return sweep.trials[a].cost < sweep.trials[b].cost; });
    while (list.size() > finalists) list.pop_back();
    return list;
}

void run_again(const Contest& contest, const Participant& program, Trial& trial) {
    const Trial again = program.run(trial.setting, contest.folder + "/trial", {slowest, far_too_deep});
    if (again.state == "done" && again.cost < trial.cost) trial = again;
}

// The finalists of all programs take turns, so that what else the machine does meets all of them, and each keeps its
// best time.
void run_final(const Contest& contest, std::vector<Entry>& entries) {
    for (std::size_t rule = 0; rule < contest.rules.size(); ++rule) {
        std::vector<std::vector<std::size_t>> lists;
        lists.reserve(entries.size());
        for (const Entry& entry : entries) lists.push_back(find_finalists(contest, entry.sweep, rule));
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t e = 0; e < entries.size(); ++e) {
                contest.hooks.progress(fmt::format("{} segments, final", contest.rope.segments()), round, rounds);
                for (const std::size_t i : lists[e]) {
                    if (contest.hooks.is_interrupted()) return;
                    run_again(contest, entries[e].program, entries[e].sweep.trials[i]);
                }
            }
        }
        for (std::size_t e = 0; e < entries.size(); ++e) {
            Sweep& sweep = entries[e].sweep;
            for (const std::size_t i : lists[e]) {
                if (sweep.trials[i].cost < sweep.trials[*sweep.best[rule]].cost) sweep.best[rule] = i;
            }
        }
    }
}

// The fastest that counts; otherwise the least deep of those that went to their end, or were on the way there.
std::size_t pick(const Sweep& sweep, std::size_t rule) {
    if (sweep.best[rule]) return *sweep.best[rule];
    const auto rank = [](const Trial& t) { return t.state == "done" ? 0 : t.state == "too deep" ? 1 : 2; };
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < sweep.trials.size(); ++i) {
        const Trial &now = sweep.trials[chosen], &other = sweep.trials[i];
        const bool better =
            rank(other) < rank(now) || (rank(other) == rank(now) && other.verdict.worst < now.verdict.worst);
        if (better) chosen = i;
    }
    return chosen;
}

// A program without any setting that counts is shown at its least deep, so that one is run to its end.
void complete(const Contest& contest, const Participant& program, Sweep& sweep) {
    if (sweep.trials.empty() || sweep.best[0] || contest.hooks.is_interrupted()) return;
    Trial& trial = sweep.trials[pick(sweep, 0)];
    if (trial.state == "too deep") {
        trial = program.run(trial.setting, contest.folder + "/trial", {slowest, far_too_deep});
        keep_trajectory(contest, program.name);
    }
}

void add_rows(const Contest& contest, const Participant& program, const Sweep& sweep, Json& size) {
    if (sweep.trials.empty()) return;
    for (std::size_t r = 0; r < contest.rules.size(); ++r) {
        const Trial& trial = sweep.trials[pick(sweep, r)];
        Json row{{"rule", r}, {"program", program.name}, {"version", program.version}};
        row.update(to_json(trial, contest.rope));
        row["counts"] = sweep.best[r].has_value();
        size["rows"].push_back(row);
    }
    size["setups"][program.name] = program.setup;
    for (const Trial& trial : sweep.trials) size["trials"][program.name].push_back(to_json(trial, contest.rope));
}

void add_ratios(Json& size) {
    for (Json& row : size["rows"]) {
        row["ratio"] = nullptr;
        for (const Json& ours : size["rows"]) {
            if (ours["program"] != "plica" || ours["rule"] != row["rule"]) continue;
            if (ours["counts"] && row["counts"]) {
                row["ratio"] = row["seconds_per_second"].get<double>() / ours["seconds_per_second"].get<double>();
            }
        }
    }
}

// Those that take part. The benchmark goes on without the others and says why.
std::vector<Participant> find_peers(const Contest& contest, Json& missing) {
    std::vector<Participant> peers;
    for (const char* name : {"bullet", "mujoco", "mujoco-tree", "newton"}) {
        if (!is_wanted(contest.options, name)) continue;
        try {
            peers.push_back(make_peer(contest.options.programs, name, contest.folder + "/case.json", contest.rope));
        } catch (const Error& error) {
            missing.push_back({{"program", name}, {"why", error.what()}});
        }
    }
    return peers;
}

Json run_size(int segments, const Options& options, const Hooks& hooks) {
    const double seconds = options.seconds > 0.0 ? options.seconds : options.quick ? 1.0 : 4.0;
    const std::string folder = fmt::format("{}/self-collision-{}", options.folder, segments);
    Contest contest{options, hooks, {}, folder, {deepest}};
    // A run of one frame gives the case: the same start for everybody.
    contest.rope = run_pile(pile_overrides(segments, Growth::segment), 1e-3, [](int) { return false; }).rope;
    contest.rope.seconds = seconds;
    fs::create_directories(folder);
    write_case(contest.rope, folder + "/case.json");

    const Participant ours = make_plica(segments, contest.rope);
    hooks.progress(fmt::format("{} segments, plica at its defaults", segments), 0, 1);
    const Trial usual = ours.run({{"steps", 20}, {"work", 20}}, folder + "/trial", {slowest, far_too_deep});
    if (usual.verdict.worst < deepest) contest.rules.push_back(usual.verdict.worst);

    Json size{{"segments", segments},     {"simulated_s", seconds},
              {"rules", contest.rules},   {"plica_default", to_json(usual, contest.rope)},
              {"rows", Json::array()},    {"missing", Json::array()},
              {"setups", Json::object()}, {"trials", Json::object()}};
    std::vector<Entry> entries;
    if (is_wanted(options, "plica")) entries.push_back({ours, sweep_settings(contest, ours)});
    for (const Participant& peer : find_peers(contest, size["missing"])) {
        if (!hooks.is_interrupted()) entries.push_back({peer, sweep_settings(contest, peer)});
    }
    if (!options.quick) run_final(contest, entries);
    for (Entry& entry : entries) complete(contest, entry.program, entry.sweep);
    for (const Entry& entry : entries) add_rows(contest, entry.program, entry.sweep, size);
    fs::remove_all(folder + "/trial");
    add_ratios(size);
    return size;
}

}  // namespace

Result run_self_collision(const Options& options, const Hooks& hooks) {
    std::vector<int> sizes = options.sizes;
    if (sizes.empty()) sizes = options.quick ? std::vector{100} : std::vector{100, 200, 800};
    Result result;
    result.json = {{"benchmark", "self-collision"}, {"sizes", Json::array()}};
    for (const int segments : sizes) {
        if (hooks.is_interrupted()) break;
        const Json size = run_size(segments, options, hooks);
        if (!size["plica_default"]["counts"]) result.status = Status::failed;
        result.json["sizes"].push_back(size);
    }
    result.text = to_text(result.json);
    result.csv = to_csv(result.json);
    result.gnuplot = plot_commands();
    return result;
}

}  // namespace plica::bench
