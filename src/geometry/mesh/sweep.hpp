#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

// A closed tube through rings of points, all with the same number of them and counterclockwise around the way from
// ring to ring (seen against it); its ends are fans around the middles of the first ring and the last. Added to a
// surface as one more piece.
void add_sweep(const std::vector<std::vector<Vec3>>& rings, SurfaceMesh& surface);

}  // namespace plica
