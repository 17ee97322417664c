#pragma once
#include "tissue/heat/step.hpp"

namespace plica::heat {

// Zhong 2005, eq. 20 and 21: m v' + gamma v + g = F as printed, or with g on the other side where the mode says so.
// Eq. 22, which is unstable without damping, is replaced: damping is implicit, and places follow the new velocity. The
// velocities are left in work.force; returns what damping took, J.
double step_paper(const Membrane& membrane, const MembraneStep& step, Workspace& work);

// Zhong 2005, eq. 22 as printed: places go on with the velocity that was there, state.ahead, whose next value is found
// from it and from the forces, which work.force has. The former are left in work.force; returns what damping took, J.
double step_euler(const Membrane& membrane, const MembraneStep& step, MembraneState& state, Workspace& work);
// Contact, N per node, moves places at once, as it does those of others, and the velocity with them; damping takes its
// share of that too, so that at rest the tissue answers with contact's force.
void add_push(const Membrane& membrane, std::span<const Vec3> push, double h, MembraneState& state, std::span<Vec3> p);
// What the sweeps changed about a place after that, the velocity follows.
void follow_contact(const Membrane& membrane, std::span<const double> w, std::span<const Vec3> alone,
                    std::span<const Vec3> p, double h, MembraneState& state);
// s: a substep at which shaking dies out on a complete membrane near rest, half of the longest at which it does not
// grow; infinite for the paper's forces, which have no such step.
double find_euler_step(const Membrane& membrane);

}  // namespace plica::heat
