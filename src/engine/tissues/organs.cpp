#include "engine/tissues/organs.hpp"

#include <algorithm>
#include <cmath>

#include "engine/slice.hpp"
#include "tissue/tled/fields.hpp"
#include "tissue/tled/limit.hpp"

namespace plica {
namespace {

constexpr double safe_share = 0.9;                   // of the longest stable substep
constexpr std::int32_t substeps_between_looks = 40;  // at that
constexpr int first_cycles = 40, later_cycles = 1;   // of looking at it
constexpr double tolerance = 0.01;
constexpr std::int32_t substeps_a_measure = 20;
constexpr double largest_volume_ratio = 20.0;

double time_of(const Model& model, const State& state, double h, int k) {
    return static_cast<double>(state.step) * model.dt + k * h;
}

void look_at_limit(const tled::Organ& organ, const Model& model, int cycles, ThreadPool& pool, const State& state,
                   tled::OrganState& own, tled::Workspace& work, std::span<Vec3> spare) {
    const double found =
        tled::estimate_step(organ, slice(organ, model.rest), slice(organ, state.x), slice(organ, model.inverse_mass),
                            own.history, cycles, tolerance, pool, work, own.mode, spare);
    own.numbers.limit = found > 0.0 ? found : model.dt;  // an organ that is held everywhere bears any
    own.numbers.age = 0;
}

// Damping as step_organ() does it shortens the longest stable step: (omega h)^2 <= 2 (1 + exp(-a h)).
double damped_limit(const Model& model, const tled::Organ& organ, const tled::OrganState& own) {
    const double damping = organ.damping + model.drag + (organ.relax ? own.numbers.damping : 0.0);
    return own.numbers.limit * std::sqrt(0.5 * (1.0 + std::exp(-damping * own.numbers.limit)));
}

// About every so many substeps relaxation looks at an organ, however few of them a step has.
bool is_measured(const Model& model, const State& state, double h, int k) {
    const auto substeps = static_cast<int>(std::lround(model.dt / h));
    if (substeps >= substeps_a_measure) return k % substeps_a_measure == 0;
    const auto steps = static_cast<std::uint64_t>((substeps_a_measure + substeps - 1) / substeps);
    return k == substeps && state.step % steps == 0;
}

// Each substep sees the places it starts from; where the last one ended is seen by nobody yet.
void see_end(const tled::Organ& organ, const Model& model, ThreadPool& pool, const State& state,
             const tled::OrganState& own, tled::Workspace& work, tled::Extremes& seen) {
    tled::compute_forces(organ, slice(organ, model.rest), slice(organ, state.x), 0.0, own.history, pool, work);
    const tled::Extremes now = tled::find_extremes(organ, work);
    seen = {std::min(seen.least, now.least), std::max(seen.most, now.most)};
}

bool is_sound(double least, double most) {
    return least > tled::least_volume_ratio && most < largest_volume_ratio;
}

struct WorstCells {
    std::size_t smallest = 0, largest = 0;  // by what is left of their volume
};
WorstCells find_worst_cells(const tled::Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x) {
    WorstCells worst;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        const double ratio = tled::compute_volume_ratio(organ, c, rest, x);
        if (!(ratio <= most)) {  // not a number: the largest of all
            most = std::isfinite(ratio) ? ratio : HUGE_VAL;
            worst.largest = c;
        }
        if (ratio < least) {
            least = ratio;
            worst.smallest = c;
        }
    }
    return worst;
}

}  // namespace

void prepare_organs(const Model& model, Isa isa, ThreadPool& pool, State& state, Scratch& scratch) {
    scratch.organs.resize(model.organs.size());
    scratch.organ_extremes.resize(model.organs.size());
    state.organs.resize(model.organs.size());
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        const tled::Organ& organ = model.organs[i];
        tled::OrganState& own = state.organs[i];
        tled::prepare(organ, scratch.organs[i], isa);
        own.history.single.resize(organ.settings.exact ? 0 : organ.history);
        own.history.exact.resize(organ.settings.exact ? organ.history : 0);
        if (own.numbers.limit > 0.0) continue;
        look_at_limit(organ, model, first_cycles, pool, state, own, scratch.organs[i], slice(organ, scratch.p));
    }
}

