#include "geometry/solid.hpp"

#include <algorithm>

namespace plica {
namespace {

SurfaceSample sample_bowl(const Solid& s, const Vec3& p) noexcept {
    Vec3 d = p - s.center;
    if (d.z > 0.0) d.z = 0.0;  // the wall above the rim
    const double rho = norm(d);
    if (rho < 1e-12) return {s.radii.x, {0, 0, 1}};
    return {s.radii.x - rho, d * (-1.0 / rho)};
}

// Closest point on the ellipsoid, by the root t of F(t) = sum (a_i y_i / (t + a_i^2))^2 - 1 in the positive octant.
// F falls and is convex on t > -a_min^2, so Newton's method from a place where F >= 0 climbs to the root and never
// passes it.
Vec3 closest_on_ellipsoid(const Vec3& a, const Vec3& y) noexcept {
    const double a2[3] = {a.x * a.x, a.y * a.y, a.z * a.z};
    const double num[3] = {a.x * y.x, a.y * y.y, a.z * y.z};
    double lowest = num[0] - a2[0];
    for (int i = 1; i < 3; ++i) lowest = std::max(lowest, num[i] - a2[i]);  // F >= 0 there
    double t =
        std::max(0.0, lowest);  // the root of points on the surface; a first step from beyond the root falls short
    for (int k = 0; k < 100; ++k) {
        double f = -1.0;
        double slope = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double over = 1.0 / (t + a2[i]);
            const double q = num[i] * over;
            f += q * q;
            slope += q * q * over;
        }
        const double next = std::max(lowest, t + 0.5 * f / slope);
        if (k > 0 && !(next > t)) break;
        t = next;
    }
    return {a2[0] * y.x / (t + a2[0]), a2[1] * y.y / (t + a2[1]), a2[2] * y.z / (t + a2[2])};
}

SurfaceSample sample_ellipsoid(const Solid& s, const Vec3& p) noexcept {
    const Vec3 d = p - s.center;
    // Points in a plane of symmetry are moved off it by a hair: the closest point is then unique.
    const double hair = 1e-9 * std::min({s.radii.x, s.radii.y, s.radii.z});
    const Vec3 y{std::max(std::abs(d.x), hair), std::max(std::abs(d.y), hair), std::max(std::abs(d.z), hair)};
    const Vec3 c = closest_on_ellipsoid(s.radii, y);
    const Vec3 gradient{c.x / (s.radii.x * s.radii.x), c.y / (s.radii.y * s.radii.y), c.z / (s.radii.z * s.radii.z)};
    const Vec3 outward = normalized(gradient);
    const double distance = dot(c - y, outward);
    return {distance, {std::copysign(outward.x, -d.x), std::copysign(outward.y, -d.y), std::copysign(outward.z, -d.z)}};
}

}  // namespace

SurfaceSample sample_solid(const Solid& solid, const Vec3& p) noexcept {
    switch (solid.kind) {
        case SolidKind::plane:
            return {dot(p - solid.center, solid.normal), solid.normal};
        case SolidKind::bowl:
            return sample_bowl(solid, p);
        case SolidKind::ellipsoid:
            break;
    }
    return sample_ellipsoid(solid, p);
}

double distance_bound(const Solid& solid, const Vec3& p) noexcept {
    if (solid.kind != SolidKind::ellipsoid) return sample_solid(solid, p).distance;
    const Vec3 d = p - solid.center;
    const Vec3& a = solid.radii;
    const double q = norm({d.x / a.x, d.y / a.y, d.z / a.z});
    // Inside, q is 1/a_min-Lipschitz and reaches 1 on the surface.
    return q < 1.0 ? (1.0 - q) * std::min({a.x, a.y, a.z}) : (1.0 - q) * std::max({a.x, a.y, a.z});
}

}  // namespace plica
