#pragma once
#include <array>

#include "geometry/vec3.hpp"

// Exact tests of two triangles with their sides and corners, for coordinates as in exact.hpp: touching counts, and
// triangles may be degenerate.
namespace plica::audit {

using Corners = std::array<Vec3, 3>;

// Whether they have a point in common.
bool triangles_meet(const Corners& p, const Corners& q);

// Corner 0 is one node of both: whether they have more in common than that. Then the side across from it, of one of
// them, meets the other. (A triangle so degenerate that this side runs through its own corner 0 counts.)
bool meet_beyond_corner(const Corners& p, const Corners& q);

// Triangles v w a and v w b: whether they lie flat on each other. Otherwise they have just the edge v w in common.
bool are_folded(const Vec3& v, const Vec3& w, const Vec3& a, const Vec3& b);

}  // namespace plica::audit
