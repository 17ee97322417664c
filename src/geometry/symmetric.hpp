#pragma once
#include "geometry/pose.hpp"

namespace plica {

// A symmetric matrix of three rows: inertia, and what it is inverted to.
struct Symmetric {
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;

    friend constexpr Vec3 operator*(const Symmetric& m, const Vec3& a) noexcept {
        return {m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
                m.xz * a.x + m.yz * a.y + m.zz * a.z};
    }
};

constexpr double trace(const Symmetric& m) noexcept {
    return m.xx + m.yy + m.zz;
}

// m + s 1
constexpr Symmetric add_to_diagonal(Symmetric m, double s) noexcept {
    m.xx += s;
    m.yy += s;
    m.zz += s;
    return m;
}

// Of a matrix that has an inverse.
constexpr Symmetric invert(const Symmetric& m) noexcept {
    const Symmetric cofactors{m.yy * m.zz - m.yz * m.yz, m.xx * m.zz - m.xz * m.xz, m.xx * m.yy - m.xy * m.xy,
                              m.xz * m.yz - m.xy * m.zz, m.xy * m.yz - m.xz * m.yy, m.xy * m.xz - m.xx * m.yz};
    const double s = 1.0 / (m.xx * cofactors.xx + m.xy * cofactors.xy + m.xz * cofactors.xz);
    return {cofactors.xx * s, cofactors.yy * s, cofactors.zz * s, cofactors.xy * s, cofactors.xz * s, cofactors.yz * s};
}

// R m R^T
inline Symmetric turn(const Pose& pose, const Symmetric& m) noexcept {
    const Vec3* r = pose.row;
    const Vec3 x = m * r[0], y = m * r[1], z = m * r[2];
    return {dot(r[0], x), dot(r[1], y), dot(r[2], z), dot(r[0], y), dot(r[0], z), dot(r[1], z)};
}

}  // namespace plica
