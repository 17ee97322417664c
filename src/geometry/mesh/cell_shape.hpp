#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

using TetrahedronPlaces = std::array<Vec3, 4>;
using HexahedronPlaces = std::array<Vec3, 8>;

struct CellShape {
    double volume = 0.0;    // m^3
    double quality = 0.0;   // 1 is perfect
    double angle = 0.0;     // smallest dihedral angle of a tetrahedron, degrees
    double altitude = 0.0;  // m: of a tetrahedron the smallest; of a hexahedron its volume over its largest face
};

double compute_volume(const TetrahedronPlaces& x);
CellShape compute_shape(const TetrahedronPlaces& x);
CellShape compute_shape(const HexahedronPlaces& x);

// Jacobian determinants at the 2 x 2 x 2 Gauss points, m^3; each counts once in the volume.
std::array<double, 8> compute_gauss_jacobians(const HexahedronPlaces& x);

template <std::size_t Corners>
std::array<Vec3, Corners> places_of(const std::vector<Vec3>& nodes, const std::array<std::int32_t, Corners>& cell) {
    std::array<Vec3, Corners> x;
    for (std::size_t i = 0; i < Corners; ++i) x[i] = nodes[static_cast<std::size_t>(cell[i])];
    return x;
}

}  // namespace plica
