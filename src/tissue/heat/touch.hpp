#pragma once
#include "tissue/heat/membrane.hpp"

// What touches a surface warms it (Zhong 2005, sec. III): what moved a node besides its tissue is its source. The touch
// of a node is the mean force over the step, N, which conduct() turns into heat with the next one.
namespace plica::heat {

// What contact, as far as it is known before the sweeps, and loads give in a substep: the share h / dt of the step.
void add_load_touch(std::span<const Vec3> load, double h, double dt, MembraneState& state);

// What the sweeps gave on top of that: free nodes were to be at `alone` and are at `p` when the substep ends.
void add_contact_touch(const Membrane& membrane, std::span<const double> w, std::span<const Vec3> alone,
                       std::span<const Vec3> p, double h, double dt, MembraneState& state);

}  // namespace plica::heat
