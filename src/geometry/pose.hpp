#pragma once

#include "core/elementary.hpp"
#include "geometry/vec3.hpp"

namespace plica {

// Where a rigid thing is: x = R X + shift, with the rows of R.
struct Pose {
    Vec3 row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vec3 shift{};  // m
};

// Without the shift: directions.
inline Vec3 turn(const Pose& p, const Vec3& d) noexcept {
    return {dot(p.row[0], d), dot(p.row[1], d), dot(p.row[2], d)};
}
inline Vec3 apply(const Pose& p, const Vec3& x) noexcept {
    return turn(p, x) + p.shift;
}

// Turns about the vector's direction by its length (rad), then shifts. (Rodrigues)
inline Pose make_pose(const Vec3& rotation, const Vec3& shift) noexcept {
    const double angle = norm(rotation);
    const Vec3 axis = normalized(rotation);
    const double s = elementary::sin(angle), c = elementary::cos(angle);
    const auto column = [&](const Vec3& e) { return e * c + cross(axis, e) * s + axis * (dot(axis, e) * (1.0 - c)); };
    const Vec3 x = column({1, 0, 0}), y = column({0, 1, 0}), z = column({0, 0, 1});
    return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}, shift};
}

inline Pose invert(const Pose& p) noexcept {
    Pose r;
    r.row[0] = {p.row[0].x, p.row[1].x, p.row[2].x};
    r.row[1] = {p.row[0].y, p.row[1].y, p.row[2].y};
    r.row[2] = {p.row[0].z, p.row[1].z, p.row[2].z};
    r.shift = -turn(r, p.shift);
    return r;
}

// First b, then a.
inline Pose compose(const Pose& a, const Pose& b) noexcept {
    Pose r;
    for (int i = 0; i < 3; ++i) {
        r.row[i] = b.row[0] * a.row[i].x + b.row[1] * a.row[i].y + b.row[2] * a.row[i].z;
    }
    r.shift = apply(a, b.shift);
    return r;
}

}  // namespace plica
