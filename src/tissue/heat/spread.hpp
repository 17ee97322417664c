#pragma once
#include "tissue/heat/membrane.hpp"

namespace plica::heat {

// Factors the heat's matrix for steps of dt, where steps are implicit. False: it failed.
bool factor_heat(const Membrane& membrane, double dt, Workspace& work);

// The temperatures after dt into work.warmth; work.source: J/s per node. Returns what left the surface, J: into the
// sink and into held nodes; those that are warm give, which counts against it.
double spread_heat(const Membrane& membrane, double dt, std::span<const double> temperature, Workspace& work);

// Explicit steps in dt: as many that what a node keeps of its temperature is not negative.
int count_heat_steps(const Membrane& membrane, double dt);

}  // namespace plica::heat
