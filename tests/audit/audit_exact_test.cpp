#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "audit/exact.hpp"
#include "core/random.hpp"

namespace plica::audit {
namespace {

__extension__ using Wide128 = __int128;
using Lattice64 = std::array<std::int64_t, 3>;

int sign(Wide128 v) {
    return v > 0 ? 1 : (v < 0 ? -1 : 0);
}

// a0 b0 + a1 b1 + a2 b2, whose products of 111 and 56 bits fit no integer: in two halves.
int sign_of_sum(const std::array<Wide128, 3>& a, const Lattice64& b) {
    constexpr int half = 60;
    constexpr Wide128 mask = (static_cast<Wide128>(1) << half) - 1;
    Wide128 high = 0, low = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        high += (a[k] >> half) * b[k];
        low += (a[k] & mask) * b[k];
    }
    high += low >> half;
    return high != 0 ? sign(high) : sign(low & mask);
}

Lattice64 operator-(const Lattice64& p, const Lattice64& q) {
    return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}

int reference(const Lattice64& a, const Lattice64& b, const Lattice64& c, const Lattice64& d) {
    const Lattice64 u = b - a, v = c - a;
    const auto minor = [&](std::size_t i, std::size_t j) {
        return static_cast<Wide128>(u[i]) * v[j] - static_cast<Wide128>(u[j]) * v[i];
    };
    return sign_of_sum({minor(1, 2), minor(2, 0), minor(0, 1)}, d - a);
}

int reference2d(const Lattice64& a, const Lattice64& b, const Lattice64& c) {
    const Lattice64 u = b - a, v = c - a;
    return sign(static_cast<Wide128>(u[0]) * v[1] - static_cast<Wide128>(u[1]) * v[0]);
}

int plain(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const double value = dot(cross(b - a, c - a), d - a);
    return value > 0.0 ? 1 : (value < 0.0 ? -1 : 0);
}

constexpr double steps = 0x1p53;  // doubles from 0.5 to 1 are multiples of 1 / steps

Lattice64 scaled(const Vec3& p) {
    return {static_cast<std::int64_t>(p.x * steps), static_cast<std::int64_t>(p.y * steps),
            static_cast<std::int64_t>(p.z * steps)};
}

double nudged(double x, Random& random, int most) {
    for (auto i = static_cast<int>(random.next() % static_cast<unsigned>(most + 1)); i > 0; --i)
        x = std::nextafter(x, (random.next() & 1U) != 0 ? 2.0 : 0.0);
    return std::clamp(x, 0.5, 1.0 - 1.0 / steps);
}

Vec3 nudged(const Vec3& p, Random& random, int most) {
    return {nudged(p.x, random, most), nudged(p.y, random, most), nudged(p.z, random, most)};
}

TEST(Exact, SignsOnSmallIntegers) {
    Random random{7};
    std::array<int, 3> seen{};
    for (int i = 0; i < 200000; ++i) {
        std::array<Lattice64, 4> p{};
        for (Lattice64& q : p)
            for (std::int64_t& x : q) x = static_cast<std::int64_t>(random.next() % 7) - 3;
        const auto at = [&](std::size_t k) {
            return Vec3{static_cast<double>(p[k][0]), static_cast<double>(p[k][1]), static_cast<double>(p[k][2])};
        };
        const auto flat = [&](std::size_t k) { return Point2{at(k).x, at(k).y}; };
        const int expected = reference(p[0], p[1], p[2], p[3]);
        ++seen[static_cast<std::size_t>(expected + 1)];
        ASSERT_EQ(orient3d(at(0), at(1), at(2), at(3)), expected);
        ASSERT_EQ(orient2d(flat(0), flat(1), flat(2)), reference2d(p[0], p[1], p[2]));
    }
    for (const int count : seen) EXPECT_GT(count, 10000);
}

// Points of a plane, rounded and moved by a few last bits: here plain arithmetic fails.
TEST(Exact, SignsNextToAPlane) {
    Random random{11};
    int wrong = 0;
    std::array<int, 3> seen{};
    for (int i = 0; i < 100000; ++i) {
        const auto point = [&] {
            return Vec3{random.uniform(0.5, 1.0), random.uniform(0.5, 1.0), random.uniform(0.5, 1.0)};
        };
        const Vec3 a = point();
        const double size = i % 2 == 0 ? 1.0 : std::pow(2.0, -random.uniform(0.0, 45.0));  // to a hundred last bits
        const Vec3 b = nudged(a + size * (point() - a), random, 0), c = nudged(a + size * (point() - a), random, 0);
        const double s = i % 8 == 0 ? 1.0 : random.uniform(-1.0, 1.0), t = i % 8 == 0 ? 1.0 : random.uniform(-1.0, 1.0);
        const Vec3 d = nudged(a + s * (b - a) + t * (c - a), random, i % 3);  // a parallelogram's corner is exact
        const int expected = reference(scaled(a), scaled(b), scaled(c), scaled(d));
        ++seen[static_cast<std::size_t>(expected + 1)];
        ASSERT_EQ(orient3d(a, b, c, d), expected);
        ASSERT_EQ(orient3d(b, a, c, d), -expected);
        ASSERT_EQ(orient3d(d, b, c, a), -expected);
        wrong += plain(a, b, c, d) != expected ? 1 : 0;
    }
    EXPECT_GT(wrong, 500);  // control
    EXPECT_GT(seen[0], 10000);
    EXPECT_GT(seen[1], 10);
    EXPECT_GT(seen[2], 10000);
}

TEST(Exact, SignsNextToALine) {
    Random random{13};
    int wrong = 0, zeros = 0;
    for (int i = 0; i < 100000; ++i) {
        const Vec3 a = nudged({random.uniform(0.5, 1.0), random.uniform(0.5, 1.0), 0.5}, random, 0);
        const Vec3 b = nudged({random.uniform(0.5, 1.0), random.uniform(0.5, 1.0), 0.5}, random, 0);
        const Vec3 c = nudged(a + random.uniform(-0.5, 1.0) * (b - a), random, 2);
        const int expected = reference2d(scaled(a), scaled(b), scaled(c));
        ASSERT_EQ(orient2d({a.x, a.y}, {b.x, b.y}, {c.x, c.y}), expected);
        const double value = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        wrong += (value > 0.0 ? 1 : (value < 0.0 ? -1 : 0)) != expected ? 1 : 0;
        zeros += expected == 0 ? 1 : 0;
    }
    EXPECT_GT(wrong, 100);
    EXPECT_LT(zeros, 1000);
}

// Magnitudes far apart: every part of the expansion counts.
TEST(Exact, SignsFromTheSmallestPart) {
    for (const double tiny : {1e-16, 1e-40, 1e-89}) {
        for (const double large : {1.0, 1e20, 1e80}) {
            const Vec3 o{};
            ASSERT_EQ(orient3d(o, {1, 0, 0}, {large, 1, 0}, {large, large, tiny}), 1);
            ASSERT_EQ(orient3d(o, {1, 0, 0}, {large, 1, 0}, {large, large, -tiny}), -1);
            ASSERT_EQ(orient3d(o, {1, 0, 0}, {large, 1, 0}, {large, large, 0}), 0);
            // (1, 1, tiny) x (1, 1, 0) = tiny (-1, 1, 0)
            ASSERT_EQ(orient3d(o, {1, 1, tiny}, {1, 1, 0}, {large, -large, 1}), -1);
            ASSERT_EQ(orient3d(o, {1, 1, tiny}, {1, 1, 0}, {large, large, 1}), 0);
            ASSERT_EQ(orient2d({large, large}, {-large, -large}, {0, tiny}), -1);
            ASSERT_EQ(orient2d({large, large}, {-large, -large}, {tiny, 0}), 1);
            ASSERT_EQ(orient2d({large, large}, {-large, -large}, {tiny, tiny}), 0);
        }
    }
}

}  // namespace
}  // namespace plica::audit
