#include <gtest/gtest.h>

#include <limits>

#include "collision/tree/margins.hpp"
#include "collision/tree/motion.hpp"
#include "tests/collision/tree/tree_motion.hpp"
#include "tests/collision/tree/tree_table.hpp"

namespace plica::testing {
namespace {

TreeSettings plain_settings(double layer) {
    TreeSettings settings;
    settings.cones = false;  // then every near pair is wanted
    settings.layer = layer;
    return settings;
}

TEST(SurfaceTree, FindsEveryNearPair) {
    Random random{1};
    const TreeScene scene = make_mixed_scene(random);
    for (const TreeBuilder builder : {TreeBuilder::growth, TreeBuilder::johnsen, TreeBuilder::volume}) {
        for (const TreeUpdate update : {TreeUpdate::margins, TreeUpdate::larsson, TreeUpdate::naive}) {
            for (const double step : {0.002, 0.05}) {
                const Motion motion(scene, random, 0.1, 0.01, 0.02);
                TreeSettings settings = plain_settings(0.002);
                settings.builder = builder;
                settings.update = update;
                const Outcome outcome = follow(scene, motion, settings, 25, step, true);
                EXPECT_GT(outcome.wanted, 500);
                EXPECT_EQ(outcome.missing, 0);
                EXPECT_EQ(outcome.disordered, 0);
            }
        }
    }
}

TEST(SurfaceTree, WithoutUpdatesItMisses) {
    Random random{1};
    const TreeScene scene = make_mixed_scene(random);
    const Motion motion(scene, random, 0.1, 0.01, 0.02);
    EXPECT_GT(follow(scene, motion, plain_settings(0.002), 25, 0.05, false).missing, 100);
}

TEST(SurfaceTree, FollowsALongJumpAndAReturn) {
    Random random{2};
    const TreeScene scene = make_mixed_scene(random);
    const Motion motion(scene, random, 0.1, 0.01, 0.02);
    const TreeSettings settings = plain_settings(0.002);
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
    std::vector<Vec3> x, p;
    std::vector<Pose> start, end;
    int wanted = 0;
    for (const double time : {0.0, 0.001, 0.002, 0.7, 0.7005, 0.001, 0.0}) {
        motion.place(scene, time, p, end);
        if (x.empty()) {
            x = p;
            start = end;
        }
        tree.update(x, p, start, end);
        const PairList near = find_all_pairs(scene.surface, x, p, settings.layer, 9);
        wanted += static_cast<int>(near.size());
        EXPECT_EQ(count_missing(near, tree.pairs()), 0) << time;
        x = p;
        start = end;
    }
    EXPECT_GT(wanted, 1000);
}

// What a tree made for this step alone would list among the near pairs, one that was kept lists as well.
TEST(SurfaceTree, ListsWhatAFreshTreeLists) {
    Random random{3};
    const TreeScene scene = make_mixed_scene(random);
    const Motion motion(scene, random, 0.1, 0.01, 0.02);
    const TreeSettings settings = plain_settings(0.002);
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
    std::vector<Vec3> x, p;
    std::vector<Pose> start, end;
    int near = 0;
    for (int i = 0; i < 40; ++i) {
        motion.place(scene, 0.01 * i, x, start);
        motion.place(scene, 0.01 * (i + 1), p, end);
        const PairList before(tree.pairs().begin(), tree.pairs().end());
        const bool changed = tree.update(x, p, start, end);
        EXPECT_EQ(changed, !std::equal(before.begin(), before.end(), tree.pairs().begin(), tree.pairs().end()));
        SurfaceTree fresh(scene.surface, scene.bodies, scene.rest, settings);
        fresh.update(x, p, start, end);
        for (const auto& pair : fresh.pairs()) {
            const double limit = contact_radii(scene.surface, pair[0], pair[1]) + settings.layer;
            if (least_distance(scene.surface, pair[0], pair[1], x, p, 5) > limit) continue;
            ++near;
            EXPECT_EQ(count_missing({pair}, tree.pairs()), 0);
        }
        // Forgetting makes them the same.
        SurfaceTree copy = tree;
        copy.forget();
        copy.update(x, p, start, end);
        ASSERT_TRUE(std::equal(copy.pairs().begin(), copy.pairs().end(), fresh.pairs().begin(), fresh.pairs().end()));
    }
    EXPECT_GT(near, 500);
}

// Patches that are refitted only when they must be come in small searches and miss nothing; those that wait for others
// come together.
TEST(SurfaceTree, ShareThatIsRefittedAlongSetsTheSizeOfSearches) {
    Random random{6};
    const TreeScene scene = make_mixed_scene(random);
    const Motion motion(scene, random, 0.1, 0.01, 0.02);
    const auto largest_search = [&](double soon) {
        TreeSettings settings = plain_settings(0.002);
        settings.soon = soon;
        SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
        std::vector<Vec3> x, p;
        std::vector<Pose> start, end;
        std::int64_t most = 0;
        for (int i = 0; i < 200; ++i) {
            motion.place(scene, 0.001 * i, x, start);
            motion.place(scene, 0.001 * (i + 1), p, end);
            const std::int64_t before = tree.counts().refits;
            tree.update(x, p, start, end);
            if (i > 0) most = std::max(most, tree.counts().refits - before);
            if (i % 20 != 0) continue;
            EXPECT_EQ(count_missing(find_all_pairs(scene.surface, x, p, settings.layer), tree.pairs()), 0) << soon;
        }
        return most;
    };
    EXPECT_LT(2 * largest_search(0.1), largest_search(0.9));
}

TEST(SurfaceTree, WhatFallsTogetherIsLeftAlone) {
    TreeScene scene;
    scene.add(make_icosphere(2, 0.05), {true, false}, 0.001, true);
    scene.add(make_sheet(10, 0.12), {false, false}, 0.001, true, {0, 0, -0.052});
    scene.add(make_icosphere(1, 0.03), {true, true}, 0.0, false, {0.0, 0.0, 0.082});
    scene.finish();
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, {});
    std::vector<Vec3> x = scene.rest, p = scene.rest;
    std::vector<Pose> start(3), end(3);
    tree.update(x, p, start, end);
    const TreeCounts first = tree.counts();
    EXPECT_EQ(first.refits, first.patches);
    EXPECT_FALSE(tree.pairs().empty());
    Vec3 fall;
    for (int i = 0; i < 200; ++i) {
        x = p;
        start = end;
        fall.z -= 1e-4 * i;
        for (std::size_t n = 0; n < p.size(); ++n) p[n] = scene.rest[n] + fall;
        end[2].shift = fall;
        EXPECT_FALSE(tree.update(x, p, start, end));
    }
    EXPECT_EQ(tree.counts().refits, first.refits);
    EXPECT_EQ(tree.counts().updates, first.updates);
    EXPECT_EQ(tree.counts().visits, first.visits);
    // One of them alone: its pairs with others are searched again, and no box is touched.
    for (int i = 0; i < 20; ++i) {
        x = p;
        start = end;
        end[2] = compose(make_pose({0.02, 0.01, 0.0}, {0, 0, -0.001}), end[2]);
        for (std::size_t n = 0; n < p.size(); ++n) {
            if (scene.body_of[n] == 2) p[n] = apply(end[2], scene.rest[n]);
        }
        tree.update(x, p, start, end);
    }
    EXPECT_EQ(tree.counts().refits, first.refits);
    EXPECT_EQ(tree.counts().updates, first.updates);
    EXPECT_GT(tree.counts().visits, first.visits);
}

TEST(SurfaceTree, RecoversFromPlacesThatAreNotNumbers) {
    Random random{5};
    const TreeScene scene = make_mixed_scene(random);
    const TreeSettings settings = plain_settings(0.002);
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
    std::vector<Pose> poses(scene.bodies.size());
    const PairList wanted = find_all_pairs(scene.surface, scene.rest, scene.rest, settings.layer);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
        std::vector<Vec3> p = scene.rest;
        for (std::size_t n = 0; n < p.size(); n += 7) p[n].y = bad;
        tree.update(scene.rest, p, poses, poses);
        tree.update(p, p, poses, poses);
        tree.update(scene.rest, scene.rest, poses, poses);
        EXPECT_EQ(count_missing(wanted, tree.pairs()), 0);
    }
}

