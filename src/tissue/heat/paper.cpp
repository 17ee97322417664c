#include "tissue/heat/paper.hpp"

#include <algorithm>

#include "tissue/heat/forces.hpp"

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

}  // namespace plica::heat
