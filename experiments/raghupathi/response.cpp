#include <fmt/format.h>

#include <algorithm>

#include "audit/verdict.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/trials.hpp"

// One pile under four responses, with steps from 1 to 33 ms. Only the response differs: the same detector, walls,
// tissue and number of sweeps; nothing is certified and the step is not refined.
namespace plica::experiments {
namespace {

struct Variant {
    const char* name;
    const char* response;
    bool friction;
};
constexpr Variant variants[] = {{"penalty", "penalty", false},
                                {"as printed", "raghupathi_printed", false},
                                {"corrected", "raghupathi", false},
                                {"ours without friction", "consistent", false},
                                {"ours", "consistent", true}};
constexpr std::size_t variant_count = std::size(variants);
enum : std::size_t { penalty, printed, corrected, ours_smooth, ours_whole };

constexpr double frame = 1.0 / 30.0;           // s, the scene's
constexpr double thickness = 0.04;             // m, of the scene's tube
constexpr double several = 2.0;                // thicknesses: what we take "several times" to be at least
constexpr double drop = 0.5;                   // s, a quick run
constexpr double sound_depth = 0.05;           // radii: an interpenetration that we call cancelled
constexpr double quiet_after_response = 0.01;  // m/s: a contact that we call resting

Trial make_response_trial(const Variant& variant, int substeps, double seconds) {
    Trial trial{"intestine-pile", {"solver.adapt=false", "solver.certify=false"}, 1, seconds};
    trial.overrides.push_back(fmt::format("solver.response={}", variant.response));
    trial.overrides.push_back(fmt::format("solver.substeps={}", substeps));
    if (!variant.friction) trial.overrides.emplace_back("contact.friction=0");
    return trial;
}

std::string step_ms(int substeps) {
    return fmt::format("{:.1f}", 1e3 * frame / substeps);
}

// Outcomes of all variants at each number of substeps, smallest step first.
struct Responses {
    std::vector<int> substeps;
    std::vector<Outcome> outcomes;

