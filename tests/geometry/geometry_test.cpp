#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "geometry/closest.hpp"
#include "geometry/pose.hpp"
#include "geometry/wall.hpp"

namespace plica {
namespace {

Vec3 random_point(Random& random, double size = 1.0) {
    const double x = random.uniform(-size, size);
    const double y = random.uniform(-size, size);
    return {x, y, random.uniform(-size, size)};
}

double point_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double l2 = squared_norm(d);
    const double t = l2 > 0.0 ? std::clamp(dot(p - a, d) / l2, 0.0, 1.0) : 0.0;
    return distance(p, a + d * t);
}

// Smallest distance by searching the first parameter on a fine grid and then by golden section: the distance to a
// segment is convex along a line, so this finds it to rounding.
double searched(const Vec3& p1, const Vec3& p2, const Vec3& q1, const Vec3& q2) {
    const auto f = [&](double s) { return point_segment(p1 + (p2 - p1) * s, q1, q2); };
    double lo = 0.0;
    double hi = 1.0;
    for (int i = 0; i < 200; ++i) {
        const double a = lo + (hi - lo) * 0.381966;
        const double b = lo + (hi - lo) * 0.618034;
        (f(a) < f(b) ? hi : lo) = f(a) < f(b) ? b : a;
    }
    return std::min({f(0.5 * (lo + hi)), f(0.0), f(1.0)});
}

struct Case {
    Vec3 p1, p2, q1, q2;
    double tolerance = 1e-9;
};

Case draw(Random& random, int kind) {
    Case c{random_point(random), random_point(random), random_point(random), random_point(random)};
    const double k = random.uniform(-2, 2);
    if (kind == 1) c.q2 = c.q1 + (c.p2 - c.p1) * k;  // parallel
    if (kind == 2) {                                 // collinear
        c.q1 = c.p1 + (c.p2 - c.p1) * random.uniform(-2, 2);
        c.q2 = c.p1 + (c.p2 - c.p1) * k;
    }
    if (kind == 3) c.q2 = c.q1;  // a point
    if (kind == 4) c.p2 = c.p1;
    if (kind == 5) c.p2 = c.p1, c.q2 = c.q1;  // two points
    if (kind == 6) {                          // crossing
        const Vec3 meet = c.p1 + (c.p2 - c.p1) * random.uniform();
        c.q2 = meet + (meet - c.q1) * random.uniform(0, 2);
    }
    if (kind == 7) {  // almost parallel: the parallel answer
        c.q2 = c.q1 + (c.p2 - c.p1) * k + random_point(random, 1e-6);
        c.tolerance = 1e-6;
    }
    return c;
}

// U1
TEST(SegmentSegment, AgreesWithSearch) {
    Random random{11};
    for (int i = 0; i < 100000; ++i) {
        const Case c = draw(random, i % 8);
        const double size = 1.0 + distance(c.p1, c.p2) + distance(c.q1, c.q2);
        const SegmentPair found = closest_segment_segment(c.p1, c.p2, c.q1, c.q2);
        ASSERT_GE(found.s, 0.0);
        ASSERT_LE(found.s, 1.0);
        ASSERT_GE(found.t, 0.0);
        ASSERT_LE(found.t, 1.0);
        const double d = distance(c.p1 + (c.p2 - c.p1) * found.s, c.q1 + (c.q2 - c.q1) * found.t);
        ASSERT_NEAR(std::sqrt(found.squared_distance), d, 1e-9 * size);
        ASSERT_NEAR(d, searched(c.p1, c.p2, c.q1, c.q2), c.tolerance * size) << "case " << i % 8;
        const SegmentPair swapped = closest_segment_segment(c.q1, c.q2, c.p1, c.p2);
        ASSERT_NEAR(std::sqrt(swapped.squared_distance), d, std::max(1e-8, 2 * c.tolerance) * size);
    }
}

TEST(SegmentSegment, ParallelOverlapAnswersItsMiddle) {
    const SegmentPair a = closest_segment_segment(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0.5, 1, 0}, Vec3{1.5, 1, 0});
    EXPECT_NEAR(a.s, 0.75, 1e-12);
    EXPECT_NEAR(a.t, 0.25, 1e-12);
    const SegmentPair b = closest_segment_segment(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0.75, 1, 0}, Vec3{0.25, 1, 0});
    EXPECT_NEAR(b.s, 0.5, 1e-12);
    EXPECT_NEAR(b.t, 0.5, 1e-12);
}

double searched_triangle(const Vec3& p1, const Vec3& p2, const Vec3& a, const Vec3& b, const Vec3& c) {
    double best = 1e30;
    for (int i = 0; i <= 60; ++i) {
        for (int j = 0; j <= 60 - i; ++j) {
            const double u = i / 60.0;
            const double v = j / 60.0;
            best = std::min(best, point_segment(a * u + b * v + c * (1.0 - u - v), p1, p2));
        }
    }
    return best;
}

