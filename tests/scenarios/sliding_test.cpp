#include "experiments/johnsen/sliding.hpp"

#include <gtest/gtest.h>

#include "contact/facet_normals.hpp"
#include "contact/measure_facet.hpp"
#include "core/random.hpp"
#include "geometry/mesh/shapes.hpp"

// Spec B12: a ball slides over a liver of 1280 triangles at 20 mm/s, without friction; and what its rows rest on.
namespace plica::testing {
namespace {

using experiments::Slide;
using experiments::SlidingBall;

Slide slide(NormalKind normals, SlidingBall ball, int level = 3) {
    experiments::SlidingOptions options;
    options.normals = normals;
    options.ball = ball;
    options.level = level;
    const Slide s = experiments::slide_ball(options);
    printf(
        "%s, level %d, %s: turn %.5f rad, largest %.4f, formula %.5f, beyond it %.5f, off %.4f; %.4f (%.4f..%.4f) N\n",
        experiments::name_of(ball), level, experiments::name_of(normals), s.turn, s.largest, s.least, s.ripple, s.off,
        s.force, s.lightest, s.strongest);
    EXPECT_TRUE(s.valid);
    EXPECT_EQ(s.held, 0);
    EXPECT_GT(s.lightest, 0.1);
    EXPECT_LT(s.off, 0.2);
    return s;
}

class Sliding : public ::testing::TestWithParam<SlidingBall> {};

TEST_P(Sliding, SmoothNormalsTurnTheForceEvenly) {
    const Slide rounded = slide(NormalKind::rounded, GetParam());
    const Slide facet = slide(NormalKind::facet, GetParam());
    const Slide smooth = slide(NormalKind::smooth, GetParam());
    printf("over facet: smooth %.3f, rounded %.3f\n", smooth.turn / facet.turn, rounded.turn / facet.turn);
    EXPECT_LE(smooth.turn, 0.3 * facet.turn);
    EXPECT_LE(smooth.ripple, 0.1 * facet.ripple);
    EXPECT_GT(rounded.turn, 0.3 * facet.turn);  // continuous as well, but it turns all of an angle over an edge
    EXPECT_LT(smooth.off, 0.5 * rounded.off);
}

// The measure sees facets: larger ones are worse, whatever the ball rests on.
TEST_P(Sliding, ConstantNormalsAreWorseOnACoarserMesh) {
    EXPECT_GT(slide(NormalKind::facet, GetParam(), 2).turn, 1.2 * slide(NormalKind::facet, GetParam(), 3).turn);
}

INSTANTIATE_TEST_SUITE_P(Livers, Sliding, ::testing::Values(SlidingBall::probe, SlidingBall::pressed));

// A ball of triangles touches by its edges too, whose rows stay as they are: it gains less.
TEST(SlidingMesh, GainsLessByEdgesAgainstEdges) {
    const Slide facet = slide(NormalKind::facet, SlidingBall::mesh);
    const Slide smooth = slide(NormalKind::smooth, SlidingBall::mesh);
    EXPECT_LT(smooth.turn, 0.5 * facet.turn);
}

TEST(SlidingMesh, GivesTheSameBitsForEveryInstructionSet) {
    for (const NormalKind normals : {NormalKind::facet, NormalKind::smooth}) {
        experiments::SlidingOptions options;
        options.normals = normals;
        options.ball = SlidingBall::mesh;
        options.seconds = 0.1;
        options.isa = Isa::base;
        const Slide base = experiments::slide_ball(options);
        for (const Isa isa : {Isa::avx2, Isa::avx512}) {
            if (!is_available(isa)) continue;
            options.isa = isa;
            const Slide other = experiments::slide_ball(options);
            ASSERT_EQ(other.steps.size(), base.steps.size());
            for (std::size_t i = 0; i < base.steps.size(); ++i) {
                ASSERT_EQ(other.steps[i].force, base.steps[i].force) << isa_name(isa) << ", step " << i;
            }
        }
    }
}

struct Cells {
    int points = 0, unowned = 0, shared = 0;
    double largest_turn = 0.0;  // rad, between the normals of two owners
};

// Random points above a ball of 50 mm, up to so far: whose are they?
Cells count_cells(const SurfaceMesh& mesh, bool smooth, double highest) {
    SmoothNormals normals(mesh.triangles, mesh.nodes);
    Random random(7);
    Cells cells;
    for (; cells.points < 2000; ++cells.points) {
        const Vec3 d = normalized(Vec3{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5});
        const Vec3 point = d * (0.05 + (0.02 + 0.98 * random.uniform()) * highest);
        Vec3 first;
        int owners = 0;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto& nodes = mesh.triangles[t];
            const auto x = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(nodes[k])]; };
            const Vec3 at[] = {point, x(0), x(1), x(2)};
            const auto corner = normals.corners(t);
            FacetOf<double> facet{{corner[0], corner[1], corner[2]}, {}, false};
            if (!smooth) facet.normal[0] = facet.normal[1] = facet.normal[2] = normals.facet(t);
            const FacetPointOf<double> found = find_facet_point(at, facet);
            if (!found.owned) continue;
            if (owners++ == 0) first = found.normal;
            cells.largest_turn = std::max(cells.largest_turn, angle_between(first, found.normal));
        }
        cells.unowned += owners == 0 ? 1 : 0;
        cells.shared += owners > 1 ? 1 : 0;
    }
    return cells;
}

TEST(Cells, LeaveNoPointOutAndAgreeWhereTheyOverlap) {
    const Cells cells = count_cells(make_icosphere(2, 0.05), true, 0.02);
    EXPECT_EQ(cells.unowned, 0);
    EXPECT_GT(cells.shared, 0);
    EXPECT_LT(cells.shared, cells.points / 50);
    EXPECT_LT(cells.largest_turn, 1e-3);
    printf("shared %d of %d, largest turn %g rad\n", cells.shared, cells.points, cells.largest_turn);
}

// With normals that are not continuous, wedges over the edges are nobody's.
TEST(Cells, LeavePointsOutWithoutContinuousNormals) {
    EXPECT_GT(count_cells(make_icosphere(2, 0.05), false, 0.02).unowned, 100);
}

TEST(Cells, EndAtCreases) {
    Surface surface;  // two squares at right angles, two triangles each
    const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, -1}, {1, 1, -1}};
    for (const auto& t : {std::array{0, 1, 2}, std::array{0, 2, 3}, std::array{1, 4, 5}, std::array{1, 5, 2}}) {
        surface.triangles.push_back({t[0], t[1], t[2], 0.01, 0, -1, -1, -1, true, true});
    }
    const FacetNormals facets(surface, rest, NormalKind::smooth);
    double creases = 0.0;
    for (std::size_t i = 0; i < 12; ++i) creases += facets.creases()[i];
    EXPECT_EQ(creases, 8.0);              // all sides but the diagonals, which two triangles each have
    EXPECT_EQ(facets.creases()[0], 1.0);  // 1-2: the crease
    EXPECT_EQ(facets.creases()[1], 0.0);  // 2-0: a diagonal
}

}  // namespace
}  // namespace plica::testing
