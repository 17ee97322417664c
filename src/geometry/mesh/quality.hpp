#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

// The shape of a mesh's tetrahedra: what bounds the time step and the accuracy of explicit finite elements.
struct MeshQuality {
    double volume = 0.0;             // m^3, of all of them
    double smallest_volume = 0.0;    // m^3; not positive: one is flat or turned over
    double smallest_dihedral = 0.0;  // degrees
    double largest_dihedral = 0.0;   // degrees
    double smallest_altitude = 0.0;  // m
    double low_altitude = 0.0;       // m: one tetrahedron in a hundred has a smaller one
};
MeshQuality measure_quality(const VolumeMesh& mesh);

}  // namespace plica
