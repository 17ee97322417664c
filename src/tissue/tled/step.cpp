#include "tissue/tled/step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "tissue/tled/fields.hpp"

namespace plica::tled {
namespace {

constexpr double residual_tolerance = 1e-3;  // of the loads or the reactions, whichever is larger
constexpr double kinetic_tolerance = 1e-5;   // of the elastic energy
constexpr std::int32_t steps_a_look = 20;

Vec3 free_part(const Vec3& a, std::uint8_t held) {
    return {(held & 1U) != 0 ? 0.0 : a.x, (held & 2U) != 0 ? 0.0 : a.y, (held & 4U) != 0 ? 0.0 : a.z};
}

std::uint8_t held_axes(const Organ& organ, const OrganStep& step, std::size_t n) {
    if (step.w[n] == 0.0) return 7;
    return organ.held.empty() ? std::uint8_t{0} : organ.held[n];
}

// Lowest frequency that takes part in the motion: omega^2 = D.(F - F_before) / D.M D; twice that damps it best.
double find_damping(const Organ& organ, const OrganStep& step, const Workspace& work) {
    double work_done = 0.0, inertia = 0.0;
    for (std::size_t n = 0; n < work.force.size(); ++n) {
        if (step.w[n] == 0.0) continue;
        const Vec3 d = free_part(step.v[n] * step.last_h, held_axes(organ, step, n));
        work_done += dot(d, work.force[n] - work.last_force[n]);
        inertia += squared_norm(d) / step.w[n];
    }
    if (!(inertia > 0.0)) return 0.0;
    return 2.0 * std::sqrt(std::clamp(work_done / inertia, 0.0, 4.0 / (step.h * step.h)));
}

bool is_calm(const Organ& organ, const OrganStep& step, const Workspace& work) {
    double left = 0.0, load = 0.0, reaction = 0.0, kinetic = 0.0;
    for (std::size_t n = 0; n < work.force.size(); ++n) {
        const std::uint8_t held = held_axes(organ, step, n);
        Vec3 outside = work.external.empty() ? Vec3{} : work.external[n];
        if (step.w[n] > 0.0) {
            outside += step.gravity / step.w[n];
            kinetic += 0.5 * squared_norm(step.v[n]) / step.w[n];
        }
        const Vec3 rest = outside - work.force[n];
        const Vec3 moving = free_part(rest, held);
        left += squared_norm(moving);
        load += squared_norm(outside);
        reaction += squared_norm(rest - moving);
    }
    if (std::sqrt(left) > residual_tolerance * std::sqrt(std::max(load, reaction))) return false;
    return kinetic <= kinetic_tolerance * compute_energy(organ, step.rest, step.x);
}

// Ramps are over: what is at rest now stays so.
bool is_steady(const Organ& organ, double t) {
    for (const Load& load : organ.loads) {
        if (t < load.ramp.end) return false;
    }
    for (const Motion& motion : organ.motions) {
        if (t < motion.ramp.end) return false;
    }
    return true;
}

void look_at_rest(const Organ& organ, const OrganStep& step, const Workspace& work, OrganState& state) {
    const double found = find_damping(organ, step, work);
    double& damping = state.numbers.damping;
    damping = damping == 0.0 ? found : 0.9 * damping + 0.1 * found;
    const bool calm = is_steady(organ, step.t) && is_calm(organ, step, work);
    state.numbers.calm = calm ? std::min(state.numbers.calm + steps_a_look, calm_steps) : 0;
}

// Forces one step earlier, as that step's material would have borne them now: what changes is the stiffness' doing.
void find_last_forces(const Organ& organ, const OrganStep& step, const History& history, ThreadPool& pool,
                      Workspace& work) {
    work.moved.resize(step.x.size());
    work.last_force.resize(step.x.size());
    for (std::size_t n = 0; n < step.x.size(); ++n) work.moved[n] = step.x[n] - step.v[n] * step.last_h;
    compute_forces(organ, {step.rest, work.moved, history, step.h}, pool, work);
    sum_forces(organ, work, pool, work.last_force);
}

}  // namespace

void step_organ(const Organ& organ, const OrganStep& step, ThreadPool& pool, OrganState& state, Workspace& work,
                std::span<Vec3> p) {
    const auto nodes = at(organ.nodes);
    const bool measured = organ.relax && step.measure && step.last_h > 0.0;
    if (measured) find_last_forces(organ, step, state.history, pool, work);
    compute_forces(organ, {step.rest, step.x, state.history, step.h}, pool, work);
    if (organ.history > 0) std::swap(state.history, work.next);
    work.force.resize(nodes);
    if (measured) sum_forces(organ, work, pool, work.force);
    if (!organ.loads.empty()) {
        work.external.assign(nodes, Vec3{});
        add_loads(organ.loads, step.t, step.rest, step.x, work.external);
    }
    if (measured) look_at_rest(organ, step, work, state);
    const double mean_h = 0.5 * (step.h + step.last_h);
    const double damping = organ.damping + step.drag + (organ.relax ? state.numbers.damping : 0.0);
    // Damping takes from the velocity that was there, not from what forces add: a contact's force, which rows know as
    // displacement / (w h^2), is then the same on both sides, and balances the tissue's exactly where all is at rest.
    const double kept = elementary::exp(-damping * mean_h);
    const double gain = mean_h;
    const bool loaded = !organ.loads.empty();
    for_node_chunks(organ, pool, [&](std::int32_t begin, std::int32_t end) {
        if (!measured) sum_forces_at(organ, work, begin, end, work.force);
        for (std::size_t n = at(begin); n < at(end); ++n) {
            const double w = step.w[n];
            if (w == 0.0) {
                p[n] = step.x[n];
                continue;
            }
            const Vec3 force = loaded ? work.external[n] - work.force[n] : -work.force[n];
            const Vec3 v = step.v[n] * kept + (step.gravity + force * w) * gain;
            p[n] = step.x[n] + v * step.h;
        }
    });
    apply_motions(organ.motions, step.t + step.h, step.rest, p);
}

}  // namespace plica::tled
