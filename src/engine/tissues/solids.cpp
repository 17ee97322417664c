#include "engine/tissues/solids.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "engine/slice.hpp"
#include "engine/step/context.hpp"
#include "tissue/tled/fields.hpp"
#include "tissue/tled/limit.hpp"

namespace plica {
namespace {

constexpr std::int32_t substeps_between_looks = 40;  // at that
constexpr int first_cycles = 40, later_cycles = 1;   // of looking at it
constexpr double tolerance = 0.01;
constexpr std::int32_t substeps_a_measure = 20;
constexpr int most_kept = 4;  // times what is needed, of the substeps that one step in need took
constexpr double largest_volume_ratio = 20.0;
// What a tool may do to a cell: press it so flat, or turn it inside out so far.
constexpr double largest_area = 6.0, smallest_volume = -0.4;

// One organ of a world, with all that looking at it takes.
struct OrganView {
    const tled::Organ& organ;
    const Model& model;
    ThreadPool& pool;
    const State& state;
    tled::OrganState& own;
    tled::Workspace& work;
    std::span<Vec3> spare;
};

void look_at_limit(const OrganView& v, int cycles) {
    const double found = tled::estimate_step(v.organ,
                                             {slice(v.organ, v.model.rest), slice(v.organ, v.state.x),
                                              slice(v.organ, v.model.inverse_mass), v.own.history, cycles, tolerance},
                                             v.pool, v.work, v.own.mode, v.spare);
    v.own.numbers.limit = found > 0.0 ? found : v.model.dt;  // an organ that is held everywhere bears any
    v.own.numbers.age = 0;
}

// Damping as step_organ() does it shortens the longest stable step: (omega h)^2 <= 2 (1 + exp(-a h)).
double damped_limit(const Model& model, const tled::Organ& organ, const tled::OrganState& own) {
    const double damping = organ.damping + model.drag + (organ.relax ? own.numbers.damping : 0.0);
    return own.numbers.limit * std::sqrt(0.5 * (1.0 + elementary::exp(-damping * own.numbers.limit)));
}

// About every so many substeps relaxation looks at an organ, however few of them a step has.
bool is_measured(const Model& model, const State& state, double h, int k) {
    const auto substeps = static_cast<int>(std::lround(model.dt / h));
    if (substeps >= substeps_a_measure) return k % substeps_a_measure == 0;
    const auto steps = static_cast<std::uint64_t>((substeps_a_measure + substeps - 1) / substeps);
    return k == substeps && state.step % steps == 0;
}

// Each substep sees the places it starts from; where the last one ended is seen by nobody yet.
void see_end(const OrganView& v, tled::Extremes& seen) {
    tled::compute_forces(v.organ, {slice(v.organ, v.model.rest), slice(v.organ, v.state.x), v.own.history, 0.0}, v.pool,
                         v.work);
    const tled::Extremes now = tled::find_extremes(v.organ, v.work);
    seen = seen.with(now);
}

// Does a cell with so little volume stay so?
double find_lost_ratio(const tled::Organ& organ) {
    const bool inverts = std::any_of(organ.materials.begin(), organ.materials.end(),
                                     [](const auto& m) { return m.law == tled::Law::st_venant_kirchhoff; });
    return inverts ? tled::least_volume_ratio : tled::lost_volume_ratio;
}

bool is_sound(const tled::Organ& organ, const tled::Extremes& seen) {
    return seen.least > find_lost_ratio(organ) && seen.most < largest_volume_ratio;
}

double crush_of(const tled::Extremes& now) {
    return std::max(now.area / largest_area, (1.0 - now.least) / (1.0 - smallest_volume));
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

void Solids::prepare(Preparation& p) {
    const std::vector<tled::Organ>& organs = p.model.of<Solids>();
    Work& work = p.scratch.of<Solids>();
    work.organs.resize(organs.size());
    work.seen.resize(organs.size());
    p.state.of<Solids>().resize(organs.size());
    for (std::size_t i = 0; i < organs.size(); ++i) {
        const tled::Organ& organ = organs[i];
        tled::OrganState& own = p.state.of<Solids>()[i];
        tled::prepare(organ, work.organs[i], p.isa);
        own.history.single.resize(organ.settings.exact ? 0 : organ.history);
        own.history.exact.resize(organ.settings.exact ? organ.history : 0);
        if (own.numbers.limit > 0.0) continue;
        look_at_limit({organ, p.model, p.pool, p.state, own, work.organs[i], slice(organ, p.scratch.p)}, first_cycles);
    }
}

// Hourglass control keeps its stiffness: it is a number of each cell, and small.
void Solids::tune(const Model& scene, const Tuning& tuning, Model& tuned) {
    for (std::size_t i = 0; i < scene.of<Solids>().size(); ++i) {
        const tled::Organ& from = scene.of<Solids>()[i];
        tled::Organ& to = tuned.of<Solids>()[i];
        const std::int32_t body = scene.find_body(from.first_node);
        const double stiffness = tuning.stiffness_of(body);
        to.damping = from.damping * tuning.damping_of(body);
        to.shortest_step = from.shortest_step / std::sqrt(stiffness);
        for (std::size_t m = 0; m < from.materials.size(); ++m) {
            to.materials[m].shear = from.materials[m].shear * stiffness;
            to.materials[m].bulk = from.materials[m].bulk * stiffness;
            to.materials[m].fibre.stiffness = from.materials[m].fibre.stiffness * stiffness;
        }
    }
}

SubstepNeed Solids::count_substeps(const Model& model, const State& state) {
    const std::vector<tled::Organ>& organs = model.of<Solids>();
    double shortest = model.dt, least = model.dt;
    for (std::size_t i = 0; i < organs.size(); ++i) {
        shortest = std::min(shortest, safe_share * damped_limit(model, organs[i], state.of<Solids>()[i]));
        least = std::min(least, organs[i].shortest_step);
    }
    const int needed = static_cast<int>(std::ceil(model.dt / shortest - 1e-9));
    // What the last step took is kept while it is enough and not far too much: each change costs a little accuracy, and
    // what it needed more for may not be over.
    const auto last = static_cast<int>(state.substeps);
    const int most = organs.empty() ? 0 : static_cast<int>(std::ceil(model.dt / least));
    if (organs.empty() || last <= needed) return {needed, 1, most};
    return {last <= needed + needed / 3 ? last : std::clamp(last - last / 8, needed, most_kept * needed), 1, most};
}

void Solids::learn(const Model& model, const State& failed, State& from) {
    for (std::size_t i = 0; i < model.of<Solids>().size(); ++i) {
        double& limit = from.of<Solids>()[i].numbers.limit;
        limit = std::min(limit, failed.of<Solids>()[i].numbers.limit);
    }
}

bool Solids::predict(StepContext& c) {
    const std::vector<tled::Organ>& organs = c.model.of<Solids>();
    Work& work = c.scratch.of<Solids>();
    bool sound = true;
    double crush = 0.0;
    for (std::size_t i = 0; i < organs.size(); ++i) {
        const tled::Organ& organ = organs[i];
        const tled::OrganStep step{slice(organ, c.model.rest),
                                   slice(organ, c.state.x),
                                   slice(organ, c.state.v),
                                   slice(organ, c.model.inverse_mass),
                                   c.inputs.gravity,
                                   c.model.drag,
                                   c.time_after(c.k - 1),
                                   c.h,
                                   c.last_h,
                                   is_measured(c.model, c.state, c.h, c.k)};
        tled::step_organ(organ, step, c.pool, c.state.of<Solids>()[i], work.organs[i], slice(organ, c.scratch.p));
        const tled::Extremes now = tled::find_extremes(organ, work.organs[i]);
        tled::Extremes& seen = work.seen[i];
        seen = c.k == 1 ? now : seen.with(now);
        crush = std::max(crush, crush_of(now));
        sound = sound && is_sound(organ, now);
    }
    c.crush = crush;
    return sound;
}

void Solids::keep_motions(StepContext& c) {
    for (const tled::Organ& organ : c.model.of<Solids>()) {
        if (organ.held.empty()) continue;
        apply_motions(organ.motions, c.time_after(c.k), slice(organ, c.model.rest), slice(organ, c.scratch.p));
    }
}

bool Solids::end_step(StepContext& c) {
    bool held = true;
    for (std::size_t i = 0; i < c.model.of<Solids>().size(); ++i) {
        const tled::Organ& organ = c.model.of<Solids>()[i];
        tled::OrganState& own = c.state.of<Solids>()[i];
        tled::Workspace& work = c.scratch.of<Solids>().organs[i];
        tled::Extremes& seen = c.scratch.of<Solids>().seen[i];
        for (const Vec3& x : slice(organ, c.state.x)) held = held && is_finite(x);
        const OrganView view{organ, c.model, c.pool, c.state, own, work, slice(organ, c.scratch.p)};
        if (held) see_end(view, seen);
        held = held && is_sound(organ, seen);
        own.numbers.age += c.substeps;
        if (!held || own.numbers.age < substeps_between_looks) continue;
        look_at_limit(view, later_cycles);
        held = c.h <= damped_limit(c.model, organ, own);
    }
    return held;
}

void Solids::flag(StepContext& c, bool failed) {
    for (std::size_t i = 0; i < c.model.of<Solids>().size(); ++i) {
        const tled::Organ& organ = c.model.of<Solids>()[i];
        const tled::Extremes& seen = c.scratch.of<Solids>().seen[i];
        const std::int32_t body = c.model.find_body(organ.first_node);
        if (!failed) {
            if (seen.least <= tled::least_volume_ratio) c.report.raise(FlagKind::crushed, body);
            continue;
        }
        bool sound = is_sound(organ, seen) && c.h <= damped_limit(c.model, organ, c.state.of<Solids>()[i]);
        for (const Vec3& x : slice(organ, c.state.x)) sound = sound && is_finite(x);
        if (sound) continue;  // another one failed
        const WorstCells worst = find_worst_cells(organ, slice(organ, c.model.rest), slice(organ, c.state.x));
        // A cell may have come back by the end of the step: what counts is the worst that was seen.
        const bool lost = seen.least <= find_lost_ratio(organ);
        if (lost) c.report.raise(FlagKind::inverted, body, organ.source[worst.smallest]);
        if (!lost || !(seen.most < largest_volume_ratio))
            c.report.raise(FlagKind::unstable, body, organ.source[worst.largest]);
    }
}

Rest Solids::find_rest(const Model& model, const State& state) {
    Rest rest;
    for (std::size_t i = 0; i < model.of<Solids>().size(); ++i) {
        if (!model.of<Solids>()[i].relax) continue;
        rest = rest.with({true, state.of<Solids>()[i].numbers.calm >= tled::calm_steps});
    }
    return rest;
}

}  // namespace plica
