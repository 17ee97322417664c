#include <algorithm>
#include <iterator>
#include <tuple>

#include "audit/verdict.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/whole_trials.hpp"

// The papers' system as one: pairs by chance, the mesentery by its edges, their response and their rate together, as a
// viewer saw it. Each part has an experiment of its own, where the others are ours.
namespace plica::experiments {
namespace {

constexpr double frame_of_2004 = 1.0 / 30.0;  // s
constexpr double quiet_whole = 0.01;          // m/s, rms: what we call stable
constexpr double deepest_of_ours = 0.12;      // in radii, of the acceptance of whole scenes

std::string found_cell(const WholeOutcome& o, const RegionsFound& found) {
    return o.by_chance ? percent(found.share()) : "all tested";
}

Table whole_table(const std::vector<WholeOutcome>& outcomes) {
    Table table{"gut and mesentery on a plane, pulled by a probe, `paper` anatomy, 12 s",
                {"system", "gut regions found", "mesentery regions found", "worst depth / r", "depth at rest / r",
                 "pass-throughs", "of them gut-gut", "pierced pairs x frames", "at the end", "rest speed cm/s",
                 "turning back %", "frame ms (CPU)", "slowest of 100 ms"},
                {}};
    for (const WholeOutcome& o : outcomes) {
        table.rows.push_back({o.name + (o.lost ? " (lost)" : ""), found_cell(o, o.gut), found_cell(o, o.mesentery),
                              number(o.worst, 3), number(o.settled, 3), count(o.through), count(o.gut_through),
                              count(o.pierced), count(o.pierced_end), number(100.0 * o.speed, 2),
                              number(100.0 * o.reversals), number(1e3 * o.seconds, 2), number(1e3 * o.slowest, 2)});
    }
    return table;
}

// Time, then depth, share found and speed of each run that is drawn.
Table plot_frames(const std::vector<WholeRun>& runs, const std::vector<std::string>& names) {
    Table table{"", {"time"}, {}};
    for (int group = 0; group < 3; ++group) table.columns.insert(table.columns.end(), names.begin(), names.end());
    std::size_t most = 0;
    for (const WholeRun& run : runs) most = std::max(most, run.frames.size());
    for (std::size_t i = 0; i < most; ++i) {
        std::vector<std::string> row{number(frame_of_2004 * static_cast<double>(i + 1), 4)};
        const auto add = [&](double WholeFrame::* value, double scale) {
            for (const WholeRun& run : runs) {
                row.push_back(i < run.frames.size() ? fmt::format("{:.5g}", scale * (run.frames[i].*value)) : "NaN");
            }
        };
        add(&WholeFrame::depth, 1.0);
        add(&WholeFrame::found, 100.0);
        add(&WholeFrame::speed, 100.0);
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string whole_commands(std::size_t n) {
    const auto panel = [&](const char* title, const char* settings, std::size_t group) {
        return fmt::format(
            "set title '{}'\n{}\nplot for [i={}:{}] 'raghupathi-whole.csv' using 1:i with lines lw 1.5 lc i-{} "
            "title columnheader(i)\n",
            title, settings, 2 + group * n, 1 + (group + 1) * n, 1 + group * n);
    };
    return "set terminal pngcairo size 1200,850 font 'sans,13' background 'white'\n"
           "set multiplot layout 3,1 margins 0.07,0.98,0.13,0.95 spacing 0.05,0.07\n"
           "set linetype 1 lc rgb '#c04000'\nset linetype 2 lc rgb '#e0a000'\nset linetype 3 lc rgb '#7a5fae'\n"
           "set linetype 4 lc rgb '#1f5fae'\nset xrange [0:12]\nset grid\nunset key\nset format x ''\n" +
           panel("deepest penetration in each frame / radius (2: axes meet)", "set yrange [0:2.05]", 0) +
           panel("colliding regions found in each frame (%)", "set yrange [0:104]", 1) +
           panel("speed (cm/s, rms over the nodes)",
                 "set yrange [0.1:300]\nset logscale y\nset format x '%g'\nset xlabel 'time (s)'\n"
                 "set key at screen 0.5,0.02 center bottom horizontal maxrows 1 samplen 2",
                 2) +
           "unset multiplot\n";
}

std::string audit_text(const WholeOutcome& o) {
    if (o.lost) return o.name + ": lost";
    return fmt::format(
        "{}: {:.2f} r deep at the worst, {:.2f} r at rest, {} pass-throughs, {} triangles pierced at "
        "the end",
        o.name, o.worst, o.settled, o.through, o.pierced_end);
}

bool keeps_apart(const WholeOutcome& o) {
    return !o.lost && o.through == 0 && o.pierced == 0 && o.worst <= audit::deepest_allowed;
}

// Theirs in all that they tell, the first, and what differs from it in n, sweeps and steps.
std::vector<WholeOutcome> theirs_of(const std::vector<WholeOutcome>& outcomes) {
    std::vector<WholeOutcome> theirs{outcomes.front()};
    std::copy_if(outcomes.begin() + 1, outcomes.end() - 1, std::back_inserter(theirs),
                 [](const WholeOutcome& o) { return o.by_chance; });
    return theirs;
}

// The one of theirs that a viewer would have liked best.
const WholeOutcome& best_of(const std::vector<WholeOutcome>& theirs) {
    return *std::min_element(theirs.begin(), theirs.end(), [](const WholeOutcome& a, const WholeOutcome& b) {
        return std::tuple(a.lost, a.through + a.pierced, a.worst) < std::tuple(b.lost, b.through + b.pierced, b.worst);
    });
}

const char* const any_setting = "with one at least of the numbers of draws, sweeps and steps that were tried: ";

Claim regions_claim(const std::vector<WholeOutcome>& theirs) {
    const auto found_all = [](const WholeOutcome& o) {
        return !o.lost && o.gut.held == o.gut.regions && o.mesentery.held == o.mesentery.regions;
    };
    std::string ours;
    for (const WholeOutcome& o : theirs) {
        ours += fmt::format("{}{}: {} of gut against gut, {} of gut against mesentery", ours.empty() ? "" : "; ",
                            o.name, percent(o.gut.share()), percent(o.mesentery.share()));
    }
    return judge(
        {"As a whole, all regions of collision in intestine and mesentery are determined.", "Raghupathi 2003, sec. 6",
         "We have developed a model which can accurately determine all the active regions of self-collisions "
         "in the intestine and the mesentery.",
         "all"},
        ours, any_setting + std::string("every region that brute force finds, in every frame"),
        std::any_of(theirs.begin(), theirs.end(), found_all),
        "What is missed is entered, and then there is more to find.");
}

Claim interpenetration_claim(const std::vector<WholeOutcome>& theirs, const std::vector<WholeOutcome>& others) {
    const auto sound = std::find_if(others.begin(), others.end(), keeps_apart);
    const bool holds = std::any_of(theirs.begin(), theirs.end(), keeps_apart);
    return with_plot(
        judge({"As a whole, the animations show no interpenetration.", "Raghupathi 2003, sec. 5.1",
               "The resulting animations also showed no interpenetration with realistic collision response.",
               "none seen"},
              audit_text(theirs.front()) + "; at best " + audit_text(best_of(theirs)),
              any_setting +
                  std::string("nothing goes through anything, no triangle is pierced, at most half a radius deep"),
              holds,
              sound == others.end() ? "Nor does it hold with their response and all pairs."
                                    : fmt::format("It holds for \"{}\".", sound->name)),
        "theirs-short-rest.png");
}

Claim gut_claim(const std::vector<WholeOutcome>& theirs) {
    std::string ours;
    bool holds = false;
    for (const WholeOutcome& o : theirs) {
        ours += fmt::format("{}{}: {}", ours.empty() ? "pass-throughs of gut through gut: " : "; ", o.name,
                            o.lost ? "lost" : count(o.gut_through));
        holds = holds || (!o.lost && o.gut_through == 0);
    }
    return judge({"As a whole, no collision of gut with gut is missed.", "Raghupathi 2004, sec. 7",
                  "Note that this technique worked well for intestine-intestine collisions and we do not see any "
                  "collisions missed here.",
                  "none seen"},
                 ours, any_setting + std::string("as the paper saw it, no gut goes through gut"), holds,
                 "Their own gut, mesentery, detector, response and step; raghupathi2004-fig13 has them one by one.");
}

Claim stability_claim(const std::vector<WholeOutcome>& theirs) {
    std::string ours;
    bool holds = false;
    for (const WholeOutcome& o : theirs) {
        ours += fmt::format("{}{}: {:.2g} cm/s, {:.0f} % turn back", ours.empty() ? "" : "; ", o.name, 100.0 * o.speed,
                            100.0 * o.reversals);
        holds = holds || (!o.lost && o.speed < quiet_whole);
    }
    return judge(
        {"As a whole, the response is stable.", "Raghupathi 2004, sec. 8",
         "The collision model efficiently determines all the active colliding regions and provides a realistic "
         "and stable response.",
         "stable"},
        ours, any_setting + std::string("two to four seconds after the probe let go, slower than 1 cm/s (rms)"), holds,
        "With \"some undesired vibrations\" (sec. 7): what still moves turns back from frame to frame.");
}

Claim whole_rate_claim(const std::vector<WholeOutcome>& theirs, const WholeOutcome& ours) {
    const WholeOutcome &first = theirs.front(), &best = best_of(theirs);
    std::string text;
    for (const WholeOutcome* o : {&first, &best, &ours}) {
        text += fmt::format("{}{}: {:.0f} Hz, {:.0f} Hz in one frame of a hundred", text.empty() ? "" : "; ", o->name,
                            1.0 / o->seconds, 1.0 / o->slowest);
    }
    return compare_not({"The system runs at 30 Hz on a standard PC.", "Raghupathi 2004, sec. 7",
                        "The results were fast enough to run at 30 Hz on a standard PC and the overall behavior was "
                        "good.",
                        "30 Hz"},
                       text, "Two processors of 1.2 GHz then, one core of today now.");
}

}  // namespace

Result run_raghupathi_whole(const ExperimentOptions& options) {
    Result result;
    Album album(options, result);
    const std::vector<WholeWay> ways = whole_ways(options.quick);
    std::vector<WholeOutcome> outcomes;
    std::vector<WholeRun> drawn;
    std::vector<std::string> names;
    for (const WholeWay& way : ways) {
        WholeRun run = run_whole(way, options.quick ? 0.03 : 1.0, album);
        outcomes.push_back(run.outcome);
        options.progress(static_cast<double>(outcomes.size()) / static_cast<double>(ways.size()));
        if (way.file.empty()) continue;
        drawn.push_back(std::move(run));
        names.push_back(way.name);
    }
    result.tables = {whole_table(outcomes)};
    for (std::string& file :
         plot(options.folder, "raghupathi-whole", plot_frames(drawn, names), whole_commands(drawn.size()))) {
        result.plots.push_back(std::move(file));
    }
    result.measured = {{"outcomes", outcomes}};
    result.notes = {
        "Theirs: 4 x 100 masses, pairs by chance with n as told (N = 99 segments; as many again of tubes and edges), "
        "mesentery by its edges, eq. 4 to 9 with corrected signs; where nothing else is told n = N, one step a frame "
        "and "
        "ten sweeps over a list that is found once a step. They print neither n, nor the step, nor the number of "
        "sweeps.",
        "What is not theirs: the implicit solve of the springs, which they do not publish.",
        "Turning back: of the nodes faster than 1 cm/s at rest, from frame to frame."};
    return result;
}

std::vector<Claim> judge_raghupathi_whole(const Measurements& m) {
    const std::vector<WholeOutcome> outcomes = m.at("outcomes"), theirs = theirs_of(outcomes);
    const WholeOutcome& ours = outcomes.back();
    std::vector<WholeOutcome> others;  // their response, all pairs
    std::copy_if(outcomes.begin(), outcomes.end() - 1, std::back_inserter(others),
                 [](const WholeOutcome& o) { return !o.by_chance; });
    return unless_quick(
        m, {regions_claim(theirs), interpenetration_claim(theirs, others), gut_claim(theirs), stability_claim(theirs),
            whole_rate_claim(theirs, ours),
            with_plot(
                promise("Ours, on the same anatomy at the same frame rate, keeps everything apart and comes to rest.",
                        "no pass-through, none pierced, at most 0.12 r deep, slower than 1 cm/s in the last 2 s",
                        audit_text(ours) + fmt::format(", {:.2g} cm/s", 100.0 * ours.speed),
                        keeps_apart(ours) && ours.worst <= deepest_of_ours && ours.speed < quiet_whole),
                "ours-rest.png")});
}

}  // namespace plica::experiments
