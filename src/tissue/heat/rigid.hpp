#pragma once
#include <span>

#include "geometry/symmetric.hpp"

namespace plica::heat {

struct Membrane;
struct Piece;
struct MembraneStep;

// A piece as a rigid body.
struct Rigid {
    Vec3 centre;             // m, of mass
    Vec3 momentum, angular;  // N s, N m s about it
    Vec3 push, twist;        // the same, of what forces from outside add in the step
    Symmetric inertia;       // kg m^2
    Vec3 velocity, spin;     // m/s, 1/s

    [[nodiscard]] Vec3 velocity_at(const Vec3& x) const { return velocity + cross(spin, x - centre); }
};
Rigid find_rigid(const Membrane& membrane, const Piece& piece, const MembraneStep& step);

// N, on a node: load and weight.
Vec3 outer_force(const Membrane& membrane, const MembraneStep& step, std::size_t node);

// Adds the rigid velocity with which momentum is `kept` of what it was, and what was pushed: forces inside have no sum.
void restore_momentum(const Membrane& membrane, const Piece& piece, const MembraneStep& step, const Rigid& body,
                      double kept, std::span<Vec3> v);

}  // namespace plica::heat
