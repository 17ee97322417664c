#pragma once
#include "core/elementary.hpp"
#include "geometry/vec3.hpp"

// Rotations as vectors: about the vector's direction by its length (rad). Composed as unit quaternions, which lose no
// digits at any angle.
namespace plica {

struct Quaternion {
    double w = 1.0;
    Vec3 v{};
};

inline Quaternion quaternion_of(const Vec3& rotation) noexcept {
    const double angle = norm(rotation);
    return {elementary::cos(0.5 * angle), normalized(rotation) * elementary::sin(0.5 * angle)};
}

// At most pi long.
inline Vec3 rotation_of(const Quaternion& q) noexcept {
    const double sine = norm(q.v);
    const double angle = 2.0 * elementary::atan2(sine, std::abs(q.w));
    return normalized(q.v) * (q.w < 0.0 ? -angle : angle);
}

// First b, then a.
inline Vec3 compose_rotations(const Vec3& a, const Vec3& b) noexcept {
    const Quaternion p = quaternion_of(a), q = quaternion_of(b);
    return rotation_of({p.w * q.w - dot(p.v, q.v), q.v * p.w + p.v * q.w + cross(p.v, q.v)});
}

// What is to follow the first to get the second; the shorter way.
inline Vec3 rotation_between(const Vec3& first, const Vec3& second) noexcept {
    return compose_rotations(second, -first);
}

}  // namespace plica
