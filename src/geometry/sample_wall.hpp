#pragma once
#include "geometry/wall.hpp"

// sample_wall() for one point (Real = double) or for eight (Wide), without branches.
namespace plica {

template <class Real>
struct SampleOf {
    Real distance;
    Vec3Of<Real> normal;
};

template <class Real>
PLICA_INLINE SampleOf<Real> sample_plane(const Wall& s, const Vec3Of<Real>& p) noexcept {
    const Vec3Of<Real> n{Real(s.normal.x), Real(s.normal.y), Real(s.normal.z)};
    const Vec3Of<Real> center{Real(s.center.x), Real(s.center.y), Real(s.center.z)};
    return {dot(p - center, n), n};
}

template <class Real>
PLICA_INLINE SampleOf<Real> sample_bowl(const Wall& s, const Vec3Of<Real>& p) noexcept {
    const Real radius(s.radii.x);
    const Vec3Of<Real> center{Real(s.center.x), Real(s.center.y), Real(s.center.z)};
    Vec3Of<Real> d = p - center;
    d.z = min(d.z, Real(0.0));  // the wall above the rim
    const Real rho = sqrt(squared_norm(d));
    const auto at_center = rho < Real(1e-12);
    const Real over = Real(-1.0) / select(at_center, Real(1.0), rho);
    return {select(at_center, radius, radius - rho),
            {select(at_center, Real(0.0), d.x * over), select(at_center, Real(0.0), d.y * over),
             select(at_center, Real(1.0), d.z * over)}};
}

// Closest point on the ellipsoid, by the root t of F(t) = sum (a_i y_i / (t + a_i^2))^2 - 1 in the positive octant.
// F falls and is convex on t > -a_min^2, so Newton's method from a place where F >= 0 climbs to the root and never
// passes it. It starts from the root of points on the surface: a first step from beyond the root falls short.
template <class Real>
PLICA_INLINE Vec3Of<Real> closest_on_ellipsoid(const Vec3& a, const Vec3Of<Real>& y) noexcept {
    const Vec3Of<Real> a2{Real(a.x * a.x), Real(a.y * a.y), Real(a.z * a.z)};
    const Vec3Of<Real> num{Real(a.x) * y.x, Real(a.y) * y.y, Real(a.z) * y.z};
    const Real lowest = max(max(num.x - a2.x, num.y - a2.y), num.z - a2.z);  // F >= 0 there
    Real t = max(Real(0.0), lowest);
    for (int k = 0; k < 100; ++k) {
        const Vec3Of<Real> over{Real(1.0) / (t + a2.x), Real(1.0) / (t + a2.y), Real(1.0) / (t + a2.z)};
        const Real qx = num.x * over.x;
        const Real qy = num.y * over.y;
        const Real qz = num.z * over.z;
        const Real f = qx * qx + qy * qy + qz * qz - Real(1.0);
        const Real slope = qx * qx * over.x + qy * qy * over.y + qz * qz * over.z;
        const Real next = max(lowest, t + Real(0.5) * f / slope);
        const auto climbs = next > t;
        if (k > 0 && !any(climbs)) break;
        t = k > 0 ? select(climbs, next, t) : next;
    }
    return {a2.x * y.x / (t + a2.x), a2.y * y.y / (t + a2.y), a2.z * y.z / (t + a2.z)};
}

template <class Real>
PLICA_INLINE SampleOf<Real> sample_ellipsoid(const Wall& s, const Vec3Of<Real>& p) noexcept {
    const Vec3Of<Real> d{p.x - Real(s.center.x), p.y - Real(s.center.y), p.z - Real(s.center.z)};
    // Points in a plane of symmetry are moved off it by a hair: the closest point is then unique.
    const Real hair(1e-9 * min(min(s.radii.x, s.radii.y), s.radii.z));
    const Vec3Of<Real> y{max(max(d.x, -d.x), hair), max(max(d.y, -d.y), hair), max(max(d.z, -d.z), hair)};
    const Vec3Of<Real> c = closest_on_ellipsoid(s.radii, y);
    const Vec3Of<Real> gradient{c.x / Real(s.radii.x * s.radii.x), c.y / Real(s.radii.y * s.radii.y),
                                c.z / Real(s.radii.z * s.radii.z)};
    const Vec3Of<Real> outward = gradient * (Real(1.0) / sqrt(squared_norm(gradient)));
    const auto inward = [](const Real& from, const Real& out) { return select(from < Real(0.0), out, -out); };
    return {dot(c - y, outward), {inward(d.x, outward.x), inward(d.y, outward.y), inward(d.z, outward.z)}};
}

template <class Real>
PLICA_INLINE SampleOf<Real> sample_any_wall(const Wall& wall, const Vec3Of<Real>& p) noexcept {
    return wall.kind == WallKind::plane  ? sample_plane(wall, p)
           : wall.kind == WallKind::bowl ? sample_bowl(wall, p)
                                         : sample_ellipsoid(wall, p);
}

}  // namespace plica