    [[nodiscard]] const Outcome& at(std::size_t variant, std::size_t step) const {
        return outcomes[step * variant_count + variant];
    }
    [[nodiscard]] const Outcome& at_largest(std::size_t variant) const { return at(variant, substeps.size() - 1); }
    [[nodiscard]] const Outcome& at_smallest(std::size_t variant) const { return at(variant, 0); }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Responses, substeps, outcomes)

bool passes_audit(const Outcome& o) {
    return !o.lost && o.pass_throughs == 0 && o.worst <= audit::deepest_allowed;
}

// How many of the steps, from the smallest on, pass the audit one after the other.
std::size_t count_sound_steps(const Responses& comparison, std::size_t variant) {
    std::size_t count = 0;
    while (count < comparison.substeps.size() && passes_audit(comparison.at(variant, count))) ++count;
    return count;
}
std::string largest_sound_step(const Responses& comparison, std::size_t variant) {
    const std::size_t count = count_sound_steps(comparison, variant);
    return count == 0 ? "none" : step_ms(comparison.substeps[count - 1]) + " ms";
}

Table full_table(const Responses& comparison) {
    Table table{"4 m of gut dropped into a bowl, 2 sweeps a step",
                {"step ms", "response", "worst depth / r", "depth at rest / r", "pass-throughs", "energy gain J",
                 "rest speed cm/s", "peak speed m/s"},
                {}};
    for (std::size_t i = 0; i < comparison.substeps.size(); ++i) {
        for (std::size_t v = 0; v < variant_count; ++v) {
            const Outcome& o = comparison.at(v, i);
            table.rows.push_back({step_ms(comparison.substeps[i]), variants[v].name, cell(o, o.worst),
                                  cell(o, o.settled), fmt::format("{}", o.pass_throughs), cell(o, o.energy_gain),
                                  cell(o, 100.0 * o.rest_speed, "{:.2f}"), cell(o, o.peak_speed, "{:.2f}")});
        }
    }
    return table;
}

bool is_always_lost(const Responses& comparison, std::size_t variant) {
    for (std::size_t i = 0; i < comparison.substeps.size(); ++i) {
        if (!comparison.at(variant, i).lost) return false;
    }
    return true;
}

// One column for each response, for gnuplot: worst depth, depth at rest, speed at rest, energy gain.
Table plot_responses(const Responses& comparison) {
    Table table{"", {"step"}, {}};
    for (int group = 0; group < 4; ++group) {
        for (std::size_t v = 0; v < variant_count; ++v) {
            table.columns.push_back(std::string(variants[v].name) + (is_always_lost(comparison, v) ? " (lost)" : ""));
        }
    }
    for (std::size_t i = 0; i < comparison.substeps.size(); ++i) {
        std::vector<std::string> row{step_ms(comparison.substeps[i])};
        const auto add = [&](double Outcome::* value, double scale) {
            for (std::size_t v = 0; v < variant_count; ++v) {
                const Outcome& o = comparison.at(v, i);
                row.push_back(o.lost ? "NaN" : fmt::format("{:.6g}", scale * (o.*value)));
            }
        };
        add(&Outcome::worst, 1.0);
        add(&Outcome::settled, 1.0);
        add(&Outcome::rest_speed, 100.0);
        add(&Outcome::energy_gain, 1.0);
        table.rows.push_back(std::move(row));
    }
    return table;
}

constexpr const char* response_commands = R"gp(
set terminal pngcairo size 1200,650 font 'sans,13' background 'white'
set multiplot layout 2,2 margins 0.06,0.75,0.06,0.86 spacing 0.08,0.15 \
    title "One pile under five responses, against the step (ms)"
set linetype 5 lc rgb "#c04000"
set logscale xy
set format y "10^{%L}"
set xtics (1, 1.7, 3.3, 6.7, 11, 17, 33)
set xrange [0.9:40]
at_least(x, low) = x < low ? low : x
draw(first, low) = sprintf("plot for [i=%d:%d] 'raghupathi-response.csv' using 1:(at_least(column(i), %g)) " . \
    "with linespoints lw 2 lc i-%d pt i-%d title columnheader(i)", first, first + 4, low, first - 1, first - 1)
set title "deepest penetration / radius"
set yrange [5e-3:5]
set key at screen 0.995,0.86 right top Left reverse samplen 2
eval draw(2, 1e-4)
unset key
set title "depth at rest / radius"
set yrange [5e-5:5]
eval draw(7, 1e-4)
set title "speed at rest (cm/s)"
set yrange [5e-4:1e4]
eval draw(12, 1e-3)
set title "energy gain (J)"
set yrange [5e-6:1e5]
eval draw(17, 1e-5)
unset multiplot
)gp";

Table sound_table(const Responses& comparison) {
    Table table{"largest step up to which the audit passes (no pass-through, depth at most half a radius)",
                {"response", "largest step"},
                {}};
    for (std::size_t v = 0; v < variant_count; ++v) {
        table.rows.push_back({variants[v].name, largest_sound_step(comparison, v)});
    }
    return table;
}

// Is there a stiffness that serves? Soft springs let the tubes in, stiff ones throw them.
struct PenaltyStudy {
    std::vector<int> substeps;
    std::vector<double> stiffness;
    std::vector<Outcome> outcomes;  // substeps x stiffness
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PenaltyStudy, substeps, stiffness, outcomes)

Table penalty_table(const PenaltyStudy& study) {
    Table table{"penalty springs of different stiffness",
                {"step ms", "stiffness N/m", "depth at rest / r", "pass-throughs", "rest speed cm/s",
                 "furthest in a step / thickness"},
                {}};
    for (std::size_t i = 0; i < study.outcomes.size(); ++i) {
        const Outcome& o = study.outcomes[i];
        const int substeps = study.substeps[i / study.stiffness.size()];
        table.rows.push_back({step_ms(substeps), fmt::format("{:.0f}", study.stiffness[i % study.stiffness.size()]),
                              cell(o, o.settled), fmt::format("{}", o.pass_throughs),
                              cell(o, 100.0 * o.rest_speed, "{:.2f}"),
                              fmt::format("{:.2f}", o.peak_speed * frame / substeps / thickness)});
    }
    return table;
}

Claim penalty_claim(const PenaltyStudy& study) {
    double furthest = 0.0;
    bool any_serves = false;
    for (std::size_t i = 0; i < study.outcomes.size(); ++i) {
        const int substeps = study.substeps[i / study.stiffness.size()];
        const Outcome& o = study.outcomes[i];
        if (substeps != study.substeps.back()) continue;  // the large step alone
        furthest = std::max(furthest, o.peak_speed * frame / substeps / thickness);
        any_serves = any_serves || passes_audit(o);
    }
    return judge(
        {"A penalty force that is effective in large steps displaces segments by several times their thickness and "
         "makes the system unstable.",
         "Raghupathi 2004, sec. 4.2",
         "However, this may cause segment displacements several times larger than their thickness, thus creating "
         "new collisions and instabilities.",
         "several thicknesses"},
        fmt::format("{:.1f} thicknesses in a step of {} ms; a stiffness that passes the audit there: {}", furthest,
                    step_ms(study.substeps.back()), any_serves ? "found" : "none"),
        "in the largest step a segment moves by two thicknesses or more, and no stiffness from 30 to 30,000 N/m "
        "passes the audit",
        furthest >= several && !any_serves,
        any_serves ? "A soft spring passes in this pile." : "No stiffness serves in the large step.");
}

std::string describe_response(const Outcome& o) {
    if (o.lost) return fmt::format("lost after {:.1f} s", o.lost_at);
    return fmt::format("{:.3f} r, {:.2g} cm/s", o.settled, 100.0 * o.rest_speed);
}

std::string compare_steps(const Responses& c, std::size_t variant) {
    return fmt::format("at rest {} at {} ms; {} at {} ms", describe_response(c.at_largest(variant)),
                       step_ms(c.substeps.back()), describe_response(c.at_smallest(variant)),
                       step_ms(c.substeps.front()));
}

bool rests(const Outcome& o) {
    return passes_audit(o) && o.settled <= sound_depth && o.rest_speed <= quiet_after_response;
}

std::vector<Claim> response_claims(const Responses& c, const PenaltyStudy& study) {
    std::vector<Claim> claims{penalty_claim(study)};
    claims.push_back(judge(
        {"Stability is lower with the penalty method than with displacements and velocities.",
         "Raghupathi 2003, sec. 4.2",
         "In our simulations, we observed that the stability of the system was reduced when we applied penalty and "
         "constraint methods.",
         "reduced"},
        fmt::format("audit passes up to: penalty {}, corrected equations {}", largest_sound_step(c, penalty),
                    largest_sound_step(c, corrected)),
        "the largest step up to which the audit passes is shorter with penalty springs",
        count_sound_steps(c, penalty) < count_sound_steps(c, corrected),
        "For the equations with their signs corrected."));
    const Said cancels{"The response cancels interpenetration at once and keeps a resting contact without bouncing",
                       "Raghupathi 2004, sec. 4.2, eq. 4 to 9",
                       "Instead, our new method alters the displacements and velocities such that it instantaneously "
                       "cancels the interpenetration while keeping a resting contact between the two colliding bodies "
                       "with no bouncing effects.",
                       "0 r, no bouncing"};
    const char* criterion =
        "at the smallest and the largest step the audit passes, and a pile at rest is at most 0.05 r "
        "deep and slower than 1 cm/s";
    Said printed_says = cancels, corrected_says = cancels;
    printed_says.text += ": eq. 4 to 9 as printed.";
    corrected_says.text += ": with the signs of eq. 4 and 9 corrected.";
    claims.push_back(judge(printed_says, compare_steps(c, printed), criterion,
                           rests(c.at_smallest(printed)) && rests(c.at_largest(printed)),
                           "Eq. 4 pushes both segments the same way, eq. 9 by 2 d too far."));
    claims.push_back(
        judge(corrected_says, compare_steps(c, corrected), criterion,
              rests(c.at_smallest(corrected)) && rests(c.at_largest(corrected)),
              "One pair at a time does; in a pile each correction undoes another, and in large steps a few "
              "sweeps do not settle them."));
    std::size_t shallower = 0;
    for (std::size_t i = 0; i < c.substeps.size(); ++i) {
        shallower += c.at(ours_whole, i).settled <= c.at(corrected, i).settled ? 1U : 0U;
    }
    claims.push_back(
        promise("Ours (velocities taken from the corrected positions, loads carried over) leaves less depth at "
                "rest than the corrected equations.",
                "at every step",
                fmt::format("in {} of {} steps; {}", shallower, c.substeps.size(), compare_steps(c, ours_whole)),
                shallower == c.substeps.size(),
                "In the largest step no response holds: the product refines such steps, which is off here."));
    return claims;
}

}  // namespace

