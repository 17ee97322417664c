#pragma once
#include <cmath>

// Small functions that vector kernels are made of: a call would pass its arguments through memory.
#define PLICA_INLINE [[gnu::always_inline]] constexpr

namespace plica {

// What generic geometry asks of a number, for plain doubles; core/wide.hpp has the same for eight at a time.
constexpr double select(bool condition, double a, double b) noexcept {
    return condition ? a : b;
}
constexpr double min(double a, double b) noexcept {
    return a < b ? a : b;
}
constexpr double max(double a, double b) noexcept {
    return a > b ? a : b;
}

constexpr bool any(bool condition) noexcept {
    return condition;
}
using std::sqrt;

// Three numbers; metres, metres per second or newtons by context.
template <class Real>
struct Vec3Of {
    static constexpr bool packed_doubles = true;  // no padding: may be hashed and written as bytes
    Real x = 0.0, y = 0.0, z = 0.0;

    PLICA_INLINE Vec3Of& operator+=(const Vec3Of& o) noexcept {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    PLICA_INLINE Vec3Of& operator-=(const Vec3Of& o) noexcept {
        x -= o.x;
        y -= o.y;
        z -= o.z;
        return *this;
    }
    PLICA_INLINE Vec3Of& operator*=(const Real& s) noexcept {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    PLICA_INLINE friend Vec3Of operator+(Vec3Of a, const Vec3Of& b) noexcept { return a += b; }
    PLICA_INLINE friend Vec3Of operator-(Vec3Of a, const Vec3Of& b) noexcept { return a -= b; }
    PLICA_INLINE friend Vec3Of operator*(Vec3Of a, const Real& s) noexcept { return a *= s; }
    PLICA_INLINE friend Vec3Of operator*(const Real& s, Vec3Of a) noexcept { return a *= s; }
    PLICA_INLINE friend Vec3Of operator/(const Vec3Of& a, const Real& s) noexcept {
        return {a.x / s, a.y / s, a.z / s};
    }
    PLICA_INLINE friend Vec3Of operator-(const Vec3Of& a) noexcept { return {-a.x, -a.y, -a.z}; }
    friend constexpr bool operator==(const Vec3Of&, const Vec3Of&) noexcept = default;
};
using Vec3 = Vec3Of<double>;

template <class Real>
PLICA_INLINE Real dot(const Vec3Of<Real>& a, const Vec3Of<Real>& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
PLICA_INLINE Vec3Of<Real> cross(const Vec3Of<Real>& a, const Vec3Of<Real>& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
PLICA_INLINE Real squared_norm(const Vec3Of<Real>& a) noexcept {
    return dot(a, a);
}
template <class Condition, class Real>
PLICA_INLINE Vec3Of<Real> select(const Condition& condition, const Vec3Of<Real>& a, const Vec3Of<Real>& b) noexcept {
    return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
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