TEST(SurfaceTree, NothingAndOneTriangle) {
    const Surface none;
    SurfaceTree empty(none, {}, {}, {});
    EXPECT_FALSE(empty.update({}, {}, {}, {}));
    EXPECT_EQ(empty.depth(), 0);
    TreeScene scene;
    scene.add({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, {false, false}, 0.01, true);
    scene.add({{{0.2, 0.2, 0.01}, {0.2, 0.2, 1}, {0.2, 0.3, 1}}, {{0, 1, 2}}}, {false, false}, 0.01, true);
    scene.finish();
    SurfaceTree two(scene.surface, scene.bodies, scene.rest, {});
    EXPECT_TRUE(two.update(scene.rest, scene.rest, {}, {}));
    EXPECT_EQ(count_missing(find_all_pairs(scene.surface, scene.rest, scene.rest, 0.0), two.pairs()), 0);
    EXPECT_FALSE(two.pairs().empty());
}

// The paper's table 1, by formulas instead of forces.
TEST(SurfaceTree, TableOne) {
    for (const TableScene& table : {make_ball_and_slab(), make_liver_and_diaphragm()}) {
        const auto triangles = static_cast<int>(table.scene.surface.triangles.size());
        for (const TreeBuilder builder : {TreeBuilder::growth, TreeBuilder::johnsen, TreeBuilder::volume}) {
            TreeSettings settings;
            settings.builder = builder;
            settings.layer = 0.02 * table.scene.mean_edge;
            const TableRow ours = run_table(table, settings, 3752, 0);
            EXPECT_EQ(ours.volumes, 2 * triangles - 2);  // two bodies, two roots
            EXPECT_LE(ours.depth, 16);
            EXPECT_LE(ours.updates, table.liver ? 0.04 * ours.volumes : 60.0);
            EXPECT_LE(ours.candidates, 20.0);
            settings.update = TreeUpdate::naive;
            const TableRow naive = run_table(table, settings, 10, 0);
            EXPECT_EQ(naive.updates, naive.volumes);
            EXPECT_LT(ours.visits, 0.1 * naive.visits);
            settings.update = TreeUpdate::johnsen;
            const TableRow paper = run_table(table, settings, 100, 0);
            EXPECT_EQ(paper.patches, triangles / 16);
            EXPECT_NEAR(paper.updates, 2.0 * paper.patches - 1.0, (table.liver ? 0.9 : 0.1) * paper.updates);
            settings.update = TreeUpdate::larsson;
            const TableRow demand = run_table(table, settings, 10, 0);
            EXPECT_GT(demand.updates, paper.updates);
            EXPECT_LT(demand.updates, naive.updates);
            settings.update = TreeUpdate::half_depth;
            const TableRow half = run_table(table, settings, 100, 0);
            EXPECT_EQ(half.patches, demand.patches);
            EXPECT_GE(half.updates, 2.0 * half.patches - 2.0);
            EXPECT_LT(half.updates, demand.updates);
        }
    }
}

// Eq. 5 guards cones, not boxes: pairs are missed. Ours misses none.
TEST(SurfaceTree, StaleBoxesMissPairs) {
    const TableScene table = make_ball_and_slab();
    TreeSettings settings = plain_settings(0.02 * table.scene.mean_edge);
    EXPECT_EQ(run_table(table, settings, 100, 20).missing, 0);
    settings.update = TreeUpdate::johnsen;
    EXPECT_GT(run_table(table, settings, 100, 20).missing, 20);
}

// Where normals are in no half-space the lemma says nothing, and nothing is excluded: a spike; not so on a ball.
TEST(SurfaceTree, WideFansExcludeNothing) {
    TreeScene scene;
    const SurfaceMesh spike{{{0, 0, 0}, {-1, 0.05, 0.05}, {-1, -0.05, 0.05}, {-1, -0.05, -0.05}, {-1, 0.05, -0.05}},
                            {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {1, 4, 3}, {1, 3, 2}}};
    scene.add(spike, {true, false}, 0.0, true);
    scene.add(make_icosphere(2, 0.5), {true, true}, 0.0, false, {1, 0, 0});
    scene.finish();
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, {});
    const std::vector<Pose> poses(2);
    tree.update(scene.rest, scene.rest, poses, poses);
    for (std::int32_t v = 0; v < tree.counts().volumes; ++v) {
        if (tree.shape().right[static_cast<std::size_t>(v)] != 0) continue;
        const Cone cone = tree.cone(v);
        if (v < tree.first_volume(1)) {
            EXPECT_EQ(cone.half, std::numbers::pi);
        } else {
            EXPECT_LT(cone.half, 0.7);
            EXPECT_GT(cone.half, 0.2);
        }
    }
}

