#include <gtest/gtest.h>

#include "contact/certify.hpp"
#include "tests/contact/contacts.hpp"

// What a joint holds together, certify holds back together.
namespace plica::testing {
namespace {

// Four rods of two nodes: the first goes through the last, which stands; the others go as far and meet nothing.
std::vector<double> kept_of(const std::vector<NodeGroup>& groups) {
    Bench bench;
    for (int rod = 0; rod < 4; ++rod) {
        const double x = rod == 3 ? 0.0 : 10.0 * rod;
        bench.add_node({x - 0.1, 0.0, 0.0}, 1.0);
        bench.add_node({x + 0.1, rod == 3 ? 0.001 : 0.0, 0.0}, 1.0);
    }
    bench.x[6] = {0.0, -0.1, 0.1};
    bench.x[7] = {0.0, 0.1, 0.1};
    for (int rod = 0; rod < 4; ++rod) bench.add_capsule(2 * rod, 2 * rod + 1, 0.01);
    bench.detect(1.0);
    for (std::size_t n = 0; n < 6; ++n) bench.p[n].z += 0.2;
    const std::vector<double> radius(bench.x.size(), -1.0);
    ContactWorld world{bench.surface, {},         radius, bench.w, bench.settings, 1e-3, bench.x,
                       bench.p,       bench.list, {},     {},      groups};
    forget_pairs(world, bench.scratch);
    CertifyScratch certifying;
    certify(world, bench.scratch, certifying);
    return {certifying.kept[0], certifying.kept[2], certifying.kept[4]};
}

TEST(JoinedGroups, StayBehindTogether) {
    // The last of the chain hangs on the first by way of the second, in whatever order they come.
    const std::vector<double> chain = kept_of({{0, 2, -1}, {2, 2, 0}, {4, 2, 1}, {6, 2, -1}});
    EXPECT_LT(chain[0], 0.6);
    EXPECT_EQ(chain[1], chain[0]);
    EXPECT_EQ(chain[2], chain[0]);
    const std::vector<double> back = kept_of({{0, 2, 1}, {2, 2, 2}, {4, 2, -1}, {6, 2, -1}});
    EXPECT_EQ(back, chain);
    const std::vector<double> loose = kept_of({{0, 2, -1}, {2, 2, -1}, {4, 2, -1}, {6, 2, -1}});
    EXPECT_EQ(loose[0], chain[0]);
    EXPECT_EQ(loose[1], 1.0);
    EXPECT_EQ(loose[2], 1.0);
}

}  // namespace
}  // namespace plica::testing
