#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "audit/audit.hpp"
#include "audit/chains.hpp"
#include "audit/neighbours.hpp"
#include "core/random.hpp"

namespace plica::audit {
namespace {

using Nodes = std::vector<Vec3>;

Surface segments(const std::vector<std::pair<int, int>>& ends, double radius) {
    Surface surface;
    for (const auto& [a, b] : ends) surface.capsules.push_back({a, b, radius, 0, -1, 0, 0, false});
    return surface;
}

Surface tube(int count, double radius) {
    std::vector<std::pair<int, int>> ends;
    for (int i = 0; i < count; ++i) ends.emplace_back(i, i + 1);
    return segments(ends, radius);
}

Surface chained(Surface surface, std::size_t nodes, std::vector<std::int32_t> columns = {}) {
    columns.resize(nodes, -1);
    set_chains(surface, columns);
    return surface;
}

// What there is to find in x for a surface whose lengths are those of `rest`.
StepFindings look(const Surface& surface, const Nodes& rest, const Nodes& x) {
    Nodes trail = x;
    trail.insert(trail.end(), x.begin(), x.end());
    return Audit(surface, rest, 2).examine(trail, 1);
}

TEST(AuditChain, WhatSharesNodesIsOneChain) {
    Surface surface = segments({{0, 1}, {2, 1}, {3, 4}, {6, 6}}, 0.01);
    surface.triangles.push_back({4, 5, 7, 0.001, 1, -1, 0, 0});
    surface.triangles.push_back({8, 9, 10, 0.001, 1, -1, 0, 0});
    set_chains(surface, std::vector<std::int32_t>{0, 1, 2, 0, 1, 2, 0, -1, 5, 6, 7});
    EXPECT_EQ(surface.capsules[0].chain, surface.capsules[1].chain);
    EXPECT_NE(surface.capsules[0].chain, surface.capsules[2].chain);
    EXPECT_EQ(surface.capsules[2].chain, surface.triangles[0].chain);
    EXPECT_NE(surface.capsules[3].chain, surface.capsules[2].chain);
    EXPECT_NE(surface.triangles[0].chain, surface.triangles[1].chain);
    EXPECT_EQ(surface.capsules[0].column, 0);
    EXPECT_EQ(surface.capsules[1].column, 1);   // whichever end comes first
    EXPECT_EQ(surface.capsules[2].column, -1);  // one node of its chain has none
    EXPECT_EQ(surface.triangles[0].column_min, -1);
    EXPECT_EQ(surface.triangles[1].column_min, 5);
    EXPECT_EQ(surface.triangles[1].column_max, 7);
}

// Where all segments are equally long, arcs and columns are one rule.
TEST(AuditChain, ArcsLeaveOutWhatColumnsDo) {
    Random random{3};
    int found = 0;
    for (int i = 0; i < 60; ++i) {
        const double radius = random.uniform(0.001, 0.03);
        Nodes rest, x;
        std::vector<std::int32_t> columns;
        for (int n = 0; n <= 60; ++n) {
            rest.push_back({n * 0.01, 0, 0});
            const double y = random.uniform(0.0, 0.1), z = random.uniform(0.0, 0.1);
            x.push_back({random.uniform(0.0, 0.1), y, z});
            columns.push_back(n);
        }
        const Surface by_arc = chained(tube(60, radius), 61), by_column = chained(tube(60, radius), 61, columns);
        const StepFindings a = look(by_arc, rest, x), b = look(by_column, rest, x);
        EXPECT_EQ(a.worst, b.worst) << radius;
        EXPECT_EQ(a.touching, b.touching) << radius;
        Surface loose = by_arc;
        for (Capsule& c : loose.capsules) c.chain = -1;
        EXPECT_GT(look(loose, rest, x).touching, a.touching);  // negative control
        found += a.touching;
    }
    EXPECT_GT(found, 1000);
}

TEST(AuditChain, UnevenSegmentsCountByTheirLength) {
    // 20 segments of 1 mm and then one of 100 mm, and so on; radius 10 mm: an arc of 31.4 mm is left out.
    constexpr double radius = 0.01;
    Nodes rest{{0, 0, 0}};
    std::vector<Primitive> parts;
    for (std::size_t i = 0; i < 63; ++i) {
        rest.push_back(rest.back() + Vec3{i % 21 == 20 ? 0.1 : 0.001, 0, 0});
        parts.push_back({{i, i + 1, i + 1}, radius, 0, 0, -1, -1, true, false});
    }
    const Neighbours neighbours(parts, rest);
    int left_out = 0;
    for (std::int32_t i = 0; i < 63; ++i) {
        for (std::int32_t j = i + 1; j < 63; ++j) {
            const double arc = rest[static_cast<std::size_t>(j)].x - rest[static_cast<std::size_t>(i + 1)].x;
            EXPECT_EQ(neighbours.contain(parts, i, j), arc < std::numbers::pi * radius) << i << " " << j << " " << arc;
            left_out += arc < std::numbers::pi * radius ? 1 : 0;
        }
    }
    EXPECT_EQ(left_out,
              3 * 20 * 19 / 2 + 5 * 20 + 2);  // runs of short ones, with the long ones beside, these over a run
}

TEST(AuditChain, ALoopHasNoEnds) {
    std::vector<std::pair<int, int>> ends;
    Nodes x;
    for (int i = 0; i < 60; ++i) {
        ends.emplace_back(i, (i + 1) % 60);
        x.push_back({0.1 * std::cos(i * std::numbers::pi / 30), 0.1 * std::sin(i * std::numbers::pi / 30), 0});
    }
    EXPECT_EQ(look(chained(segments(ends, 0.02), 60), x, x).worst, 0.0);
    ends.pop_back();  // negative control: the same ring, not closed
    EXPECT_GT(look(chained(segments(ends, 0.02), 60), x, x).worst, 0.1);
}

TEST(AuditChain, BranchesAreNeighboursAtTheirRoot) {
    std::vector<std::pair<int, int>> ends;
    Nodes x{{0, 0, 0}};
    for (int branch = 0; branch < 3; ++branch) {
        const double angle = branch * 2 * std::numbers::pi / 3;
        for (int i = 1; i <= 20; ++i) {
            ends.emplace_back(i == 1 ? 0 : 20 * branch + i - 1, 20 * branch + i);
            x.push_back({i * 0.01 * std::cos(angle), i * 0.01 * std::sin(angle), 0});
        }
    }
    EXPECT_EQ(look(chained(segments(ends, 0.02), x.size()), x, x).worst, 0.0);
    Nodes folded = x;  // the third branch turned onto the second
    for (std::size_t i = 1; i <= 20; ++i) folded[40 + i] = folded[20 + i] + Vec3{0, 0, 0.01};
    EXPECT_NEAR(look(chained(segments(ends, 0.02), x.size()), x, folded).worst, 1.5, 1e-9);
}

// Two tubes with a strip of membrane between them.
TEST(AuditChain, AMembraneBelongsToItsTubeAndJoinsNoTwo) {
    constexpr double radius = 0.01, width = 0.02;  // less than a U-turn's arc
    Surface surface;
    Nodes x;
    for (int i = 0; i <= 10; ++i) {
        x.push_back({i * 0.01, 0, 0});
        x.push_back({i * 0.01, width, 0});
    }
    for (std::int32_t i = 0; i < 20; i += 2) {
        surface.capsules.push_back({i, i + 2, radius, 0, -1, 0, 0, false});
        surface.capsules.push_back({i + 1, i + 3, radius, 1, -1, 0, 0, false});
        surface.triangles.push_back({i, i + 1, i + 2, 0.001, 1, -1, 0, 0});
        surface.triangles.push_back({i + 1, i + 3, i + 2, 0.001, 1, -1, 0, 0});
    }
    surface = chained(surface, x.size());
    EXPECT_EQ(look(surface, x, x).worst, 0.0);
    Nodes folded = x;
    for (std::size_t n = 1; n < x.size(); n += 2) folded[n].y = 0.015;
    EXPECT_NEAR(look(surface, x, folded).worst, 0.5, 1e-9);
    Surface loose = surface;  // negative control
    for (Triangle& t : loose.triangles) t.chain = -1;
    EXPECT_EQ(look(loose, x, x).worst, 2.0);
    Nodes rolled = x;  // the far end of the strip, turned over the tubes' beginning
    for (std::size_t n = 16; n < x.size(); ++n) rolled[n].x = 0.1 - x[n].x;
    for (std::size_t n = 16; n < x.size(); ++n) rolled[n].z = 0.002;
    EXPECT_GT(look(surface, x, rolled).worst, 1.0);
}

TEST(AuditChain, WithoutPairsThereIsNothingToExamine) {
    Nodes x;
    for (int i = 0; i <= 10; ++i) x.push_back({i * 0.01, 0, 0});
    EXPECT_TRUE(Audit(chained(tube(10, 0.01), 11), x, 1).has_pairs());
    EXPECT_FALSE(Audit(chained(tube(10, 10.0), 11), x, 1).has_pairs());  // millimetres taken for metres
    EXPECT_FALSE(Audit(Surface{}, x, 1).has_pairs());
    EXPECT_FALSE(Audit(tube(1, 0.01), x, 1).has_pairs());
    Surface hung = tube(1, 0.01);
    hung.triangles.push_back({5, 6, 7, 0.001, 0, -1, 0, 0});
    EXPECT_TRUE(Audit(hung, x, 1).has_pairs());
}

TEST(AuditChain, CrossingsAreNamed) {
    const Surface tubes = segments({{0, 1}, {2, 3}, {4, 5}}, 0.01);
    Nodes trail{{-1, 0, 0}, {1, 0, 0}, {5, -1, 1}, {5, 1, 1}, {0, -1, 1}, {0, 1, 1}};
    for (std::size_t n = 0; n < 6; ++n) trail.push_back(n < 2 ? trail[n] : trail[n] - Vec3{0, 0, 2});
    Audit audit(tubes, Nodes(trail.begin(), trail.begin() + 6), 1);
    EXPECT_EQ(audit.examine(trail, 1).pass_throughs, 1);
    ASSERT_EQ(audit.crossings().size(), 1U);
    EXPECT_EQ(audit.crossings()[0], (std::array<std::int32_t, 2>{0, 2}));
    for (std::size_t n = 6; n < 12; ++n) trail[n] = trail[n - 6];
    audit.examine(trail, 1);
    EXPECT_TRUE(audit.crossings().empty());
}

}  // namespace
}  // namespace plica::audit