int count_organ_substeps(const Model& model, const State& state) {
    double shortest = model.dt;
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        shortest = std::min(shortest, safe_share * damped_limit(model, model.organs[i], state.organs[i]));
    }
    const int needed = static_cast<int>(std::ceil(model.dt / shortest - 1e-9));
    // What the last step took is kept while it is enough and not far too much: each change costs a little accuracy, and
    // what it needed more for may not be over.
    const auto last = static_cast<int>(state.substeps);
    if (model.organs.empty() || last <= needed) return needed;
    return last <= needed + needed / 3 ? last : std::max(needed, last - last / 8);
}

bool predict_organs(const Model& model, const Inputs& inputs, double h, double last_h, int k, ThreadPool& pool,
                    State& state, Scratch& scratch) {
    bool sound = true;
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        const tled::Organ& organ = model.organs[i];
        const tled::OrganStep step{slice(organ, model.rest),
                                   slice(organ, state.x),
                                   slice(organ, state.v),
                                   slice(organ, model.inverse_mass),
                                   inputs.gravity,
                                   model.drag,
                                   time_of(model, state, h, k - 1),
                                   h,
                                   last_h,
                                   is_measured(model, state, h, k)};
        tled::step_organ(organ, step, pool, state.organs[i], scratch.organs[i], slice(organ, scratch.p));
        const tled::Extremes now = tled::find_extremes(organ, scratch.organs[i]);
        tled::Extremes& seen = scratch.organ_extremes[i];
        seen = k == 1 ? now : tled::Extremes{std::min(seen.least, now.least), std::max(seen.most, now.most)};
        sound = sound && is_sound(now.least, now.most);
    }
    return sound;
}

void keep_motions(const Model& model, double h, int k, const State& state, Scratch& scratch) {
    for (const tled::Organ& organ : model.organs) {
        if (organ.held.empty()) continue;
        apply_motions(organ.motions, time_of(model, state, h, k), slice(organ, model.rest), slice(organ, scratch.p));
    }
}

bool have_organs_held(const Model& model, double h, int substeps, ThreadPool& pool, State& state, Scratch& scratch) {
    bool held = true;
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        const tled::Organ& organ = model.organs[i];
        tled::OrganState& own = state.organs[i];
        tled::Extremes& seen = scratch.organ_extremes[i];
        for (const Vec3& x : slice(organ, state.x)) held = held && is_finite(x);
        if (held) see_end(organ, model, pool, state, own, scratch.organs[i], seen);
        held = held && is_sound(seen.least, seen.most);
        own.numbers.age += substeps;
        if (!held || own.numbers.age < substeps_between_looks) continue;
        look_at_limit(organ, model, later_cycles, pool, state, own, scratch.organs[i], slice(organ, scratch.p));
        held = h <= damped_limit(model, organ, own);
    }
    return held;
}

int count_more_substeps(const Model& model, int substeps, const State& failed, State& from) {
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        from.organs[i].numbers.limit = std::min(from.organs[i].numbers.limit, failed.organs[i].numbers.limit);
    }
    const int needed = count_organ_substeps(model, from);
    return needed > substeps ? needed : 2 * substeps;
}

void flag_organs(const Model& model, double h, const State& state, const Scratch& scratch, StepReport& report) {
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        const tled::Organ& organ = model.organs[i];
        const tled::Extremes& seen = scratch.organ_extremes[i];
        bool sound = is_sound(seen.least, seen.most) && h <= damped_limit(model, organ, state.organs[i]);
        for (const Vec3& x : slice(organ, state.x)) sound = sound && is_finite(x);
        if (sound) continue;  // another one failed
        const std::int32_t body = model.find_body(organ.first_node);
        const WorstCells worst = find_worst_cells(organ, slice(organ, model.rest), slice(organ, state.x));
        // A cell may have come back by the end of the step: what counts is the worst that was seen.
        const bool lost = seen.least <= tled::least_volume_ratio;
        if (lost) report.raise(FlagKind::inverted, body, organ.source[worst.smallest]);
        if (!lost || !(seen.most < largest_volume_ratio))
            report.raise(FlagKind::unstable, body, organ.source[worst.largest]);
    }
}

bool are_at_rest(const Model& model, const State& state) {
    bool any = false, all = true;
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        if (!model.organs[i].relax) continue;
        any = true;
        all = all && state.organs[i].numbers.calm >= tled::calm_steps;
    }
    return any && all;
}

}  // namespace plica
