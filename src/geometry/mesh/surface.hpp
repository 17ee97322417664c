#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

// Throws Error, naming the triangle or edge, unless the triangles speak of nodes that exist at finite places and close
// up: as many triangles pass every edge in one direction as in the other. `whose` begins the message.
void check_closed(const SurfaceMesh& surface, const std::string& whose);

// m^3: what a closed surface holds; negative when it is turned inside out.
double compute_volume(const SurfaceMesh& surface);

}  // namespace plica
