#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "geometry/closest.hpp"
#include "tests/contact/contacts.hpp"

namespace plica::testing {
namespace {

Vec3 somewhere(Random& random, double size) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

struct Checks {
    double distance = 0.0;  // from r1 + r2, between the material points that were closest, along the normal
    double approach = 0.0;  // speed at which these points still come closer
    double linear = 0.0, angular = 0.0;  // momentum gained, by the velocities and by the displacements
    double energy = 0.0;                 // kinetic energy gained

    void take_worst(const Checks& o) {
        distance = std::max(distance, o.distance);
        approach = std::max(approach, o.approach);
        linear = std::max(linear, o.linear);
        angular = std::max(angular, o.angular);
        energy = std::max(energy, o.energy);
    }
};

double energy_of_nodes(const std::vector<double>& w, const std::vector<Vec3>& v) {
    double sum = 0.0;
    for (std::size_t n = 0; n < w.size(); ++n) {
        if (w[n] > 0.0) sum += 0.5 * squared_norm(v[n]) / w[n];
    }
    return sum;
}

// weights: side a positive, side b negative, one per node; u from b to a.
Checks check(const Bench& before, const std::vector<Vec3>& p, const std::vector<Vec3>& v,
             const std::vector<double>& weights, const Vec3& u, double radii) {
    Checks result;
    Vec3 between{}, speed{}, push{}, turn{}, shift{}, twist{};
    bool pinned = false;
    for (std::size_t n = 0; n < weights.size(); ++n) {
        between += p[n] * weights[n];
        speed += v[n] * weights[n];
        if (before.w[n] == 0.0) {
            pinned = true;
            continue;
        }
        const double m = 1.0 / before.w[n];
        push += (v[n] - before.v[n]) * m;
        turn += cross(before.x[n] - Vec3{0.3, -0.7, 0.2}, (v[n] - before.v[n]) * m);
        shift += (p[n] - before.x[n]) * m;
        twist += cross(before.x[n] + Vec3{0.1, 0.5, -0.4}, (p[n] - before.x[n]) * m);
    }
    result.distance = std::abs(dot(between, u) - radii);
    result.approach = std::max(0.0, -dot(speed, u));
    if (!pinned) {  // what holds a pinned node takes its share
        result.linear = std::max(norm(push), norm(shift));
        result.angular = std::max(norm(turn), norm(twist));
    }
    result.energy = energy_of_nodes(before.w, v) - energy_of_nodes(before.w, before.v);
    return result;
}

// Nodes 0 1 and 2 3 are two capsules that overlap.
struct Overlap {
    Bench bench;
    std::vector<double> weights;
    Vec3 u;
    double distance = 0.0, radii = 0.0;
    double speed = 0.0;  // of the closest points against each other, along u
};

Overlap random_overlap(Random& random, bool unit_masses = false) {
    for (;;) {
        Overlap o;
        for (int n = 0; n < 4; ++n) {
            const Vec3 where = somewhere(random, 1.0);
            const double mass = unit_masses ? 1.0 : random.uniform(0.1, 10.0);
            o.bench.add_node(where, 1.0 / mass, somewhere(random, 1.0));
        }
        const double r1 = random.uniform(0.2, 1.2), r2 = random.uniform(0.2, 1.2);
        o.bench.add_capsule(0, 1, r1);
        o.bench.add_capsule(2, 3, r2);
        o.radii = r1 + r2;
        const auto& x = o.bench.x;
        const SegmentPair c = closest_segment_segment(x[0], x[1], x[2], x[3]);
        o.distance = std::sqrt(c.squared_distance);
        if (o.distance < 1e-3 || o.distance > 0.999 * o.radii) continue;
        o.weights = {1.0 - c.s, c.s, c.t - 1.0, -c.t};
        Vec3 between{};
        Vec3 speed{};
        for (std::size_t n = 0; n < 4; ++n) {
            between += x[n] * o.weights[n];
            speed += o.bench.v[n] * o.weights[n];
        }
        o.u = normalized(between);
        o.speed = dot(speed, o.u);
        return o;
    }
}

TEST(Raghupathi, OneResponseSettlesAPair) {
    Random random{1};
    Checks worst;
    double measured = 0.0;  // what a new search for the closest points says
    int separating = 0;
    for (int round = 0; round < 2000; ++round) {
        Overlap o = random_overlap(random);
        const Bench before = o.bench;
        o.bench.detect();
        ASSERT_EQ(o.bench.list.pairs.size(), 1u);
        o.bench.respond_raghupathi();
        worst.take_worst(check(before, o.bench.p, o.bench.v, o.weights, o.u, o.radii));
        const auto& p = o.bench.p;
        const double now = std::sqrt(closest_segment_segment(p[0], p[1], p[2], p[3]).squared_distance);
        measured = std::max(measured, std::abs(now / o.radii - 1.0));
        ASSERT_LE(now, o.radii + 1e-12);  // never pushed further than to touch
        if (o.speed >= 0.0) {
            ++separating;
            ASSERT_EQ(o.bench.v, before.v);
            ASSERT_EQ(o.bench.list.pairs[0].push, 0.0);
        } else {
            ASSERT_GT(o.bench.list.pairs[0].push, 0.0);
        }
    }
    RecordProperty("distance_measured_anew", std::to_string(measured));
    EXPECT_GT(separating, 500);
    EXPECT_LT(separating, 1500);
    EXPECT_LT(worst.distance, 1e-12);
    EXPECT_LT(worst.approach, 1e-12);
    EXPECT_LT(worst.linear, 1e-12);
    EXPECT_LT(worst.angular, 1e-12);
    EXPECT_LT(worst.energy, 1e-12);
}

TEST(Raghupathi, PairsApartAreLeftAlone) {
    Random random{2};
    for (int round = 0; round < 500; ++round) {
        Overlap o = random_overlap(random);
        o.bench.surface.capsules[0].radius *= 0.99 * o.distance / o.radii;
        o.bench.surface.capsules[1].radius *= 0.99 * o.distance / o.radii;
        const Bench before = o.bench;
        o.bench.detect(1.0);
        ASSERT_EQ(o.bench.list.pairs.size(), 1u);
        o.bench.respond_raghupathi();
        ASSERT_EQ(o.bench.p, before.x);
        ASSERT_EQ(o.bench.v, before.v);
        ASSERT_EQ(o.bench.list.pairs[0].side, Vec3{});
    }
}

TEST(Raghupathi, PinnedNodes) {
    Random random{3};
    const std::vector<std::vector<std::size_t>> pinnings{{0}, {3}, {0, 1}, {2, 3}, {1, 2}, {0, 1, 2}};
    for (const auto& pinned : pinnings) {
        Checks worst;
        int solved = 0;
        for (int round = 0; round < 500; ++round) {
            Overlap o = random_overlap(random);
            for (const std::size_t n : pinned) {
                o.bench.w[n] = 0.0;
                o.bench.v[n] = {};
            }
            const Bench before = o.bench;
            o.bench.detect();
            o.bench.respond_raghupathi();
            for (const std::size_t n : pinned) {
                ASSERT_EQ(o.bench.p[n], before.x[n]);
                ASSERT_EQ(o.bench.v[n], before.v[n]);
            }
            double compliance = 0.0;
            for (std::size_t n = 0; n < 4; ++n) compliance += o.weights[n] * o.weights[n] * before.w[n];
            if (compliance == 0.0) {  // only pinned ends meet
                ASSERT_EQ(o.bench.p, before.x);
                ASSERT_EQ(o.bench.v, before.v);
                continue;
            }
            if (compliance < 1e-4) continue;  // a long lever: rounding is magnified
            ++solved;
            worst.take_worst(check(before, o.bench.p, o.bench.v, o.weights, o.u, o.radii));
        }
        EXPECT_GT(solved, 200);
        EXPECT_LT(worst.distance, 1e-12);
        EXPECT_LT(worst.approach, 1e-12);
        EXPECT_LT(worst.energy, 1e-12);
    }
}

TEST(Raghupathi, BothPinned) {
    Random random{4};
    for (int round = 0; round < 200; ++round) {
        Overlap o = random_overlap(random);
        for (double& w : o.bench.w) w = 0.0;
        const Bench before = o.bench;
        o.bench.detect();
        o.bench.respond_raghupathi();
        ASSERT_EQ(o.bench.p, before.x);
        ASSERT_EQ(o.bench.v, before.v);
    }
}

TEST(Raghupathi, UnitMassesAreThePaperOf2003) {
    Random random{5};
    for (int round = 0; round < 1000; ++round) {
        Overlap o = random_overlap(random, true);
        const Bench before = o.bench;
        o.bench.detect();
        o.bench.respond_raghupathi();
        const auto& x = before.x;
        const SegmentPair c = closest_segment_segment(x[0], x[1], x[2], x[3]);
        const double s = c.s, sb = 1.0 - c.s, t = c.t, tb = 1.0 - c.t;
        const double d = sb * sb + s * s + tb * tb + t * t;
        const Vec3 vc1 = before.v[0] * sb + before.v[1] * s, vc2 = before.v[2] * tb + before.v[3] * t;
        const double f = std::max(0.0, dot(vc2 - vc1, o.u) / d);  // 2003, eq. 6, never pulling
        const double g = (o.radii - o.distance) / d;              // 2003, eq. 8, corrected
        const std::array<double, 4> share{sb, s, -tb, -t};
        for (std::size_t n = 0; n < 4; ++n) {
            ASSERT_LT(distance(o.bench.v[n], before.v[n] + o.u * (share[n] * f)), 1e-13);
            ASSERT_LT(distance(o.bench.p[n], x[n] + o.u * (share[n] * g)), 1e-13);
        }
    }
}

// What the papers print: eq. 4 with plus for the second segment, eq. 9 with the distance added instead of subtracted.
TEST(Raghupathi, ThePrintedSignsFailTheSameChecks) {
    Random random{6};
    Checks right, plus, added;
    int approaching = 0, energy_gains = 0;
    for (int round = 0; round < 2000; ++round) {
        const Overlap o = random_overlap(random);
        const Bench& b = o.bench;
        double compliance = 0.0;
        for (std::size_t n = 0; n < 4; ++n) compliance += o.weights[n] * o.weights[n] * b.w[n];
        const double f = std::max(0.0, -o.speed / compliance);
        const auto respond = [&](double g, double sign_of_second) {
            std::vector<Vec3> p = b.x, v = b.v;
            for (std::size_t n = 0; n < 4; ++n) {
                const double share = (n < 2 ? 1.0 : -sign_of_second) * o.weights[n] * b.w[n];
                v[n] += o.u * (share * f);
                p[n] += o.u * (share * g);
            }
            return check(b, p, v, o.weights, o.u, o.radii);
        };
        right.take_worst(respond((o.radii - o.distance) / compliance, -1.0));
        const Checks first = respond((o.radii - o.distance) / compliance, 1.0);
        plus.take_worst(first);
        energy_gains += first.energy > 1e-12 ? 1 : 0;
        added.take_worst(respond((o.radii + o.distance) / compliance, -1.0));
        approaching += f > 0.0 ? 1 : 0;
    }
    EXPECT_GT(approaching, 500);
    EXPECT_LT(right.distance, 1e-12);
    EXPECT_LT(right.approach, 1e-12);
    EXPECT_LT(right.linear, 1e-12);
    EXPECT_LT(right.angular, 1e-12);
    EXPECT_LT(right.energy, 1e-12);
    EXPECT_GT(plus.distance, 0.1);
    EXPECT_GT(plus.approach, 0.1);
    EXPECT_GT(plus.linear, 0.1);
    EXPECT_GT(plus.angular, 0.1);
    EXPECT_GT(plus.energy, 0.1);
    EXPECT_GT(energy_gains, 100);
    EXPECT_GT(added.distance, 1.0);  // too far by 2 d
}

// Capsule and triangle.

// Triangle 2 3 4 in the plane z = 0 and capsule 0 1.
Bench over_triangle(const Vec3& a, const Vec3& b, Random& random) {
    Bench bench;
    for (const Vec3& x : {a, b, Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{0, 1, 0}}) {
        bench.add_node(x, 1.0 / random.uniform(0.1, 10.0), somewhere(random, 1.0));
    }
    bench.add_capsule(0, 1, 0.2);
    bench.surface.triangles.push_back({2, 3, 4, 0.05, 1, -1, 0, 0});
    return bench;
}

void expect_settled(Bench bench, const Vec3& side, const Vec3& expected_normal, const char* what) {
    SCOPED_TRACE(what);
    const Bench before = bench;
    bench.detect();
    ASSERT_EQ(bench.list.pairs.size(), 1u);
    const SegmentTriangle c = closest_segment_triangle(bench.x[0], bench.x[1], bench.x[2], bench.x[3], bench.x[4]);
    const std::vector<double> weights{1.0 - c.s, c.s, -c.u, -c.v, -c.w};
    bench.list.pairs[0].side = side;
    bench.respond_raghupathi();
    const Vec3 n = normalized(expected_normal);
    const Checks result = check(before, bench.p, bench.v, weights, n, 0.25);
    EXPECT_LT(result.distance, 1e-12);
    EXPECT_LT(result.approach, 1e-12);
    EXPECT_LT(result.linear, 1e-12);
    EXPECT_LT(result.angular, 1e-12);
    EXPECT_LT(result.energy, 1e-12);
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_LT(norm(cross(bench.p[k] - before.x[k], n)), 1e-12);  // along the normal and nowhere else
    }
}

TEST(CapsuleTriangle, PushedOffFaceEdgeAndVertex) {
    Random random{7};
    for (int round = 0; round < 50; ++round) {
        // Over the face, one end lower.
        expect_settled(over_triangle({-0.1, -0.4, 0.1}, {0.2, -0.3, 0.6}, random), {}, {0, 0, 1}, "end over the face");
        expect_settled(over_triangle({-0.1, -0.4, -0.1}, {0.2, -0.3, -0.6}, random), {}, {0, 0, -1}, "from below");
        // Level above the face: the middle of the overlap or an end, but straight up.
        expect_settled(over_triangle({-0.1, -0.4, 0.1}, {0.2, -0.3, 0.1}, random), {}, {0, 0, 1}, "level");
        // Across the edge y = -1, outside: away from it, in the plane and out of it.
        expect_settled(over_triangle({-0.3, -1.1, 0.1}, {0.3, -1.1, 0.1}, random), {}, {0, -0.1, 0.1}, "along an edge");
        expect_settled(over_triangle({0.1, -1.1, -0.5}, {0.1, -1.1, 0.7}, random), {}, {0, -1, 0}, "across an edge");
        // Beyond the vertex at (0, 1, 0).
        expect_settled(over_triangle({0.0, 1.1, 0.1}, {0.0, 1.9, 0.9}, random), {}, {0, 0.1, 0.1}, "end at a vertex");
        expect_settled(over_triangle({-0.5, 1.15, 0}, {0.5, 1.15, 0}, random), {}, {0, 1, 0}, "side at a vertex");
    }
}

TEST(CapsuleTriangle, PiercedIsLeftOnTheRememberedSide) {
    Random random{8};
    for (int round = 0; round < 200; ++round) {
        const Vec3 through{random.uniform(-0.2, 0.2), random.uniform(-0.7, 0.0), 0};
        const Vec3 along = normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.2, 1.0)});
        const Vec3 a = through - along * random.uniform(0.05, 0.5), b = through + along * random.uniform(0.05, 0.5);
        expect_settled(over_triangle(a, b, random), {0, 0, 1}, {0, 0, 1}, "above");
        expect_settled(over_triangle(a, b, random), {0, 0, -1}, {0, 0, -1}, "below");
        expect_settled(over_triangle(a, b, random), normalized(Vec3{1, 1, 0.1}), {0, 0, 1}, "aslant above");
        expect_settled(over_triangle(a, b, random), normalized(Vec3{1, 1, -0.1}), {0, 0, -1}, "aslant below");
    }
}

TEST(CapsuleTriangle, PiercingWithinTheSubstepIsUndone) {
    Random random{9};
    for (const double side : {1.0, -1.0}) {
        for (const double below : {0.02, 0.3, 2.0}) {
            Bench b = over_triangle({-0.1, -0.4, 0.3 * side}, {0.2, -0.3, 0.3 * side}, random);
            b.detect(1.0 + below);
            b.p[0].z = -below * side;
            b.p[1].z = -below * side + 0.1 * side;
            for (double& w : b.w) w = 1.0;
            b.respond_raghupathi(20);
            ASSERT_EQ(b.list.pairs.size(), 1u);
            const Vec3 face = cross(b.p[3] - b.p[2], b.p[4] - b.p[2]);
            EXPECT_GT(dot(b.p[0] - b.p[2], face) * side, 0.0) << side << " " << below;
            EXPECT_GT(dot(b.p[1] - b.p[2], face) * side, 0.0) << side << " " << below;
        }
    }
}

}  // namespace
}  // namespace plica::testing
