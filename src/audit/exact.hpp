#pragma once
#include <array>

#include "geometry/vec3.hpp"

// Signs of determinants, exact for doubles that are 0 or of a magnitude from 1e-90 to 1e90: products of three
// coordinates, and the last bits of such products, are doubles then.
namespace plica::audit {

inline constexpr double least_coordinate = 1e-90, largest_coordinate = 1e90;

// Of (b - a) x (c - a) . (d - a): on which side of the plane a b c the point d is; 1 where the normal points to.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Of (b - a) x (c - a) in a plane: 1 where a b c turns left.
using Point2 = std::array<double, 2>;
int orient2d(const Point2& a, const Point2& b, const Point2& c);

}  // namespace plica::audit
