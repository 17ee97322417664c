#include <fmt/format.h>

#include <algorithm>

#include "audit/verdict.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/trials.hpp"

// One pile under six responses, with steps from 1 to 33 ms. Only the response differs: the same detector, walls,
// tissue and number of sweeps; nothing is certified and the step is not refined.
namespace plica::experiments {
namespace {

struct Variant {
    const char* name;
    const char* response;
    bool friction;
};
constexpr Variant variants[] = {{"penalty", "penalty", false},
                                {"reaction constraints", "reaction", false},
                                {"as printed", "raghupathi_printed", false},
                                {"corrected", "raghupathi", false},
                                {"ours without friction", "consistent", false},
                                {"ours", "consistent", true}};
constexpr std::size_t variant_count = std::size(variants);
enum : std::size_t { penalty, reaction, printed, corrected, ours_smooth, ours_whole };

constexpr double frame = 1.0 / 30.0;           // s, the scene's
constexpr double thickness = 0.04;             // m, of the scene's tube
constexpr double borne_rate = 0.3;             // of a reaction, over a step: a pair by itself bears 0.83
constexpr double several = 2.0;                // thicknesses: what we take "several times" to be at least
constexpr double drop = 0.5;                   // s, a quick run
constexpr double sound_depth = 0.05;           // radii: an interpenetration that we call cancelled
constexpr double quiet_after_response = 0.01;  // m/s: a contact that we call resting

Trial make_response_trial(const Variant& variant, int substeps, double seconds) {
    Trial trial{"intestine-pile", {"solver.adapt=false", "solver.certify=false"}, 1, seconds};
    trial.overrides.push_back(fmt::format("solver.response={}", variant.response));
    trial.overrides.push_back(fmt::format("solver.substeps={}", substeps));
    trial.overrides.push_back(fmt::format("contact.reaction_rate={}", borne_rate * substeps / frame));
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
    title "One pile under six responses, against the step (ms)"
set linetype 5 lc rgb "#606060"
set linetype 6 lc rgb "#c04000"
set logscale xy
set format y "10^{%L}"
set xtics (1, 1.7, 3.3, 6.7, 11, 17, 33)
set xrange [0.9:40]
at_least(x, low) = x < low ? low : x
draw(first, low) = sprintf("plot for [i=%d:%d] 'raghupathi-response.csv' using 1:(at_least(column(i), %g)) " . \
    "with linespoints lw 2 lc i-%d pt i-%d title columnheader(i)", first, first + 5, low, first - 1, first - 1)
set title "deepest penetration / radius"
set yrange [5e-3:5]
set key at screen 0.995,0.86 right top Left reverse samplen 2
eval draw(2, 1e-4)
unset key
set title "depth at rest / radius"
set yrange [5e-5:5]
eval draw(8, 1e-4)
set title "speed at rest (cm/s)"
set yrange [5e-4:1e4]
eval draw(14, 1e-3)
set title "energy gain (J)"
set yrange [5e-6:1e5]
eval draw(20, 1e-5)
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

// Is there a strength, of springs (N/m) or of reactions (1/s), that serves? Weak ones let the tubes in, strong ones
// throw them.
struct StrengthStudy {
    std::vector<int> substeps;
    std::vector<double> strength;
    std::vector<Outcome> outcomes;  // substeps x strength
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StrengthStudy, substeps, strength, outcomes)

Table strength_table(const StrengthStudy& study, const char* title, const char* strength) {
    Table table{title,
                {"step ms", strength, "depth at rest / r", "pass-throughs", "rest speed cm/s",
                 "furthest in a step / thickness"},
                {}};
    for (std::size_t i = 0; i < study.outcomes.size(); ++i) {
        const Outcome& o = study.outcomes[i];
        const int substeps = study.substeps[i / study.strength.size()];
        table.rows.push_back({step_ms(substeps), fmt::format("{:.0f}", study.strength[i % study.strength.size()]),
                              cell(o, o.settled), fmt::format("{}", o.pass_throughs),
                              cell(o, 100.0 * o.rest_speed, "{:.2f}"),
                              fmt::format("{:.2f}", o.peak_speed * frame / substeps / thickness)});
    }
    return table;
}

Claim strength_claim(const StrengthStudy& study, const char* force, const char* strengths) {
    double furthest = 0.0;
    bool any_serves = false;
    for (std::size_t i = 0; i < study.outcomes.size(); ++i) {
        const int substeps = study.substeps[i / study.strength.size()];
        const Outcome& o = study.outcomes[i];
        if (substeps != study.substeps.back()) continue;  // the large step alone
        furthest = std::max(furthest, o.peak_speed * frame / substeps / thickness);
        any_serves = any_serves || passes_audit(o);
    }
    return judge(
        {fmt::format("A {} force that is effective in large steps displaces segments by several times their thickness "
                     "and makes the system unstable.",
                     force),
         "Raghupathi 2004, sec. 4.2",
         "However, this may cause segment displacements several times larger than their thickness, thus creating "
         "new collisions and instabilities.",
         "several thicknesses"},
        fmt::format("{:.1f} thicknesses in a step of {} ms; a strength that passes the audit there: {}", furthest,
                    step_ms(study.substeps.back()), any_serves ? "found" : "none"),
        fmt::format("in the largest step a segment moves by two thicknesses or more, and none {} passes the audit",
                    strengths),
        furthest >= several && !any_serves,
        any_serves ? "A weak one passes in this pile." : "None serves in the large step.");
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

Claim stability_lost(const Responses& c, std::size_t variant, const char* method) {
    return judge(
        {fmt::format("Stability is lower with {} than with displacements and velocities.", method),
         "Raghupathi 2003, sec. 4.2",
         "In our simulations, we observed that the stability of the system was reduced when we applied penalty "
         "and constraint methods.",
         "reduced"},
        fmt::format("audit passes up to: {} {}, corrected equations {}", variants[variant].name,
                    largest_sound_step(c, variant), largest_sound_step(c, corrected)),
        "the largest step up to which the audit passes is shorter",
        count_sound_steps(c, variant) < count_sound_steps(c, corrected),
        "For the equations with their signs corrected.");
}

std::vector<Claim> response_claims(const Measurements& m) {
    const Responses c = m.at("responses");
    std::vector<Claim> claims{strength_claim(m.at("penalty"), "penalty", "from 30 to 30,000 N/m"),
                              strength_claim(m.at("reaction"), "reaction", "from 3 to 300 1/s"),
                              stability_lost(c, penalty, "the penalty method"),
                              stability_lost(c, reaction, "reaction constraints")};
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

void add_strengths(const StrengthStudy& study, std::size_t variant, const char* key, double seconds,
                   std::vector<Trial>& trials) {
    for (const int substeps : study.substeps) {
        for (const double strength : study.strength) {
            trials.push_back(make_response_trial(variants[variant], substeps, seconds));
            trials.back().overrides.push_back(fmt::format("{}={}", key, strength));
        }
    }
}

}  // namespace

Result run_raghupathi_response(const ExperimentOptions& options) {
    Responses comparison;
    comparison.substeps = options.quick ? std::vector<int>{20, 2} : std::vector<int>{33, 20, 10, 5, 3, 2, 1};
    const bool quick = options.quick;
    const std::vector<int> steps = quick ? std::vector<int>{2} : std::vector<int>{33, 10, 1};
    StrengthStudy springs{steps, quick ? std::vector<double>{300, 3000} : std::vector<double>{30, 300, 3000, 3e4}, {}};
    StrengthStudy reactions{steps, quick ? std::vector<double>{10, 100} : std::vector<double>{3, 10, 30, 100, 300}, {}};
    const double seconds = quick ? drop : 8.0;

    std::vector<Trial> trials;
    for (const int substeps : comparison.substeps) {
        for (const Variant& variant : variants) trials.push_back(make_response_trial(variant, substeps, seconds));
    }
    const std::size_t compared = trials.size();
    add_strengths(springs, penalty, "contact.penalty_stiffness", seconds, trials);
    const std::size_t sprung = trials.size();
    add_strengths(reactions, reaction, "contact.reaction_rate", seconds, trials);
    const std::vector<Outcome> outcomes = run_trials(trials, options.progress);
    const auto at = [&](std::size_t i) { return outcomes.begin() + static_cast<std::ptrdiff_t>(i); };
    comparison.outcomes.assign(at(0), at(compared));
    springs.outcomes.assign(at(compared), at(sprung));
    reactions.outcomes.assign(at(sprung), outcomes.end());

    Result result;
    result.tables = {full_table(comparison), sound_table(comparison),
                     strength_table(springs, "penalty springs of different stiffness", "stiffness N/m"),
                     strength_table(reactions, "reaction constraints of different rate", "rate 1/s")};
    result.plots = plot(options.folder, "raghupathi-response", plot_responses(comparison), response_commands);
    result.measured = {{"responses", comparison}, {"penalty", springs}, {"reaction", reactions}};
    result.notes = {
        "The papers print neither their step nor the number of sweeps: ours are the scene's.",
        "lost: a position was not a number, or further than 10 m from the bowl.",
        "Reaction constraints, Platt and Barr 1988: what other forces do to the gap of a pair that overlaps is "
        "replaced by critically damped motion at a rate, 0.3 over the step where no other is told; all "
        "pairs at once.",
        "A run loses energy by drag and by impacts that do not bounce: what it gains, the response made."};
    return result;
}

std::vector<Claim> judge_raghupathi_response(const Measurements& m) {
    return unless_quick(m, response_claims(m));
}

}  // namespace plica::experiments
