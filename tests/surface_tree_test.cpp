#include <gtest/gtest.h>

#include "tree_scenes.hpp"

namespace plica::testing {
namespace {

// A scene on its way: bodies that deform wave, fall and drift; rigid ones turn.
struct Motion {
    std::vector<Waves> waves;
    std::vector<Vec3> speed, spin;

    Motion(const TreeScene& scene, Random& random, double length, double size, double fast) {
        for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
            waves.emplace_back(random, length, size);
            const auto vector = [&](double s) {
                const double u = random.uniform(-s, s), v = random.uniform(-s, s);
                return Vec3{u, v, random.uniform(-s, s)};
            };
            speed.push_back(vector(fast));
            spin.push_back(vector(1.0));
        }
    }
    void place(const TreeScene& scene, double time, std::vector<Vec3>& x, std::vector<Pose>& poses) const {
        poses.clear();
        for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
            poses.push_back(make_pose(spin[b] * time, speed[b] * time));
        }
        x.resize(scene.rest.size());
        for (std::size_t n = 0; n < x.size(); ++n) {
            const auto b = static_cast<std::size_t>(scene.body_of[n]);
            const Vec3& rest = scene.rest[n];
            x[n] = scene.bodies[b].rigid ? apply(poses[b], rest) : rest + waves[b].at(rest, time) + speed[b] * time;
        }
    }
};

struct Outcome {
    int wanted = 0, missing = 0;    // against all pairs
    int fresh = 0, fresh_gone = 0;  // pairs of a fresh tree that are near, not in the one that was kept
    std::int64_t listed = 0;
};

// Without cones: then every near pair is wanted.
Outcome follow(const TreeScene& scene, const Motion& motion, TreeSettings settings, int steps, double step, bool keep) {
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
    std::vector<Vec3> x, p;
    std::vector<Pose> start, end;
    Outcome outcome;
    for (int i = 0; i < steps; ++i) {
        motion.place(scene, i * step, x, start);
        motion.place(scene, (i + 1) * step, p, end);
        if (i == 0 || keep) tree.update(x, p, start, end);
        const PairList wanted = find_all_pairs(scene.surface, x, p, settings.layer);
        outcome.wanted += static_cast<int>(wanted.size());
        outcome.missing += count_missing(wanted, tree.pairs());
        outcome.listed += static_cast<std::int64_t>(tree.pairs().size());
        EXPECT_TRUE(std::is_sorted(tree.pairs().begin(), tree.pairs().end()));
        EXPECT_EQ(std::adjacent_find(tree.pairs().begin(), tree.pairs().end()), tree.pairs().end());
    }
    return outcome;
}

TreeScene make_mixed_scene() {
    TreeScene scene;
    scene.add(make_icosphere(2, 0.05), {true, false}, 0.002, true);
    scene.add(make_sheet(10, 0.12), {false, false}, 0.001, true, {0, 0, -0.053});
    scene.add(make_icosphere(1, 0.03), {true, true}, 0.0, false, {0.02, 0.01, 0.079});
    scene.finish();
    return scene;
}

TEST(SurfaceTree, FindsEveryNearPair) {
    Random random{1};
    const TreeScene scene = make_mixed_scene();
    for (const TreeBuilder builder : {TreeBuilder::growth, TreeBuilder::johnsen, TreeBuilder::volume}) {
        for (const TreeUpdate update : {TreeUpdate::skins, TreeUpdate::larsson, TreeUpdate::naive}) {
            for (const double step : {0.002, 0.05}) {
                const Motion motion(scene, random, 0.1, 0.01, 0.02);
                TreeSettings settings;
                settings.builder = builder;
                settings.update = update;
                settings.cones = false;
                settings.layer = 0.002;
                const Outcome outcome = follow(scene, motion, settings, 40, step, true);
                EXPECT_GT(outcome.wanted, 500);
                EXPECT_EQ(outcome.missing, 0) << static_cast<int>(builder) << static_cast<int>(update) << step;
                std::printf("wanted %d listed %lld missing %d\n", outcome.wanted,
                            static_cast<long long>(outcome.listed), outcome.missing);
            }
        }
    }
}

TEST(SurfaceTree, WithoutUpdatesItMisses) {
    Random random{1};
    const TreeScene scene = make_mixed_scene();
    const Motion motion(scene, random, 0.1, 0.006, 0.03);
    TreeSettings settings;
    settings.cones = false;
    settings.layer = 0.001;
    EXPECT_GT(follow(scene, motion, settings, 40, 0.05, false).missing, 100);
}

}  // namespace
}  // namespace plica::testing
