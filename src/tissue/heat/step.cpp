#include "tissue/heat/step.hpp"

#include <algorithm>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/motion.hpp"
#include "tissue/heat/paper.hpp"

// A_x (v' - v) = f - s (A_x - diag(m / h)) u, where u is the velocity without that of the piece as a rigid body.
//
// s = 0 is a leapfrog whose masses are such that it is stable at any step; it takes no energy, but leaves the shaking
// of what is stiff for the step to damping alone. s = 1 is an implicit step, which takes half of all work at usual
// steps. We take a little of it, and enter what it takes into the ledger.
//
// Damping against the world is not in the matrix: it takes from the velocity that was there, so that a contact's force,
// which rows know as displacement / (w h^2), is what the tissue answers with where all is at rest.
namespace plica::heat {
namespace {

// Its rate is a density's, and the surrounding fluid's, the same at every node.
double kept_of(const Membrane& membrane, const MembraneStep& step) {
    return elementary::exp(-(membrane.damping[0] + step.drag) * step.h);
}

// f into work.force; returns what damping along edges takes, W.
double find_forces(const Membrane& membrane, const MembraneStep& step, Workspace& work) {
    std::fill(work.force.begin(), work.force.end(), Vec3{});
    if (membrane.settings.mode != Mode::complete) {
        add_paper_forces(membrane, step.x, work, work.force);
        if (membrane.settings.mode == Mode::paper_literal) {
            for (Vec3& f : work.force) f = -f;
        }
        return 0.0;
    }
    for (std::size_t p = 0; p < membrane.pieces.size(); ++p)
        work.frames[p] = find_frame(membrane, membrane.pieces[p], step.x);
    return add_forces(membrane, step.x, step.v, work, work.force);
}

// u into work.wobble, 0 at held nodes.
void find_wobble(const Membrane& membrane, const MembraneStep& step, Workspace& work) {
    for (std::size_t p = 0; p < membrane.pieces.size(); ++p) {
        const Piece& piece = membrane.pieces[p];
        work.rigid[p] = find_rigid(membrane, piece, step);
        for (const std::int32_t n : nodes_of(membrane, piece)) {
            const Vec3 rigid = piece.rooted ? Vec3{} : work.rigid[p].velocity_at(step.x[at(n)]);
            work.wobble[at(n)] = work.held[at(n)] != 0 ? Vec3{} : step.v[at(n)] - rigid;
        }
    }
}

// v' into work.force, which has f. A^-1 (A - diag(m / h)) u is u - A^-1 (m / h) u.
void find_velocities(const Membrane& membrane, const MembraneStep& step, double kept, Workspace& work) {
    const double smoothing = membrane.settings.smoothing;
    const std::span<Vec3> v = work.force;
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        const double inertia = membrane.mass[n] / step.h;
        const Vec3 before = work.wobble[n] * smoothing - step.v[n] * (1.0 - kept);
        v[n] = work.held[n] != 0 ? Vec3{} : v[n] + outer_force(membrane, step, n) + before * inertia;
    }
    solve_motion(membrane, work, v);
    for (std::size_t n = 0; n < membrane.size(); ++n) v[n] += step.v[n] - work.wobble[n] * smoothing;
    for (std::size_t p = 0; p < membrane.pieces.size(); ++p) {
        if (work.own[p] != 0) restore_momentum(membrane, membrane.pieces[p], step, work.rigid[p], kept, v);
    }
}

// J, over the mean of the velocities before and after; work.wobble becomes that mean's.
double find_damped(const Membrane& membrane, const MembraneStep& step, double kept, Workspace& work) {
    double taken = 0.0;
    std::span<Vec3> mean = work.yielding;
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        mean[n] = {};
        if (work.held[n] != 0) continue;
        taken += 0.5 * (1.0 - kept) * membrane.mass[n] * dot(step.v[n], step.v[n] + work.force[n]);
        mean[n] = work.wobble[n] + (work.force[n] - step.v[n]) * 0.5;
    }
    return taken + step.h * membrane.settings.smoothing * find_resistance(membrane, work, work.wobble, mean);
}

bool give_up(const MembraneStep& step, Workspace& work, std::span<Vec3> p) {
    std::copy(step.x.begin(), step.x.end(), p.begin());
    work.reached.lost = true;
    return false;
}

}  // namespace

bool step_membrane(const Membrane& membrane, const MembraneStep& step, MembraneState& state, Workspace& work,
                   std::span<Vec3> p) {
    double damped = 0.0;
    if (membrane.settings.motion == Motion::euler) {
        damped = step.h * find_forces(membrane, step, work);
        damped += step_euler(membrane, step, state, work);
    } else if (membrane.settings.mode == Mode::complete) {
        const double kept = kept_of(membrane, step);
        damped = step.h * find_forces(membrane, step, work);
        if (!factor_motion(membrane, step, work.reached.least_stretch, work)) return give_up(step, work, p);
        find_wobble(membrane, step, work);
        find_velocities(membrane, step, kept, work);
        damped += find_damped(membrane, step, kept, work);
    } else {
        damped = step_paper(membrane, step, work);
    }
    Vec3 sum;  // of zeros, unless something is not finite
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        p[n] = is_held(membrane, step, n) ? step.x[n] : step.x[n] + work.force[n] * step.h;
        sum += p[n] * 0.0;
    }
    if (!(sum == Vec3{})) return give_up(step, work, p);
    state.numbers.damping_work += damped;
    state.numbers.gravity = step.gravity;
    return true;
}

}  // namespace plica::heat
