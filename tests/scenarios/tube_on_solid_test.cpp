#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "geometry/closest.hpp"
#include "tests/engine/worlds.hpp"

// Tubes meet solids by their nodes on triangles and their segments on edges: nothing is missed by that, and nothing
// rocks.
namespace plica::testing {
namespace {

Vec3 somewhere(Random& random) {
    const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
    return {x, y, random.uniform(-1.0, 1.0)};
}

// A segment and a triangle that do not intersect are nearest at an end of the one or at an edge of the other.
TEST(TubeOnSolid, NodesAndEdgesAreAsNearAsTheTriangle) {
    Random random;
    int apart = 0, at_an_end = 0, at_an_edge = 0;
    for (int k = 0; k < 2000; ++k) {
        const Vec3 p = somewhere(random), q = somewhere(random);
        const Vec3 t[3] = {somewhere(random), somewhere(random), somewhere(random)};
        const double whole = closest_segment_triangle(p, q, t[0], t[1], t[2]).squared_distance;
        if (!(whole > 1e-12)) continue;
        const double ends = std::min(closest_segment_triangle(p, p, t[0], t[1], t[2]).squared_distance,
                                     closest_segment_triangle(q, q, t[0], t[1], t[2]).squared_distance);
        double edges = 1e9;
        for (int e = 0; e < 3; ++e) {
            edges = std::min(edges, closest_segment_segment(p, q, t[e], t[(e + 1) % 3]).squared_distance);
        }
        EXPECT_NEAR(std::min(ends, edges), whole, 1e-12);
        ++apart;
        at_an_end += edges > whole + 1e-9 ? 1 : 0;
        at_an_edge += ends > whole + 1e-9 ? 1 : 0;
    }
    EXPECT_GT(apart, 1000);
    EXPECT_GT(at_an_end, 100);  // neither would do alone
    EXPECT_GT(at_an_edge, 100);
}

struct TubeRest {
    double fastest = 0.0;  // m/s, of the liver's nodes at the ends of the last steps
    int retries = 0, substeps = 0, pairs = 0;
};

TubeRest lay_gut_on_liver(bool by_nodes) {
    const SceneDescription scene = read_scene(find_scene("intestine-on-liver"));
    Built built = build_scene(scene, 1);
    for (Capsule& c : built.model.surface.capsules) c.inner = c.inner && by_nodes;
    const auto first = static_cast<std::size_t>(built.model.of<Solids>()[0].first_node);
    World world(std::move(built.model), std::move(built.state));
    TubeRest rest;
    constexpr int steps = 75, looks = 25;
    for (int k = 0; k < steps; ++k) {
        const StepReport report = world.step(quiet_inputs(scene));
        EXPECT_TRUE(report.is_valid());
        if (k < steps - looks) continue;
        rest.retries += report.retries;
        rest.substeps = std::max(rest.substeps, report.substeps);
        for (std::size_t n = first; n < world.model().nodes(); ++n) {
            rest.fastest = std::max(rest.fastest, norm(world.state().v[n]));
        }
    }
    const Surface& surface = world.model().surface;
    for (const Pair& pair : world.state().candidates.pairs) {
        const auto b = static_cast<std::size_t>(pair.b);
        const bool edge = b < surface.capsules.size() && surface.capsules[b].sheet;
        if (pair.push > 0.0 && pair.a < plain_capsules(surface) && edge) ++rest.pairs;
    }
    printf("fastest %g m/s, retries %d, substeps %d, edges under load %d\n", rest.fastest, rest.retries, rest.substeps,
           rest.pairs);
    return rest;
}

TEST(TubeOnSolid, ComesToRest) {
    const TubeRest rest = lay_gut_on_liver(true);
    EXPECT_LT(rest.fastest, 0.2);
    EXPECT_EQ(rest.retries, 0);
    EXPECT_LT(rest.substeps, 60);
    EXPECT_GT(rest.pairs, 10);
}

// One row a tube and a triangle: the light nodes of the rim are thrown about.
TEST(TubeOnSolid, RocksByItsTrianglesAlone) {
    EXPECT_GT(lay_gut_on_liver(false).fastest, 1.0);
}

}  // namespace
}  // namespace plica::testing