// rad: how far the worst normal around a leaf is outside the cone of the leaf or of a volume above it.
double worst_outside(const SurfaceTree& tree, const TreeScene& scene, const std::vector<Vec3>& x) {
    std::vector<std::vector<std::size_t>> around(x.size());
    std::vector<Vec3> normals;
    for (std::size_t t = 0; t < scene.surface.triangles.size(); ++t) {
        const Triangle& triangle = scene.surface.triangles[t];
        const auto at = [&](std::int32_t n) { return x[static_cast<std::size_t>(n)]; };
        normals.push_back(normalized(cross(at(triangle.b) - at(triangle.a), at(triangle.c) - at(triangle.a))));
        for (const std::int32_t n : {triangle.a, triangle.b, triangle.c}) {
            around[static_cast<std::size_t>(n)].push_back(t);
        }
    }
    double worst = -10.0;
    const TreeShape& shape = tree.shape();
    for (std::size_t v = 0; v < shape.size(); ++v) {
        const Cone cone = tree.cone(static_cast<std::int32_t>(v));
        for (auto l = static_cast<std::size_t>(shape.first[v]); l < static_cast<std::size_t>(shape.last[v]); ++l) {
            const Triangle& triangle = scene.surface.triangles[static_cast<std::size_t>(shape.facet[l])];
            for (const std::int32_t n : {triangle.a, triangle.b, triangle.c}) {
                for (const std::size_t t : around[static_cast<std::size_t>(n)]) {
                    worst = std::max(worst, angle_between(cone.axis, normals[t]) - cone.half);
                }
            }
        }
    }
    return worst;
}

