#include <gtest/gtest.h>

#include "tests/contact/moving_pairs.hpp"

// What certify does where there is no end to what is asked of it.
namespace plica::testing {
namespace {

constexpr double radius = 0.01;

// Two tubes across each other, the upper one on its way through the lower.
Moving crossing_tubes(double apart, double way) {
    Moving m;
    const auto tube = [&](const Vec3& from, const Vec3& to, const Vec3& move, std::int32_t chain) {
        const std::int32_t a = m.add_node(from, from + move), b = m.add_node(to, to + move);
        m.surface.capsules.push_back({a, b, radius, chain, chain, 0, 1, false});
    };
    tube({-0.1, 0.003, 0}, {0.1, -0.002, 0}, {}, 0);
    tube({0, -0.1, apart}, {0.004, 0.1, apart}, {0, 0, way}, 1);
    list_all(m, m.x);
    return m;
}

double separation_at(const Moving& m, const std::vector<Vec3>& x) {
    Moving now = m;
    now.x = x;
    return separation_of(corners_at(now, m.list.pairs.at(0), x, 0.0));
}

// Substep after substep something presses with a force that no row resists. Half of what is left each time would be
// nothing at all after fifty, and on the other side after a few more.
TEST(CertifyBounds, PressedForeverStaysOnItsSide) {
    Moving m = crossing_tubes(1e-3, -5e-3);
    CertifyScratch scratch;
    const double kept = 1e-3 * least_apart(m.surface, m.list.pairs.at(0));
    for (int k = 0; k < 300; ++k) {
        std::vector<Vec3> p = m.x;
        for (std::size_t n = 2; n < 4; ++n) p[n].z -= 5e-3;
        m.p = p;
        run_certify(m, p, scratch);
        EXPECT_FALSE(crosses(m, m.list.pairs.at(0), p)) << k;
        m.x = p;
        list_all(m, m.x);
        ASSERT_GT(m.x[2].z, 0.0) << k;
        ASSERT_GE(separation_at(m, m.x), 0.99 * kept) << k;
    }
    EXPECT_LE(separation_at(m, m.x), 2.0 * kept) << "it did press";
    // And comes away at once.
    std::vector<Vec3> p = m.x;
    for (std::size_t n = 2; n < 4; ++n) p[n].z += 5e-3;
    EXPECT_EQ(run_certify(m, p, scratch), 0);
    EXPECT_GT(separation_at(m, p), 4e-3);
}

// A substep that would end deeper than may be ends where it may; what was deeper stays as deep, slides and comes out.
TEST(CertifyBounds, NothingEndsDeeperThanItMay) {
    constexpr double deepest = 0.24, least = (1.0 - deepest) * 2.0 * radius;
    for (const double apart : {0.019, 0.01}) {
        SCOPED_TRACE(apart);
        for (const bool limited : {true, false}) {
            Moving m = crossing_tubes(apart, -3e-3);
            CertifyScratch scratch;
            scratch.deepest = limited ? deepest : 1.0;
            const auto go = [&](const Vec3& by) {
                std::vector<Vec3> p = m.x;
                for (std::size_t n = 2; n < 4; ++n) p[n] += by;
                m.p = p;
                certify(m.surface, m.list, least_margin(m.surface, m.list, scratch.deepest), m.x, p, scratch);
                m.x = p;
                list_all(m, m.x);
                return separation_at(m, m.x);
            };
            double now = 0.0;
            for (int k = 0; k < 3; ++k) now = go({0, 0, -2e-3});
            EXPECT_EQ(now > 0.999 * std::min(apart, least), limited);
            const double x = m.x[2].x;
            go({1e-3, 0, 0});
            EXPECT_NEAR(m.x[2].x, x + 1e-3, 1e-12);
            EXPECT_NEAR(go({0, 0, 1e-3}), now + 1e-3, 1e-5);
        }
    }
}

// Without distances left, what may meet stays, and what cannot meet goes.
TEST(CertifyBounds, WhatIsNotLookedAtStays) {
    for (const double way : {-0.03, -0.001}) {
        Moving m = crossing_tubes(0.02, way);
        for (const std::int64_t enough : {std::int64_t{0}, std::int64_t{1000}}) {
            CertifyScratch scratch;
            scratch.enough = enough;
            std::vector<Vec3> p = m.p;
            const bool through = way < -0.02;
            EXPECT_EQ(run_certify(m, p, scratch), through ? 4 : 0);
            EXPECT_EQ(scratch.gave_up, through && enough == 0);
            EXPECT_EQ(p == m.x, through && enough == 0);
            EXPECT_EQ(p == m.p, !through);
            EXPECT_LT(scratch.tests, 100);
        }
    }
}

}  // namespace
}  // namespace plica::testing