Result run_raghupathi_response(const ExperimentOptions& options) {
    Responses comparison;
    comparison.substeps = options.quick ? std::vector<int>{20, 2} : std::vector<int>{33, 20, 10, 5, 3, 2, 1};
    PenaltyStudy study;
    study.substeps = options.quick ? std::vector<int>{2} : std::vector<int>{33, 10, 1};
    study.stiffness =
        options.quick ? std::vector<double>{300.0, 3000.0} : std::vector<double>{30.0, 300.0, 3000.0, 30000.0};
    const double seconds = options.quick ? drop : 8.0;

    std::vector<Trial> trials;
    for (const int substeps : comparison.substeps) {
        for (const Variant& variant : variants) trials.push_back(make_response_trial(variant, substeps, seconds));
    }
    const std::size_t compared = trials.size();
    for (const int substeps : study.substeps) {
        for (const double stiffness : study.stiffness) {
            trials.push_back(make_response_trial(variants[penalty], substeps, seconds));
            trials.back().overrides.push_back(fmt::format("contact.penalty_stiffness={}", stiffness));
        }
    }
    const std::vector<Outcome> outcomes = run_trials(trials, options.progress);
    const auto split = outcomes.begin() + static_cast<std::ptrdiff_t>(compared);
    comparison.outcomes.assign(outcomes.begin(), split);
    study.outcomes.assign(split, outcomes.end());

    Result result;
    result.tables = {full_table(comparison), sound_table(comparison), penalty_table(study)};
    result.plots = plot(options.folder, "raghupathi-response", plot_responses(comparison), response_commands);
    result.measured = {{"responses", comparison}, {"penalty", study}};
    result.notes = {"The papers print neither their step nor the number of sweeps: ours are the scene's.",
                    "lost: a position was not a number, or further than 10 m from the bowl.",
                    "A run loses energy by drag and by impacts that do not bounce: what it gains, the response made."};
    return result;
}

std::vector<Claim> judge_raghupathi_response(const Measurements& m) {
    return unless_quick(m, response_claims(m.at("responses"), m.at("penalty")));
}

}  // namespace plica::experiments
