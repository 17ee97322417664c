#pragma once
#include <cmath>

namespace plica {

// Three doubles; metres, metres per second or newtons by context.
struct Vec3 {
    static constexpr bool packed_doubles = true;  // no padding: may be hashed and written as bytes
    double x = 0.0, y = 0.0, z = 0.0;

    constexpr Vec3& operator+=(const Vec3& o) noexcept {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    constexpr Vec3& operator-=(const Vec3& o) noexcept {
        x -= o.x;
        y -= o.y;
        z -= o.z;
        return *this;
    }
    constexpr Vec3& operator*=(double s) noexcept {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) noexcept { return a += b; }
    friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) noexcept { return a -= b; }
    friend constexpr Vec3 operator*(Vec3 a, double s) noexcept { return a *= s; }
    friend constexpr Vec3 operator*(double s, Vec3 a) noexcept { return a *= s; }
    friend constexpr Vec3 operator/(Vec3 a, double s) noexcept { return {a.x / s, a.y / s, a.z / s}; }
    friend constexpr Vec3 operator-(const Vec3& a) noexcept { return {-a.x, -a.y, -a.z}; }
    friend constexpr bool operator==(const Vec3&, const Vec3&) noexcept = default;
};

constexpr double dot(const Vec3& a, const Vec3& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr double squared_norm(const Vec3& a) noexcept {
    return dot(a, a);
}
inline double norm(const Vec3& a) noexcept {
    return std::sqrt(dot(a, a));
}
inline double distance(const Vec3& a, const Vec3& b) noexcept {
    return norm(a - b);
}
// The zero vector stays zero.
inline Vec3 normalized(const Vec3& a) noexcept {
    const double length = norm(a);
    return length > 0.0 ? a / length : Vec3{};
}
// Some unit vector perpendicular to the unit vector a; the same one for the same bits. For the zero vector, some
// vector.
inline Vec3 any_perpendicular(const Vec3& a) noexcept {
    if (a == Vec3{}) return {1, 0, 0};
    const Vec3 axis = std::abs(a.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return normalized(cross(a, axis));
}
inline bool is_finite(const Vec3& a) noexcept {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace plica
