#include <gtest/gtest.h>

#include "core/error.hpp"
#include "tests/collision/tangles.hpp"

// A mesentery that is touched by its edges.
namespace plica::testing {
namespace {

// The rule in words: no node of the edge in a column from i - kex to i + 1 + kex.
TEST(Edges, AreLeftOutByColumn) {
    const Capsule tube{0, 1, 0.01, 0, 0, 10, 2, false};
    const auto touches = [&](std::int32_t column, std::int32_t span, std::int32_t chain) {
        const Capsule edge{2, 3, 0.002, 1, chain, column, 0, false, span, true};
        EXPECT_EQ(can_touch(tube, edge), can_touch(edge, tube));
        return can_touch(tube, edge);
    };
    for (std::int32_t column = 0; column < 25; ++column) {
        for (const std::int32_t span : {0, 1}) {
            const auto inside = [](std::int32_t c) { return c >= 10 - 2 && c <= 10 + 1 + 2; };
            EXPECT_EQ(touches(column, span, 0), !inside(column) && !inside(column + span)) << column << "+" << span;
            EXPECT_TRUE(touches(column, span, 1));
            EXPECT_TRUE(touches(column, span, -1));
        }
    }
    const Capsule one{2, 3, 0.002, 1, 0, 0, 0, false, 0, true};
    const Capsule other{4, 5, 0.002, 1, 1, 20, 0, false, 1, true};
    EXPECT_FALSE(can_touch(one, other));  // nor do edges touch edges, of whatever body
}

TEST(Edges, AndTrianglesDoNotTouch) {
    Surface surface{{{0, 1, 0.1, 0, -1, 0, 0, false, 1, true}}, {{2, 3, 4, 0.1, 1, -1, 0, 0}}};
    EXPECT_FALSE(can_touch(surface, 0, 0));
    surface.capsules[0].edge = false;
    EXPECT_TRUE(can_touch(surface, 0, 0));
}

// Every edge of every triangle once, but those along the gut.
TEST(Edges, AreThoseOfTheTriangles) {
    for (const char* preset : {"paper", "corrected", "human"}) {
        const Tangle tangle = make_mesentery(preset, 0.0);
        EXPECT_TRUE(tangle.surface.triangles.empty());
        std::int32_t gut_nodes = 0;
        std::set<Key> edges;
        for (const Capsule& c : tangle.surface.capsules) {
            if (!c.edge) gut_nodes = std::max(gut_nodes, c.b + 1);
        }
        for (const Triangle& t : tangle.surface.spanned) {
            for (const Key& e : {Key{t.a, t.b}, Key{t.b, t.c}, Key{t.c, t.a}}) {
                const bool along_gut = e.first < gut_nodes && e.second < gut_nodes;
                if (!along_gut) edges.insert(std::minmax(e.first, e.second));
            }
        }
        std::set<Key> found;
        for (const Capsule& c : tangle.surface.capsules) {
            if (!c.edge) continue;
            EXPECT_TRUE(found.insert(std::minmax(c.a, c.b)).second);
            EXPECT_TRUE(c.span == 0 || c.span == 1);
        }
        EXPECT_EQ(found, edges) << preset;
    }
}

// What overlaps as built is listed for exempt segments, and nothing else is left out.
TEST(Edges, OverlapsAsBuiltAreListed) {
    const Tangle tangle = make_mesentery("human", 0.0);
    ASSERT_FALSE(tangle.surface.edge_overlaps.empty());
    EXPECT_TRUE(std::is_sorted(tangle.surface.edge_overlaps.begin(), tangle.surface.edge_overlaps.end()));
    for (const auto& [tube, edge] : tangle.surface.edge_overlaps) {
        EXPECT_TRUE(tangle.capsule(tube).exempt);
        EXPECT_TRUE(tangle.capsule(edge).edge);
        EXPECT_LT(tangle.distance(tube, edge), 1.1 * tangle.radii(tube, edge));
        const auto a = static_cast<std::size_t>(tube);
        const auto b = static_cast<std::size_t>(edge);
        EXPECT_FALSE(capsules_can_touch(tangle.surface, a, b));
        EXPECT_FALSE(capsules_can_touch(tangle.surface, b, a));
    }
    EXPECT_TRUE(closer_than(tangle, 1.0).empty());  // so the scene starts without contact
    Tangle bare = tangle;
    bare.surface.edge_overlaps.clear();
    EXPECT_FALSE(closer_than(bare, 1.0).empty());
}

TEST(Edges, EveryDetectorFindsThem) {
    ThreadPool pool(1);
    DetectorScratch scratch;
    for (const char* preset : {"paper", "human"}) {
        const Tangle tangle = make_mesentery(preset, 0.02);
        const std::vector<double> margin(tangle.x.size(), 0.0);
        std::vector<Pair> brute;
        std::vector<Pair> grid;
        find_pairs_brute({tangle.surface, tangle.enabled, tangle.x}, margin, pool, scratch, brute);
        find_pairs_grid({tangle.surface, tangle.enabled, tangle.x}, margin, pool, scratch, grid);
        const std::set<Key> expected = closer_than(tangle, 1.0);
        std::size_t edges = 0;
        for (const Key& key : expected) edges += tangle.is_edge_pair(key.first, key.second) ? 1U : 0U;
        EXPECT_GT(edges, 20U);
        EXPECT_EQ(keys(brute), expected) << preset;
        EXPECT_EQ(keys(grid), expected) << preset;
    }
}

TEST(Edges, DetectorsGiveTheSameBits) {
    const auto hash = [](const char* detector) {
        const SceneDescription scene = read_scene(
            find_scene("intestine-plane", {std::string("solver.detector=") + detector, "gut.mesentery_contact=edges"}));
        World world = make_world(scene);
        std::uint64_t last = 0;
        for (int i = 0; i < 12; ++i) last = world.step(quiet_inputs(scene)).hash;
        return last;
    };
    const std::uint64_t grid = hash("grid");
    EXPECT_EQ(hash("brute"), grid);
    EXPECT_NE(hash("tracked"), grid);
}

// What is judged, drawn and dumped is the same in both forms.
TEST(Edges, TheBodyItselfIsTheSame) {
    const Model edges = build_scene(read_scene(find_scene("intestine", {"gut.mesentery_contact=edges"})), 1).model;
    const Model triangles = build_scene(read_scene(find_scene("intestine", {"gut.rows=4"})), 1).model;
    const Surface plain = without_edges(edges.surface);
    ASSERT_EQ(plain.triangles.size(), triangles.surface.triangles.size());
    ASSERT_EQ(plain.capsules.size(), triangles.surface.capsules.size());
    for (std::size_t i = 0; i < plain.triangles.size(); ++i) {
        EXPECT_EQ(plain.triangles[i].a, triangles.surface.triangles[i].a);
        EXPECT_EQ(plain.triangles[i].half_thickness, triangles.surface.triangles[i].half_thickness);
    }
    EXPECT_EQ(edges.thinnest_pair, triangles.thinnest_pair);
    EXPECT_EQ(edges.inverse_mass, triangles.inverse_mass);
}

// A description that nobody read from a file is refused as well.
TEST(Edges, TheTrackedDetectorRefusesTriangles) {
    SceneDescription scene = read_scene(find_scene("intestine"));
    scene.detector = DetectorKind::tracked;
    EXPECT_THROW(build_scene(scene, 1), Error);
    scene.bodies[0].mesentery_edges = true;
    EXPECT_NO_THROW(build_scene(scene, 1));
}

TEST(Edges, AsManyDrawsAsSegments) {
    const auto draws = [](const std::vector<std::string>& overrides) {
        return build_scene(read_scene(find_scene("intestine-pile", overrides)), 1).model.tracking.draws;
    };
    EXPECT_EQ(draws({"solver.detector=tracked"}), 100);
    EXPECT_EQ(draws({"solver.detector=tracked", "gut.segments=60"}), 60);
    EXPECT_EQ(draws({"solver.detector=tracked", "solver.tracked_pairs=7"}), 7);
}

}  // namespace
}  // namespace plica::testing