TEST(SegmentTriangle, IsNeverLongerThanSearchAndTouchesWhereItSays) {
    Random random{5};
    int pierced = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 a = random_point(random);
        const Vec3 b = random_point(random);
        const Vec3 c = i % 5 == 0 ? a + (b - a) * random.uniform() : random_point(random);  // every fifth without area
        const Vec3 p1 = random_point(random);
        const Vec3 p2 = random_point(random);
        const SegmentTriangle found = closest_segment_triangle(p1, p2, a, b, c);
        ASSERT_NEAR(found.u + found.v + found.w, 1.0, 1e-12);
        ASSERT_GE(std::min({found.u, found.v, found.w}), -1e-12);
        const double d = distance(p1 + (p2 - p1) * found.s, a * found.u + b * found.v + c * found.w);
        ASSERT_NEAR(d, std::sqrt(found.squared_distance), 1e-7);
        const double reference = searched_triangle(p1, p2, a, b, c);
        ASSERT_LE(d, reference + 1e-9);
        ASSERT_GE(d, reference - 0.06);  // the search's grid
        pierced += found.pierced ? 1 : 0;
    }
    EXPECT_GT(pierced, 100);
}

TEST(Wall, DistanceIsExactAndTheBoundIsOne) {
    Random random{3};
    const Wall cavity{WallKind::ellipsoid, {0.1, 0.2, 0.3}, {0, 0, 1}, {0.22, 0.18, 0.16}, 0.0};
    for (int i = 0; i < 2000; ++i) {
        const Vec3 p = cavity.center + random_point(random, 0.3);
        const SurfaceSample s = sample_wall(cavity, p);
        const Vec3 d = p - cavity.center;
        const double q = squared_norm(Vec3{d.x / 0.22, d.y / 0.18, d.z / 0.16});
        ASSERT_EQ(s.distance > 0.0, q < 1.0);
        ASSERT_NEAR(norm(s.normal), 1.0, 1e-12);
        ASSERT_LE(distance_bound(cavity, p), s.distance + 1e-9);
        // The closest point lies on the surface, straight along the normal ...
        const Vec3 foot = p - s.normal * s.distance - cavity.center;
        ASSERT_NEAR(squared_norm(Vec3{foot.x / 0.22, foot.y / 0.18, foot.z / 0.16}), 1.0, 1e-6);
        // ... and no other point of the surface is closer.
        for (int k = 0; k < 20; ++k) {
            const Vec3 u = normalized(random_point(random));
            const Vec3 other = cavity.center + Vec3{u.x * 0.22, u.y * 0.18, u.z * 0.16};
            ASSERT_GE(distance(other, p), std::abs(s.distance) - 1e-9);
        }
    }
}

TEST(Wall, CentrePlanesAndBowl) {
    const Wall cavity{WallKind::ellipsoid, {}, {0, 0, 1}, {0.2, 0.3, 0.1}, 0.0};
    EXPECT_NEAR(sample_wall(cavity, {0, 0, 0}).distance, 0.1, 1e-6);
    EXPECT_NEAR(sample_wall(cavity, {0, 0, -0.05}).distance, 0.05, 1e-6);
    EXPECT_NEAR(sample_wall(cavity, {0.25, 0, 0}).distance, -0.05, 1e-6);
    const Wall bowl{WallKind::bowl, {0, 0, 0.15}, {0, 0, 1}, {0.15, 0.15, 0.15}, 0.0};
    EXPECT_NEAR(sample_wall(bowl, {0, 0, 0.02}).distance, 0.02, 1e-12);
    EXPECT_NEAR(sample_wall(bowl, {0.1, 0, 0.5}).distance, 0.05, 1e-12);
    EXPECT_EQ(sample_wall(bowl, {0.1, 0, 0.5}).normal, (Vec3{-1, 0, 0}));
    const Wall plane{WallKind::plane, {0, 0, 1}, {0, 0, 1}, {}, 0.0};
    EXPECT_NEAR(sample_wall(plane, {5, 5, 3}).distance, 2.0, 1e-12);
}

TEST(Pose, TurnsShiftsComposesAndInverts) {
    const Pose quarter = make_pose({0, 0, std::acos(0.0)}, {1, 2, 3});
    EXPECT_LT(distance(apply(quarter, {1, 0, 0}), {1, 3, 3}), 1e-15);
    EXPECT_LT(distance(turn(quarter, {0, 1, 0}), {-1, 0, 0}), 1e-15);
    EXPECT_EQ(apply(make_pose({}, {}), Vec3{1, 2, 3}), (Vec3{1, 2, 3}));
    Random random{5};
    for (int i = 0; i < 1000; ++i) {
        const Pose a = make_pose(random_point(random, 3.0), random_point(random));
        const Pose b = make_pose(random_point(random, 3.0), random_point(random));
        const Vec3 x = random_point(random), y = random_point(random);
        ASSERT_NEAR(distance(apply(a, x), apply(a, y)), distance(x, y), 1e-14);
        ASSERT_LT(distance(cross(turn(a, x), turn(a, y)), turn(a, cross(x, y))), 1e-14);  // no reflection
        ASSERT_LT(distance(apply(compose(a, b), x), apply(a, apply(b, x))), 1e-14);
        ASSERT_LT(distance(apply(invert(a), apply(a, x)), x), 1e-14);
    }
}

}  // namespace
}  // namespace plica
