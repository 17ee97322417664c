#pragma once
#include "tissue/heat/membrane.hpp"

namespace plica::heat {

// Heat, once per step of dt: warms the surface where state.touch did work on x, conducts, and finds the edges'
// tensions. False: touch or x is not finite, or there is no factor; then nothing but work.reached has changed.
bool conduct(const Membrane& membrane, double dt, std::span<const Vec3> x, MembraneState& state, Workspace& work);

// One substep of the motion. Spans are over the membrane's nodes.
struct MembraneStep {
    std::span<const Vec3> x, v;
    std::span<const double> w;   // 1/kg, 0: held
    std::span<const Vec3> load;  // N, may be empty
    Vec3 gravity;
    double drag;  // 1/s, of the surrounding fluid
    double h;     // s
};

// Where the nodes go if nothing touches them: p = x + h v'. Held nodes stay.
// Refactors the motion's matrix where h or the held nodes differ from the last call's. False: the factor failed or
// something is not finite; then p = x.
bool step_membrane(const Membrane& membrane, const MembraneStep& step, MembraneState& state, Workspace& work,
                   std::span<Vec3> p);

// s: the longest substep at which contact, which moves nodes by their masses alone, sees the tissue as it is. Any step
// is stable, but beyond this one what neighbours take over in a step is missing in contact's forces: of a load at rest
// 0.4 % at half of it, 1.4 % at it, 5 % at twice, a quarter at five times.
double find_contact_step(const Membrane& membrane);

}  // namespace plica::heat
