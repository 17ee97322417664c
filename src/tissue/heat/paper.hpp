#pragma once
#include "tissue/heat/step.hpp"

namespace plica::heat {

// Zhong 2005, eq. 20 and 21: m v' + gamma v + g = F as printed, or with g on the other side where the mode says so.
// Eq. 22, which is unstable without damping, is replaced: damping is implicit, and places follow the new velocity. The
// velocities are left in work.force; returns what damping took, J.
double step_paper(const Membrane& membrane, const MembraneStep& step, Workspace& work);

}  // namespace plica::heat
