#pragma once
#include "geometry/mesh/mesh.hpp"
#include "geometry/symmetric.hpp"

namespace plica {

// Of what a closed surface encloses, filled evenly.
struct MassShape {
    double volume = 0.0;  // m^3
    Vec3 centre{};        // m, of mass
    Symmetric inertia{};  // m^2, about it, per mass
};
MassShape compute_mass_shape(const SurfaceMesh& mesh);

}  // namespace plica
