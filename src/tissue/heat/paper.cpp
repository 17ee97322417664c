#include "tissue/heat/paper.hpp"

#include <algorithm>
#include <limits>

#include "core/index.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/rigid.hpp"

namespace plica::heat {

double step_paper(const Membrane& membrane, const MembraneStep& step, Workspace& work) {
    const double side = membrane.settings.mode == Mode::paper_literal ? -1.0 : 1.0;
    const std::span<Vec3> v = work.force;
    std::fill(v.begin(), v.end(), Vec3{});
    add_paper_forces(membrane, step.x, work, v);
    double taken = 0.0;
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        const double rate = membrane.damping[n] + step.drag;
        Vec3 force = v[n] * side;
        if (!step.load.empty()) force += step.load[n];
        v[n] = (step.v[n] + (step.gravity + force / membrane.mass[n]) * step.h) / (1.0 + step.h * rate);
        if (step.w[n] == 0.0 || membrane.fixed[n] != 0) v[n] = {};
        taken += step.h * rate * membrane.mass[n] * squared_norm(v[n]);
    }
    return taken;
}

double step_euler(const Membrane& membrane, const MembraneStep& step, MembraneState& state, Workspace& work) {
    double taken = 0.0;
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        const Vec3 force = work.force[n] + outer_force(membrane, step, n), v = state.ahead[n];
        const double rate = membrane.damping[n] + step.drag;
        work.force[n] = v;
        state.ahead[n] = v + (force / membrane.mass[n] - v * rate) * step.h;
        if (step.w[n] == 0.0 || membrane.fixed[n] != 0) work.force[n] = state.ahead[n] = {};
        taken += step.h * rate * membrane.mass[n] * squared_norm(work.force[n]);
    }
    return taken;
}

void add_push(const Membrane& membrane, std::span<const Vec3> push, double h, MembraneState& state, std::span<Vec3> p) {
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        p[n] += push[n] * (h * h / membrane.mass[n]);
        state.ahead[n] += push[n] * (h / membrane.mass[n] * (1.0 - h * membrane.damping[n]));
    }
}

void follow_contact(const Membrane& membrane, std::span<const double> w, std::span<const Vec3> alone,
                    std::span<const Vec3> p, double h, MembraneState& state) {
    for (std::size_t n = 0; n < state.ahead.size(); ++n) {
        if (w[n] != 0.0) state.ahead[n] += (p[n] - alone[n]) * (1.0 / h - membrane.damping[n]);
    }
}

// Of x'' + c x' + s x = 0 forward Euler does not grow up to c / s, and from 1 / c on speeds change their sign at every
// step, which contact takes for impacts. Half of both; s is Gershgorin's bound.
double find_euler_step(const Membrane& membrane) {
    if (membrane.settings.mode != Mode::complete) return std::numeric_limits<double>::infinity();
    std::vector<double> stiffness = membrane.anchor;
    for (const MembraneEdge& edge : membrane.edges) {
        for (const std::int32_t n : {edge.a, edge.b}) stiffness[at(n)] += 2.0 * edge.energy * edge.inverse_square;
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        const double c = membrane.damping[n];
        least = std::min({least, 0.5 * c * membrane.mass[n] / stiffness[n], 0.5 / c});
    }
    return least;
}

}  // namespace plica::heat
