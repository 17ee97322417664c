#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/index.hpp"
#include "scene/anatomy/intestine.hpp"

// A graded mesentery keeps its triangles in shape, whatever the number of segments.
namespace plica {
namespace {

IntestineGeometry build(int segments, int rows = 0, double cell = 0.0) {
    IntestineParameters p = intestine_preset("human");
    p.segments = segments;
    p.rows = rows;
    p.cell = cell;
    return build_intestine(p);
}

// Of triangles that are no part of the leads: longest edge over the height on it; 1.15 for an equilateral one.
double mean_slenderness(const IntestineGeometry& g) {
    const int lead = std::max(g.lead_nodes[0], g.lead_nodes[1]) + g.gut_nodes / 20;
    double sum = 0.0;
    int count = 0;
    for (const auto& t : g.triangles) {
        const auto in_lead = [&](std::int32_t n) {
            return g.column[at(n)] < lead || g.column[at(n)] >= g.gut_nodes - lead;
        };
        if (std::any_of(t.begin(), t.end(), in_lead)) continue;
        double longest = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            longest = std::max(longest, distance(g.nodes[at(t[k])], g.nodes[at(t[(k + 1) % 3])]));
        }
        const Vec3 &a = g.nodes[at(t[0])], &b = g.nodes[at(t[1])], &c = g.nodes[at(t[2])];
        sum += longest * longest / norm(cross(b - a, c - a));
        ++count;
    }
    return sum / count;
}

double mesentery_area(const IntestineGeometry& g) {
    double area = 0.0;
    for (const auto& t : g.triangles) {
        const Vec3 &a = g.nodes[at(t[0])], &b = g.nodes[at(t[1])], &c = g.nodes[at(t[2])];
        area += 0.5 * norm(cross(b - a, c - a));
    }
    return area;
}

TEST(GradedMesentery, KeepsItsTrianglesInShape) {
    for (const int segments : {300, 400, 700, 1000, 2000, 3000}) {
        const IntestineGeometry graded = build(segments), grid = build(segments, 4);
        EXPECT_LT(mean_slenderness(graded), 3.5) << segments;
        EXPECT_GT(mean_slenderness(grid), 1.5 * mean_slenderness(graded)) << segments;  // these become slivers
        EXPECT_LT(graded.nodes.size() - at(graded.gut_nodes), 400U) << segments;
    }
    EXPECT_GT(build(1000, 0, 0.005).triangles.size(), 2 * build(1000).triangles.size());
}

// One piece without holes: every edge belongs to two triangles, but for those of the gut, the root and the ends.
TEST(GradedMesentery, IsOneSheet) {
    for (const int segments : {300, 517, 1000, 1003}) {
        const IntestineGeometry g = build(segments);
        std::map<std::pair<std::int32_t, std::int32_t>, int> uses;
        for (const auto& t : g.triangles) {
            for (std::size_t k = 0; k < 3; ++k) ++uses[std::minmax(t[k], t[(k + 1) % 3])];
        }
        for (const auto& [edge, count] : uses) {
            const bool gut = edge.first < g.gut_nodes && edge.second < g.gut_nodes;
            const bool root = g.pinned[at(edge.first)] != 0 && g.pinned[at(edge.second)] != 0;
            EXPECT_EQ(count, gut || root ? 1 : 2) << edge.first << ' ' << edge.second << " of " << segments;
        }
    }
    // The folds that its nodes cut short are all that it lacks of the surface.
    EXPECT_NEAR(mesentery_area(build(1000)) / mesentery_area(build(1000, 4)), 0.9, 0.1);
}

TEST(GradedMesentery, IsMeasuredOnItsRulings) {
    const IntestineGeometry g = build(1000);
    int longer = 0;
    for (const auto& t : g.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            const double straight = distance(g.nodes[at(a)], g.nodes[at(b)]);
            const double length = length_on_rulings(g, a, b);
            EXPECT_GE(length, straight);
            EXPECT_EQ(length, length_on_rulings(g, b, a));
            longer += length > 1.1 * straight ? 1 : 0;
        }
    }
    EXPECT_GT(longer, 100);  // around the turns
}

TEST(GradedMesentery, IsRepeatedAfterItsPeriod) {
    for (const int segments : {300, 1000, 3000}) {
        const IntestineGeometry g = build(segments);
        ASSERT_GT(g.period, 1);
        const int middle = segments / 2 / g.period * g.period;
        for (int r = 0; r + 1 < g.rows; ++r) {
            for (int j = middle; j < middle + g.period; ++j) {
                EXPECT_EQ(g.grid[at(r * g.gut_nodes + j)] < 0, g.grid[at(r * g.gut_nodes + j + g.period)] < 0);
            }
            EXPECT_GE(g.grid[at(r * g.gut_nodes + middle)], 0);  // a whole ruling: where chunks are cut
        }
    }
}

}  // namespace
}  // namespace plica
