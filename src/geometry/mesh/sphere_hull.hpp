#pragma once
#include <span>

#include "geometry/mesh/mesh.hpp"

namespace plica {

// Triangles of the convex hull of unit vectors all around the origin, which are Delaunay's on the sphere;
// counterclockwise seen from outside. Points are put in one after another in an order drawn once, each by a walk and
// flips: about n^1.5 in all. Throws Error where the points do not surround the origin.
std::vector<std::array<std::int32_t, 3>> find_sphere_hull(std::span<const Vec3> points);

}  // namespace plica
