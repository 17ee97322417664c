#include <gtest/gtest.h>

#include <cmath>

#include "audit/triangle_pair.hpp"
#include "core/random.hpp"
#include "tests/audit/lattice_triangles.hpp"

namespace plica::audit {
namespace {

using namespace plica::testing;

Corners to_corners(const LatticeTriangle& t) {
    return {to_vec(t[0]), to_vec(t[1]), to_vec(t[2])};
}

LatticeTriangle random_triangle(Random& random, unsigned size) {
    LatticeTriangle t{};
    for (Lattice& p : t)
        for (Wide& x : p) x = static_cast<std::int64_t>(random.next() % size);
    return t;
}

// On a small lattice most contacts are degenerate: corners on sides, sides on sides, planes in common, no area.
TEST(TrianglePair, IsRightOnALattice) {
    Random random{3};
    for (const unsigned size : {2U, 3U, 5U, 9U, 1000U}) {
        int meeting = 0, beyond = 0, folded = 0;
        for (int i = 0; i < 20000; ++i) {
            LatticeTriangle p = random_triangle(random, size), q = random_triangle(random, size);
            const bool expected = lattice_meet(p, q);
            ASSERT_EQ(triangles_meet(to_corners(p), to_corners(q)), expected) << i;
            ASSERT_EQ(triangles_meet(to_corners(q), to_corners(p)), expected) << i;
            meeting += expected ? 1 : 0;
            q[0] = p[0];
            ASSERT_EQ(meet_beyond_corner(to_corners(p), to_corners(q)), lattice_meet_beyond_corner(p, q)) << i;
            beyond += lattice_meet_beyond_corner(p, q) ? 1 : 0;
            q[1] = p[1];
            const Corners a = to_corners(p);
            ASSERT_EQ(are_folded(a[0], a[1], a[2], to_vec(q[2])), lattice_folded(p, q)) << i;
            folded += lattice_folded(p, q) ? 1 : 0;
        }
        EXPECT_GT(meeting, size > 9 ? 100 : 1000) << size;
        EXPECT_LT(meeting, 19900) << size;
        EXPECT_GT(beyond, 1000) << size;
        EXPECT_LT(beyond, 19900) << size;
        EXPECT_EQ(folded > 0, size < 1000) << size;
    }
}

// In one plane that no axis is square to; lattice points of x + 2 y + 3 z = 0.
TEST(TrianglePair, IsRightInASlantedPlane) {
    Random random{5};
    int meeting = 0, beyond = 0, folded = 0;
    const auto point = [&]() -> Lattice {
        const auto u = static_cast<std::int64_t>(random.next() % 9), v = static_cast<std::int64_t>(random.next() % 9);
        return {2 * u + 3 * v, -u, -v};
    };
    for (int i = 0; i < 20000; ++i) {
        LatticeTriangle p{point(), point(), point()}, q{point(), point(), point()};
        ASSERT_EQ(triangles_meet(to_corners(p), to_corners(q)), lattice_meet(p, q)) << i;
        meeting += lattice_meet(p, q) ? 1 : 0;
        q[0] = p[0];
        ASSERT_EQ(meet_beyond_corner(to_corners(p), to_corners(q)), lattice_meet_beyond_corner(p, q)) << i;
        beyond += lattice_meet_beyond_corner(p, q) ? 1 : 0;
        q[1] = p[1];
        ASSERT_EQ(are_folded(to_vec(p[0]), to_vec(p[1]), to_vec(p[2]), to_vec(q[2])), lattice_folded(p, q)) << i;
        folded += lattice_folded(p, q) ? 1 : 0;
    }
    for (const int count : {meeting, beyond, folded}) {
        EXPECT_GT(count, 1000);
        EXPECT_LT(count, 19000);
    }
}

// Corners on a face and one lattice step beside it, where plain arithmetic has lost what decides.
TEST(TrianglePair, IsRightWhereRoundingIsNot) {
    Random random{19};
    constexpr std::int64_t part = 64;
    int meeting = 0, beyond = 0, plain_wrong = 0;
    for (int i = 0; i < 20000; ++i) {
        LatticeTriangle p = random_triangle(random, 1U << 19U), q = random_triangle(random, 1U << 25U);
        for (Lattice& corner : p)
            for (Wide& x : corner) x *= part;
        const auto s = static_cast<std::int64_t>(random.next() % part),
                   t = static_cast<std::int64_t>(random.next() % part);
        for (std::size_t k = 0; k < 3; ++k)
            q[0][k] = p[0][k] + (s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k])) / part;
        q[0][static_cast<std::size_t>(i) % 3] += static_cast<std::int64_t>(random.next() % 3) - 1;
        const Corners a = to_corners(p), b = to_corners(q);
        ASSERT_EQ(triangles_meet(a, b), lattice_meet(p, q)) << i;
        meeting += lattice_meet(p, q) ? 1 : 0;
        const Wide side = inner(product(difference(p[1], p[0]), difference(p[2], p[0])), difference(q[0], p[0]));
        const double plain = dot(cross(a[1] - a[0], a[2] - a[0]), b[0] - a[0]);
        plain_wrong += (side > 0) != (plain > 0.0) || (side < 0) != (plain < 0.0) ? 1 : 0;
        std::swap(q[0], q[1]);
        q[0] = p[0];
        ASSERT_EQ(meet_beyond_corner(to_corners(p), to_corners(q)), lattice_meet_beyond_corner(p, q)) << i;
        beyond += lattice_meet_beyond_corner(p, q) ? 1 : 0;
    }
    for (const int count : {meeting, beyond}) {
        EXPECT_GT(count, 1000);
        EXPECT_LT(count, 19000);
    }
    EXPECT_GT(plain_wrong, 100);  // control
}

// A corner on a face at places that rounding does not spare, and one last bit to either side.
TEST(TrianglePair, OneLastBitDecides) {
    const Corners face{Vec3{0.1, 0.1, 0.3}, Vec3{0.7, 0.2, 0.3}, Vec3{0.3, 0.9, 0.3}};
    const auto above = [](double z) { return Corners{Vec3{0.35, 0.4, z}, Vec3{0.3, 0.5, 0.9}, Vec3{0.5, 0.45, 0.8}}; };
    EXPECT_TRUE(triangles_meet(face, above(0.3)));
    EXPECT_TRUE(triangles_meet(face, above(std::nextafter(0.3, 0.0))));
    EXPECT_FALSE(triangles_meet(face, above(std::nextafter(0.3, 1.0))));
    // Two hinged faces that all but close.
    const Vec3 v{0.1, 0.1, 0.3}, w{0.7, 0.2, 0.3}, a{0.3, 0.9, 0.3};
    EXPECT_TRUE(are_folded(v, w, a, {0.4, 0.8, 0.3}));
    EXPECT_FALSE(are_folded(v, w, a, {0.4, 0.8, std::nextafter(0.3, 1.0)}));
    EXPECT_FALSE(are_folded(v, w, a, {0.4, -0.8, 0.3}));
}

}  // namespace
}  // namespace plica::audit
