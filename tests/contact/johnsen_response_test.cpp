#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "tests/contact/contacts.hpp"

// The response of Johnsen et al. 2012, one row at a time.
namespace plica::testing {
namespace {

// A corner of a solid and a facet of another one. The corner is node 0, or the last when the facet's body comes first.
Bench corner_on_facet(Random& random, bool corner_first) {
    Bench bench;
    const auto mass = [&] { return 1.0 / random.uniform(0.1, 10.0); };
    const Vec3 corner{random.uniform(0.1, 0.4), random.uniform(0.1, 0.4), random.uniform(0.05, 0.15)};
    if (corner_first) bench.add_node(corner, mass());
    for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) bench.add_node(at, mass());
    if (!corner_first) bench.add_node(corner, mass());
    const std::int32_t c = corner_first ? 0 : 3, t = corner_first ? 1 : 0;
    Capsule feature{c, c, 0.1, 0, -1, 0, 0, false};
    feature.sheet = true;
    bench.surface.capsules.push_back(feature);
    bench.surface.triangles.push_back({t, t + 1, t + 2, 0.1, 1, -1, -1, -1, true, true});
    bench.surface.features.corners = 1;
    bench.list.pairs.push_back({});
    bench.list.pairs[0].a = 0;
    bench.list.pairs[0].b = 1;
    bench.p = bench.x;
    return bench;
}

void respond_johnsen(Bench& bench, int first_pass, int passes) {
    bench.settings.response = ResponseKind::johnsen;
    const std::vector<double> radius(bench.x.size(), -1.0);
    ContactWorld world{bench.surface, {}, radius, bench.w, bench.settings, 1e-3, bench.x, bench.p, bench.list, {}, {}};
    forget_pairs(world, bench.scratch);
    begin_johnsen(world, bench.scratch);
    for (int k = first_pass; k < first_pass + passes; ++k) sweep_johnsen(world, bench.scratch, k);
    finish(world, bench.scratch);
}

// Johnsen 2012, eq. 9: f_s = -n beta m_s g / dt^2, (f_m)_i = n beta m_i g gamma_i / dt^2, beta = 0.5.
TEST(JohnsensResponse, IsWhatThePaperPrints) {
    Random random{21};
    for (int round = 0; round < 200; ++round) {
        const bool first = round % 2 == 0;
        Bench bench = corner_on_facet(random, first);
        const std::size_t s = first ? 0 : 3, m = first ? 1 : 0;
        const Vec3 corner = bench.x[s];
        const double g = corner.z - 0.2;
        const double b[3] = {1.0 - corner.x - corner.y, corner.x, corner.y};
        const double squares = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
        respond_johnsen(bench, first ? 0 : 1, 1);
        ASSERT_LT(distance(bench.p[s], corner - Vec3{0, 0, 0.5 * g}), 1e-14);
        Vec3 place{};
        for (std::size_t i = 0; i < 3; ++i) {
            ASSERT_LT(distance(bench.p[m + i], bench.x[m + i] + Vec3{0, 0, 0.5 * g * b[i] / squares}), 1e-14);
            place += bench.p[m + i] * b[i];
        }
        ASSERT_NEAR(bench.p[s].z - place.z, 0.2, 1e-14) << "gamma is right: the gap is closed";
    }
}

TEST(JohnsensResponse, ChangesRolesFromPassToPass) {
    Random random{22};
    for (const bool first : {true, false}) {
        Bench bench = corner_on_facet(random, first);
        respond_johnsen(bench, first ? 1 : 0, 1);  // the corner's body is the master
        EXPECT_EQ(bench.p, bench.x);
        respond_johnsen(bench, first ? 1 : 0, 2);
        EXPECT_NE(bench.p, bench.x);
    }
}

TEST(JohnsensResponse, LeavesWhatIsHeldAndWhatIsApart) {
    Random random{23};
    Bench facet_held = corner_on_facet(random, true);
    for (std::size_t n = 1; n < 4; ++n) facet_held.w[n] = 0.0;
    respond_johnsen(facet_held, 0, 1);
    EXPECT_NEAR(facet_held.p[0].z, 0.2, 1e-14) << "beta is 1 against what is rigid";
    for (std::size_t n = 1; n < 4; ++n) EXPECT_EQ(facet_held.p[n], facet_held.x[n]);

    Bench corner_held = corner_on_facet(random, true);
    corner_held.w[0] = 0.0;
    respond_johnsen(corner_held, 0, 1);
    EXPECT_EQ(corner_held.p[0], corner_held.x[0]);
    EXPECT_LT(corner_held.p[1].z, 0.0);

    Bench apart = corner_on_facet(random, true);
    apart.x[0].z = apart.p[0].z = 0.21;
    respond_johnsen(apart, 0, 2);
    EXPECT_EQ(apart.p, apart.x);
}

// What it shares with the paper's equation: the sum of forces is not zero. Ours is.
TEST(JohnsensResponse, DoesNotKeepMomentum) {
    Random random{24};
    double printed = 0.0, ours = 0.0;
    for (int round = 0; round < 100; ++round) {
        const Bench bench = corner_on_facet(random, true);
        const auto gained = [&](const Bench& after) {
            Vec3 sum{};
            double size = 0.0;
            for (std::size_t n = 0; n < 4; ++n) {
                sum += (after.p[n] - after.x[n]) / after.w[n];
                size = std::max(size, norm(after.p[n] - after.x[n]) / after.w[n]);
            }
            return norm(sum) / size;
        };
        Bench by_print = bench;
        respond_johnsen(by_print, 0, 1);
        printed += gained(by_print) / 100.0;
        Bench by_us = bench;
        by_us.x[0].z = 0.25;  // ours lets an old penetration be
        const std::vector<double> radius(4, -1.0);
        ContactWorld world{by_us.surface, {},         radius, by_us.w, by_us.settings, 1e-3, by_us.x,
                           by_us.p,       by_us.list, {},     {}};
        by_us.settings.friction = 0.0;
        forget_pairs(world, by_us.scratch);
        warm_start(world, by_us.scratch);
        sweep(world, by_us.scratch);
        by_us.x[0].z = bench.x[0].z;
        ours = std::max(ours, gained(by_us));
    }
    EXPECT_GT(printed, 0.2);
    EXPECT_LT(ours, 1e-12);
}

}  // namespace
}  // namespace plica::testing
