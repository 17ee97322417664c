#include <gtest/gtest.h>

#include <cmath>

#include "contact/measure.hpp"
#include "core/random.hpp"

// Where rows of tubes act that lie along each other.
namespace plica::testing {
namespace {

using Closest = ClosestOf<double, Shape::segments>;
constexpr double length = 0.016, apart = 0.02;  // m

struct Acting {
    Closest closest, acts;
    Vec3 from, normal;  // the normal of the closest points, and that along which the row acts
};
Acting find(const Vec3 (&x)[5]) {
    Acting a;
    a.closest = a.acts = find_closest<Shape::segments>(x);
    a.from = a.normal = a.closest.between / a.closest.distance;
    act_evenly(x, a.acts, a.normal);
    return a;
}

// Side by side, the ends of the second lower and higher by `tilt`, m.
Acting find_tilted(double tilt) {
    return find({{0, 0, apart}, {length, 0, apart}, {0, 0, -tilt}, {length, 0, tilt}, {}});
}

// m kg m: what a unit push turns.
Vec3 torque(const Vec3 (&x)[5], const Closest& c, const Vec3& normal) {
    Vec3 sum;
    for (int k = 0; k < 4; ++k) sum += cross(x[k], normal) * c.weight[k];
    return sum;
}

TEST(Along, RowsOfTubesSideBySideActInTheMiddle) {
    constexpr double hair = 1e-7;  // m
    for (const double tilt : {-hair, hair}) EXPECT_NEAR(find_tilted(tilt).acts.weight[1], 0.5, 0.01);
    // The control: the closest points are at one end, then at the other.
    constexpr double little = 1e-5;
    EXPECT_EQ(find_tilted(-little).closest.weight[1], 0.0);
    EXPECT_EQ(find_tilted(little).closest.weight[1], 1.0);
    EXPECT_LT(std::abs(find_tilted(little).acts.weight[1] - find_tilted(-little).acts.weight[1]), 0.5);
}

TEST(Along, OthersActWhereTheyAreClosest) {
    const Acting crossed = find({{0, 0, apart}, {length, 0, apart}, {0.002, -0.008, 0}, {0.006, 0.008, 0}, {}});
    EXPECT_NEAR(crossed.acts.weight[1], crossed.closest.weight[1], 0.005);
    const Acting leaning = find_tilted(0.2 * length);
    EXPECT_NEAR(leaning.acts.weight[1], 1.0, 0.01);
}

TEST(Along, NothingIsTurned) {
    Random random{5};
    double turned = 0.0, control = 0.0;
    for (int i = 0; i < 1000; ++i) {
        Vec3 x[5] = {{0, 0, apart}, {length, 0, apart}, {}, {length, 0, 0}, {}};
        for (Vec3& each : x) each += Vec3{random.uniform(), random.uniform(), random.uniform()} * 0.002;
        const Acting a = find(x);
        turned = std::max(turned, norm(torque(x, a.acts, a.normal)));
        control = std::max(control, norm(torque(x, a.acts, a.from)));
    }
    EXPECT_LT(turned, 1e-15);
    EXPECT_GT(control, 1e-5) << "along the normal of the closest points it would";
}

}  // namespace
}  // namespace plica::testing
