#pragma once
#include <limits>

#include "geometry/pose.hpp"

// Axis-aligned bounding boxes.
namespace plica {

// An axis-aligned box; empty by default.
struct Bounds {
    static constexpr double nothing = std::numeric_limits<double>::infinity();
    Vec3 lo{nothing, nothing, nothing};
    Vec3 hi{-nothing, -nothing, -nothing};
};

inline void include(Bounds& b, const Vec3& x) noexcept {
    b.lo = {min(b.lo.x, x.x), min(b.lo.y, x.y), min(b.lo.z, x.z)};
    b.hi = {max(b.hi.x, x.x), max(b.hi.y, x.y), max(b.hi.z, x.z)};
}
inline Bounds merge(const Bounds& a, const Bounds& b) noexcept {
    return {{min(a.lo.x, b.lo.x), min(a.lo.y, b.lo.y), min(a.lo.z, b.lo.z)},
            {max(a.hi.x, b.hi.x), max(a.hi.y, b.hi.y), max(a.hi.z, b.hi.z)}};
}
inline Bounds grown(const Bounds& b, double by) noexcept {
    return {b.lo - Vec3{by, by, by}, b.hi + Vec3{by, by, by}};
}
inline bool overlap(const Bounds& a, const Bounds& b, double within = 0.0) noexcept {
    return a.lo.x <= b.hi.x + within && b.lo.x <= a.hi.x + within && a.lo.y <= b.hi.y + within &&
           b.lo.y <= a.hi.y + within && a.lo.z <= b.hi.z + within && b.lo.z <= a.hi.z + within;
}
// m: how far two boxes are apart, 0 when they overlap.
inline double gap_between(const Bounds& a, const Bounds& b) noexcept {
    const auto along = [](double alo, double ahi, double blo, double bhi) {
        return max(0.0, max(blo - ahi, alo - bhi));
    };
    return norm(Vec3{along(a.lo.x, a.hi.x, b.lo.x, b.hi.x), along(a.lo.y, a.hi.y, b.lo.y, b.hi.y),
                     along(a.lo.z, a.hi.z, b.lo.z, b.hi.z)});
}
// m^3, of the box with every side longer by `extra`: flat boxes of different sizes differ.
inline double volume_of(const Bounds& b, double extra = 0.0) noexcept {
    const Vec3 d = b.hi - b.lo;
    return (d.x + extra) * (d.y + extra) * (d.z + extra);
}
// The box around a box that was moved.
inline Bounds moved(const Pose& pose, const Bounds& b) noexcept {
    const Vec3 centre = apply(pose, 0.5 * (b.lo + b.hi));
    const Vec3 half = 0.5 * (b.hi - b.lo);
    const auto extent = [&](const Vec3& row) {
        return std::abs(row.x) * half.x + std::abs(row.y) * half.y + std::abs(row.z) * half.z;
    };
    const Vec3 around{extent(pose.row[0]), extent(pose.row[1]), extent(pose.row[2])};
    return {centre - around, centre + around};
}

}  // namespace plica
