#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "geometry/vec3.hpp"

// Normal cones: whether two patches of surfaces can be in contact at all, by their normals alone.
namespace plica {

// Directions within an angle of an axis. A surface cone bounds the normals of a patch; `half` of pi holds them all.
struct Cone {
    Vec3 axis{0, 0, 1};  // unit
    double half = 0.0;   // rad
};

inline constexpr Cone all_directions{{0, 0, 1}, std::numbers::pi};

// rad; of unit vectors exact where acos is not, close to 0 and pi.
inline double angle_between(const Vec3& a, const Vec3& b) noexcept {
    return elementary::atan2(norm(cross(a, b)), dot(a, b));
}

inline bool contains(const Cone& cone, const Vec3& direction, double tolerance = 1e-9) noexcept {
    return angle_between(cone.axis, direction) <= cone.half + tolerance;
}

// The smallest cone around two.
inline Cone merge(const Cone& a, const Cone& b) noexcept {
    const double beta = angle_between(a.axis, b.axis);
    if (beta + b.half <= a.half) return a;
    if (beta + a.half <= b.half) return b;
    const double half = 0.5 * (beta + a.half + b.half);
    if (!(half < std::numbers::pi)) return all_directions;
    // The new axis lies between the two, half - a.half from a's.
    const double from_a = half - a.half;
    Vec3 across = b.axis - a.axis * dot(a.axis, b.axis);
    across = squared_norm(across) > 1e-24 ? normalized(across) : any_perpendicular(a.axis);
    return {normalized(a.axis * elementary::cos(from_a) + across * elementary::sin(from_a)), half};
}

// Of an angle in [0, pi], to 0.002 (Bhaskara I.).
inline double rough_cosine(double angle) noexcept {
    constexpr double pi = std::numbers::pi;
    const double x = std::min(angle, pi - angle);
    const double cosine = (pi * pi - 4.0 * x * x) / (pi * pi + x * x);
    return angle <= 0.5 * pi ? cosine : -cosine;
}

// Whether a direction of one and a direction of the other can be `limit` apart. Mostly a rough look tells.
inline bool can_oppose(const Cone& a, const Cone& b, double limit) noexcept {
    constexpr double roughness = 0.002;
    const double left = std::min(limit - a.half - b.half, std::numbers::pi);
    if (!(left > 0.0)) return true;
    const double between = dot(a.axis, b.axis), rough = rough_cosine(left);
    if (std::abs(between - rough) > roughness) return between < rough;
    return between <= elementary::cos(left);
}

}  // namespace plica
