#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "geometry/closest.hpp"
#include "tests/contact/contacts.hpp"

namespace plica::testing {
namespace {

// Axes that meet, and the memory of sides.

struct Meeting {
    std::string name;
    std::vector<Vec3> x;  // nodes 0 1 and 2 3
    bool first_is_sphere = false, second_is_sphere = false;
};

std::vector<Meeting> meetings() {
    return {{"cross", {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}},
            {"skewed", {{-1, -0.2, 0}, {0.7, 0.14, 0}, {0.3, -1, 0.5}, {-0.3, 1, -0.5}}},
            {"corner", {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 1}}},
            {"end on side", {{-1, 0, 0}, {1, 0, 0}, {0.2, 0, 0}, {0.2, 1, 1}}},
            {"same", {{0, 0, 0}, {1, 0.5, 0}, {0, 0, 0}, {1, 0.5, 0}}},
            {"opposite", {{0, 0, 0}, {0, 0, 2}, {0, 0, 2}, {0, 0, 0}}},
            {"in line", {{0, 0, 0}, {0, 2, 0}, {0, 1, 0}, {0, 3, 0}}},
            {"end to end", {{0, 0, 0}, {0, 2, 0}, {0, 2, 0}, {0, 3, 0}}},
            {"ball on axis", {{-1, 0, 0}, {1, 0, 0}, {0.3, 0, 0}, {5, 5, 5}}, false, true},
            {"ball first", {{0.3, 0, 0}, {5, 5, 5}, {-1, 0, 0}, {1, 0, 0}}, true, false},
            {"two balls", {{0.3, 0, 0}, {5, 5, 5}, {0.3, 0, 0}, {-5, 5, 5}}, true, true}};
}

Bench meet(const Meeting& meeting, const Vec3& side) {
    Bench b;
    for (const Vec3& x : meeting.x) b.add_node(x, 1.0, {0.1, -0.2, 0.3});
    b.add_capsule(0, meeting.first_is_sphere ? 0 : 1, 0.3);
    b.add_capsule(2, meeting.second_is_sphere ? 2 : 3, 0.2);
    b.detect();
    if (!b.list.pairs.empty()) b.list.pairs[0].side = side;
    b.respond_raghupathi();
    return b;
}

// From b to a, between the material points that met.
Vec3 parted(const Bench& b) {
    const Capsule& p = b.surface.capsules[0];
    const Capsule& q = b.surface.capsules[1];
    const SegmentPair c = closest_segment_segment(b.x[at(p.a)], b.x[at(p.b)], b.x[at(q.a)], b.x[at(q.b)]);
    return b.p[at(p.a)] * (1.0 - c.s) + b.p[at(p.b)] * c.s - b.p[at(q.a)] * (1.0 - c.t) - b.p[at(q.b)] * c.t;
}

double separation(const Bench& b) {
    const Capsule& c = b.surface.capsules[0];
    const Capsule& d = b.surface.capsules[1];
    return std::sqrt(closest_segment_segment(b.p[at(c.a)], b.p[at(c.b)], b.p[at(d.a)], b.p[at(d.b)]).squared_distance);
}

TEST(MeetingAxes, AreSeparatedByOneResponse) {
    for (const Meeting& meeting : meetings()) {
        SCOPED_TRACE(meeting.name);
        const Bench b = meet(meeting, {});
        ASSERT_EQ(b.list.pairs.size(), 1u);
        for (const Vec3& p : b.p) ASSERT_TRUE(is_finite(p));
        for (const Vec3& v : b.v) ASSERT_TRUE(is_finite(v));
        EXPECT_NEAR(norm(parted(b)), 0.5, 1e-12);
        EXPECT_GT(separation(b), 0.9 * 0.5);  // measured anew: the push turned the segments a little
        EXPECT_LE(separation(b), 0.5 + 1e-12);
        const Bench again = meet(meeting, {});
        EXPECT_EQ(b.p, again.p);
        EXPECT_EQ(b.v, again.v);
    }
}

TEST(MeetingAxes, AreSeparatedToTheRememberedSide) {
    for (const Meeting& meeting : meetings()) {
        SCOPED_TRACE(meeting.name);
        const Vec3 a = meeting.first_is_sphere ? Vec3{} : meeting.x[1] - meeting.x[0];
        const Vec3 b = meeting.second_is_sphere ? Vec3{} : meeting.x[3] - meeting.x[2];
        Vec3 across = normalized(cross(a, b));
        if (across == Vec3{})
            across = any_perpendicular(normalized(a == Vec3{} ? (b == Vec3{} ? Vec3{0, 0, 1} : b) : a));
        for (const Vec3& side : {across, -across}) {
            const Bench met = meet(meeting, side);
            ASSERT_EQ(met.list.pairs.size(), 1u);
            EXPECT_LT(distance(parted(met), side * 0.5), 1e-12);
            EXPECT_EQ(met.p, meet(meeting, side).p);
        }
    }
}

// Two capsules across each other, the first `height` above the second.
Bench crossed(double height, const Vec3& side) {
    Bench b;
    b.add_node({-1, 0, height}, 1.0);
    b.add_node({1, 0, height}, 0.5);
    b.add_node({0, -1, 0}, 0.8);
    b.add_node({0, 1, 0}, 1.3);
    b.add_capsule(0, 1, 0.3);
    b.add_capsule(2, 3, 0.2);
    b.detect();
    b.list.pairs.at(0).side = side;
    b.respond_raghupathi();
    return b;
}

double height_of_first(const Bench& b) {
    return 0.5 * (b.p[0].z + b.p[1].z) - 0.5 * (b.p[2].z + b.p[3].z);
}

TEST(SideMemory, AxesThatCrossedArePushedBack) {
    for (const double depth : {1e-9, 0.01, 0.1, 0.3, 0.49}) {
        SCOPED_TRACE(depth);
        EXPECT_NEAR(height_of_first(crossed(-depth, {0, 0, 1})), 0.5, 1e-9);
        EXPECT_NEAR(height_of_first(crossed(depth, {0, 0, -1})), -0.5, 1e-9);
        EXPECT_NEAR(height_of_first(crossed(depth, {0, 0, 1})), 0.5, 1e-9);
    }
}

TEST(SideMemory, WithoutItTheyArePushedThrough) {
    for (const double depth : {0.01, 0.1, 0.3, 0.49}) {
        EXPECT_NEAR(height_of_first(crossed(-depth, {})), -0.5, 1e-9);
        EXPECT_NEAR(height_of_first(crossed(depth, {})), 0.5, 1e-9);
    }
}

TEST(SideMemory, CrossingWithinTheSubstepIsUndone) {
    // The start of the substep knows the side, whatever happened before.
    for (const double below : {0.01, 0.3, 1.0, 40.0}) {
        Bench b;
        b.add_node({-1, 0, 0.6}, 1.0, {0, 0, -1});
        b.add_node({1, 0, 0.6}, 0.5, {0, 0, -1});
        b.add_node({0, -1, 0}, 0.8);
        b.add_node({0, 1, 0}, 1.3);
        b.add_capsule(0, 1, 0.3);
        b.add_capsule(2, 3, 0.2);
        b.detect(1.0 + below);
        b.p[0].z = b.p[1].z = -below;
        b.respond_raghupathi();
        EXPECT_NEAR(height_of_first(b), 0.5, 1e-9) << below;
        EXPECT_GT(b.list.pairs.at(0).side.z, 0.0);
    }
}

TEST(SideMemory, IsForgottenWhenApart) {
    Bench b = crossed(0.1, {0, 0, 1});
    b.x = b.p;
    for (const std::size_t n : {0u, 1u}) b.x[n].z += 0.1;
    b.p = b.x;
    b.respond_raghupathi();
    EXPECT_EQ(b.list.pairs.at(0).side, Vec3{});
}

}  // namespace
}  // namespace plica::testing
