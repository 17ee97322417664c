#pragma once
#include <cstddef>

#include "render/mesh.hpp"

namespace plica::render {

// How many pairs of triangles that share no vertex have a point in common. Exact, without tolerances, for the mesh
// whose vertices are rounded to 2^-29 of its extent, which is finer than the floats that are drawn; touching counts.
// Triangles without area take no part.
std::size_t count_self_intersections(const Mesh& mesh);
// The same from all pairs, to check with.
std::size_t count_self_intersections_brute(const Mesh& mesh);

}  // namespace plica::render