// All the time, normals are within their cones and the margin that searches allow for, though few patches are refitted.
TEST(SurfaceTree, ConesHoldBetweenRefits) {
    Random random{8};
    TreeScene scene;
    scene.add(make_icosphere(2, 0.05), {true, false}, 0.0, true);
    scene.finish();
    for (const double step : {0.002, 0.02, 0.1}) {
        const Motion motion(scene, random, 0.1, 0.01, 0.0);
        TreeSettings settings;
        settings.margin = 1.0;  // then only turning normals ask for refits
        SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
        std::vector<Vec3> x, p, middle;
        std::vector<Pose> poses;
        double worst = -10.0;
        for (int i = 0; i < 40; ++i) {
            motion.place(scene, step * i, x, poses);
            motion.place(scene, step * (i + 1), p, poses);
            tree.update(x, p, poses, poses);
            middle = x;
            for (std::size_t n = 0; n < x.size(); ++n) middle[n] = 0.5 * (x[n] + p[n]);
            for (const auto* each : {&x, &middle, &p}) worst = std::max(worst, worst_outside(tree, scene, *each));
        }
        EXPECT_LE(worst, turn_margin + normal_tolerance);
        EXPECT_GT(worst, 0.3 * turn_margin - cone_margin);  // and the margin is used
        EXPECT_LE(tree.counts().refits, (step < 0.01 ? 20 : 40) * tree.counts().patches);
        EXPECT_GT(tree.counts().refits, tree.counts().patches);
    }
}

// Every instruction set measures the same motion.
TEST(SurfaceTree, MotionIsMeasuredAlikeEverywhere) {
    Random random{7};
    std::vector<Vec3> x, p;
    for (int i = 0; i < 100; ++i) {
        x.push_back(draw_vector(random, 1.0));
        p.push_back(x.back() + draw_vector(random, 0.01));
    }
    std::vector<std::int32_t> node(48);
    std::vector<double> ref[3];
    for (std::int32_t& n : node) n = static_cast<std::int32_t>(random.uniform() * 100.0);
    const Vec3 from = draw_vector(random, 1.0), to = from + draw_vector(random, 0.01);
    for (const std::int32_t n : node) {
        const Vec3 r = p[static_cast<std::size_t>(n)] - to;
        ref[0].push_back(r.x);
        ref[1].push_back(r.y);
        ref[2].push_back(r.z);
    }
    const CornerArrays corners{node.data(), ref[0].data(), ref[1].data(), ref[2].data(), 0, 48};
    double longest = 0.0, spread = 0.0;
    for (const std::int32_t n : node) {
        const auto w = [&](std::int32_t k) {
            return x[static_cast<std::size_t>(k)] - from - (p[static_cast<std::size_t>(k)] - to);
        };
        longest = std::max(longest, squared_norm(w(n)));
        for (const std::int32_t m : node) spread = std::max(spread, squared_norm(w(n) - w(m)));
    }
    const CornerMotion here = base::measure_motion(&x[0].x, &p[0].x, corners, &from.x, &to.x);
    EXPECT_NEAR(here.farthest, longest, 1e-9 * longest);
    EXPECT_GE(here.spread, spread * (1.0 - 1e-9));
    EXPECT_LE(here.spread, 3.0 * spread);
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        if (!is_available(isa)) continue;
        const auto measure = PLICA_PICK_KERNEL(isa, measure_motion);
        const CornerMotion there = measure(&x[0].x, &p[0].x, corners, &from.x, &to.x);
        EXPECT_EQ(there.farthest, here.farthest);
        EXPECT_EQ(there.spread, here.spread);
        std::vector<Vec3> bad = p;
        bad[static_cast<std::size_t>(node[40])].y = std::numeric_limits<double>::quiet_NaN();
        EXPECT_EQ(measure(&x[0].x, &bad[0].x, corners, &from.x, &to.x).farthest, HUGE_VAL);
    }
}

}  // namespace
}  // namespace plica::testing
