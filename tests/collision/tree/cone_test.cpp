#include "collision/tree/cone.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace plica {
namespace {

Vec3 draw_direction(Random& random) {
    for (;;) {
        const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
        const Vec3 d{a, b, random.uniform(-1, 1)};
        if (squared_norm(d) < 1.0 && squared_norm(d) > 1e-4) return normalized(d);
    }
}

// At this angle from the axis, this far around it.
Vec3 on_cone(const Vec3& axis, double angle, double around) {
    const Vec3 u = any_perpendicular(axis), v = cross(axis, u);
    return axis * std::cos(angle) + (u * std::cos(around) + v * std::sin(around)) * std::sin(angle);
}

TEST(Cone, MergingIsConservativeAndTheSmallest) {
    Random random{7};
    int nested = 0, proper = 0;
    for (int i = 0; i < 20000; ++i) {
        const double wide = i % 2 == 0 ? 0.5 : 3.0;
        const Cone a{draw_direction(random), random.uniform(0.0, wide)};
        const Cone b{i % 10 == 0 ? a.axis : i % 10 == 1 ? -a.axis : draw_direction(random), random.uniform(0.0, wide)};
        const Cone both = merge(a, b);
        ASSERT_NEAR(norm(both.axis), 1.0, 1e-12);
        for (const Cone& each : {a, b}) {
            for (int k = 0; k < 5; ++k) {
                const Vec3 d = on_cone(each.axis, random.uniform(0.0, each.half), random.uniform(0.0, 6.3));
                ASSERT_TRUE(contains(both, d, 1e-7)) << i;
            }
        }
        // Smallest: it is one of the two, or holds two directions of theirs that are its own opening apart.
        if (both.half == a.half || both.half == b.half) {
            ++nested;
            continue;
        }
        if (both.half >= 0.5 * std::numbers::pi) continue;
        ++proper;
        const Vec3 way = normalized(b.axis - a.axis * dot(a.axis, b.axis));
        const Vec3 back = normalized(a.axis - b.axis * dot(a.axis, b.axis));
        const Vec3 far_a = a.axis * std::cos(a.half) - way * std::sin(a.half);
        const Vec3 far_b = b.axis * std::cos(b.half) - back * std::sin(b.half);
        ASSERT_NEAR(angle_between(far_a, far_b), 2.0 * both.half, 1e-6);
    }
    EXPECT_GT(nested, 1000);
    EXPECT_GT(proper, 1000);
}

TEST(Cone, OpposeOnlyWhenTwoDirectionsDo) {
    Random random{8};
    int apart = 0;
    for (int i = 0; i < 20000; ++i) {
        const Cone a{draw_direction(random), random.uniform(0.0, 1.0)};
        const Cone b{draw_direction(random), random.uniform(0.0, 1.0)};
        const double limit = random.uniform(2.0, 3.1);
        const double most = std::min(std::numbers::pi, angle_between(a.axis, b.axis) + a.half + b.half);
        ASSERT_EQ(can_oppose(a, b, limit), most >= limit) << i;
        apart += can_oppose(a, b, limit) ? 0 : 1;
    }
    EXPECT_GT(apart, 1000);
    EXPECT_TRUE(can_oppose(all_directions, Cone{}, 3.0));
    EXPECT_FALSE(can_oppose(Cone{}, Cone{}, 3.0));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(can_oppose(Cone{{0, 0, 1}, nan}, Cone{}, 3.0));
}

// A triangle as slender as 1:30, and corners that moved.
struct Moved {
    Vec3 rest[3], now[3];
};
Moved draw_moved(Random& random) {
    const double height = std::pow(10.0, random.uniform(-1.5, 0.0));
    Moved m;
    m.rest[1] = {1, 0, 0};
    m.rest[2] = {random.uniform(-0.2, 1.2), height, 0};
    const double size = height * std::pow(10.0, random.uniform(-3.0, -0.2));
    for (int k = 0; k < 3; ++k) {
        const double up = random.uniform() < 0.5 ? size : -size;
        const double a = random.uniform(-0.1, 0.1), b = random.uniform(-0.1, 0.1);
        m.now[k] = m.rest[k] + Vec3{a * size, b * size, up * random.uniform(0.9, 1.0)};
    }
    return m;
}

// How the bounds fare: the true angle against ours (per facet, and with one displacement for all) and the printed one.
TEST(Cone, NoNormalTurnsFurtherThanTheBound) {
    Random random{9};
    int facet = 0, patch = 0, printed = 0, moderate = 0;
    double tightest = 0.0;
    for (int i = 0; i < 1000000; ++i) {
        const Moved m = draw_moved(random);
        Vec3 w[3], mean;
        for (int k = 0; k < 3; ++k) {
            w[k] = m.now[k] - m.rest[k];
            mean += w[k] / 3.0;
        }
        const auto normal = [](const Vec3(&x)[3]) { return normalized(cross(x[1] - x[0], x[2] - x[0])); };
        const double turned = angle_between(normal(m.rest), normal(m.now));
        double longest = 0.0, relative = 0.0, most = 0.0;
        for (int k = 0; k < 3; ++k) {
            longest = std::max(longest, distance(m.rest[k], m.rest[(k + 1) % 3]));
            relative = std::max(relative, norm(w[k] - w[(k + 1) % 3]));
            most = std::max(most, norm(w[k] - mean));
        }
        const double altitude = norm(cross(m.rest[1] - m.rest[0], m.rest[2] - m.rest[0])) / longest;
        const auto bound = [](double sine) { return sine < 1.0 ? std::asin(sine) : std::numbers::pi; };
        facet += turned > bound(relative / altitude) + 1e-9 ? 1 : 0;
        patch += turned > bound(2.0 * most / altitude) + 1e-9 ? 1 : 0;
        printed += turned > std::atan(most / longest) + 1e-9 ? 1 : 0;
        if (relative < altitude) {
            ++moderate;
            tightest = std::max(tightest, turned / bound(relative / altitude));
        }
    }
    EXPECT_EQ(facet, 0);
    EXPECT_EQ(patch, 0);
    EXPECT_GT(moderate, 500000);
    EXPECT_GT(tightest, 0.9);    // the bound is no more than it has to be
    EXPECT_GT(printed, 300000);  // eq. 5 as printed is none
    RecordProperty("printed_violations", printed);
    std::printf("printed bound violated in %.1f %%, ours tight to %.3f\n", 1e-4 * printed, tightest);
}

}  // namespace
}  // namespace plica
