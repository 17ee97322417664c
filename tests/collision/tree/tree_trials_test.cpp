#include "experiments/johnsen/tree_trials.hpp"

#include <gtest/gtest.h>

#include "experiments/johnsen/near_pairs.hpp"
#include "tests/collision/tree/tree_scenes.hpp"

// What `plica reproduce johnsen-table1` is made of: near pairs by brute force, first contacts, trees along a scene.
namespace plica::experiments {
namespace {

using testing::TreeScene;

constexpr double half_thickness = 0.02;

// Two balls of radius 1, the second one `apart` above the first.
TreeScene make_balls(double apart) {
    TreeScene scene;
    scene.add(make_icosphere(2, 1.0), {true, false}, half_thickness, true);
    scene.add(make_icosphere(2, 1.0), {true, false}, half_thickness, true, {0.05, 0.03, 2.0 + apart});
    scene.finish();
    return scene;
}

std::vector<Vec3> move_second(const TreeScene& scene, const Vec3& by) {
    std::vector<Vec3> x = scene.rest;
    for (std::size_t n = 0; n < x.size(); ++n) x[n] += scene.body_of[n] == 1 ? by : Vec3{};
    return x;
}

TEST(NearPairs, AreThoseOfAnotherSearch) {
    const TreeScene scene = make_balls(0.1);
    const std::vector<Vec3> p = move_second(scene, {0, 0, -0.08});
    const auto found = find_near_pairs(scene.surface, scene.rest, p);
    EXPECT_GT(found.size(), 4U);
    EXPECT_EQ(found, testing::find_all_pairs(scene.surface, scene.rest, p, 0.0, 3));
    // At the start, in the middle and at the end.
    EXPECT_EQ(found, find_near_pairs(scene.surface, p, scene.rest));
    const auto passing =
        find_near_pairs(scene.surface, move_second(scene, {-0.5, 0, -0.08}), move_second(scene, {0.5, 0, -0.08}));
    EXPECT_EQ(found, passing);
    EXPECT_TRUE(find_near_pairs(scene.surface, scene.rest, scene.rest).empty());
}

TEST(NearPairs, OneThatIsNotListedIsNoticed) {
    const TreeScene scene = make_balls(0.02);
    const auto near = find_near_pairs(scene.surface, scene.rest, scene.rest);
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, {});
    const std::vector<Pose> poses(2);
    tree.update(scene.rest, scene.rest, poses, poses);
    EXPECT_TRUE(find_unlisted(near, tree.pairs()).empty());
    std::vector<FeaturePair> listed(tree.pairs().begin(), tree.pairs().end());
    listed.erase(std::find(listed.begin(), listed.end(), near[1]));
    EXPECT_EQ(find_unlisted(near, listed), std::vector<FeaturePair>{near[1]});
    EXPECT_EQ(find_unlisted(near, {}), near);
}

TEST(FirstContacts, AreWhereNormalsAreOpposite) {
    TreeScene scene = make_balls(0.02);
    const auto near = find_near_pairs(scene.surface, scene.rest, scene.rest);
    ASSERT_FALSE(near.empty());
    const auto count = [&] {
        const FirstContacts contacts(scene.surface, scene.rest.size());
        return std::count_if(near.begin(), near.end(),
                             [&](const FeaturePair& pair) { return contacts.contain(pair, scene.rest); });
    };
    EXPECT_GT(count(), 0);
    for (Triangle& t : scene.surface.triangles) {
        if (t.body == 1) std::swap(t.b, t.c);  // inside out: normals look the same way
    }
    EXPECT_EQ(count(), 0);
}

TEST(TreeTrials, FollowASceneWithEveryKindOfTree) {
    double done = 0.0;
    const SceneSource source = find_scene("ball-slab", {"ball.cell=0.03"});
    const TreeTrial trial = run_trees(source, 0.5, 0.2, [&](double share) { done = share; });
    EXPECT_EQ(trial.lost, "");
    EXPECT_NEAR(done, 1.0, 1e-9);
    EXPECT_NEAR(trial.seconds, 0.5, 1e-9);
    EXPECT_GT(trial.substeps, 200);
    EXPECT_EQ(trial.checks, 1 + (trial.substeps - 1) / substeps_per_check);
    EXPECT_GT(trial.near_pairs, 0);
    ASSERT_EQ(trial.rows.size(), all_builders.size() * all_updates.size());
    const Model model = build_scene(source, 1).model;
    EXPECT_NE(trial.pressed, model.rest);
    for (const TreeRow& r : trial.rows) {
        SCOPED_TRACE(std::string(name_of(r.kind.builder)).append(", ").append(name_of(r.kind.update)));
        EXPECT_EQ(r.volumes, 2 * trial.triangles - 2);
        EXPECT_EQ(r.updates_at.size(), 25U);
        EXPECT_LE(r.missed_contacts, r.missed);
        EXPECT_GT(r.candidates, 0.0);
        EXPECT_GE(r.most_candidates, r.candidates);
        if (r.kind.update == TreeUpdate::naive) {
            EXPECT_EQ(r.updates, r.volumes);
        }
        if (r.kind.update == TreeUpdate::margins) {
            EXPECT_LT(r.updates, 0.1 * r.volumes);
        }
        if (r.kind.update != TreeUpdate::johnsen && r.kind.update != TreeUpdate::half_depth) {
            EXPECT_EQ(r.missed, 0);
        }
    }
}

}  // namespace
}  // namespace plica::experiments
