#include "engine/recall.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/collision/tangles.hpp"

// How much the papers' detector finds: on the frames of an exact run, and in a world that depends on it.
namespace plica::testing {
namespace {

// The pile of 100 segments, settled, then stirred: 180 frames at 30 Hz (D4).
struct Trajectory {
    Tangle tangle;
    std::vector<std::vector<Vec3>> frames;
    double travel = 0.0;  // radii a frame, mean over the frames of the fastest node's
};

double find_farthest(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    double most = 0.0;
    for (std::size_t n = 0; n < from.size(); ++n) most = std::max(most, distance(from[n], to[n]));
    return most;
}

// By a hand of 3 N that leads the middle of the gut at this speed, as far as 3 N do.
Trajectory stir_pile(std::uint64_t seed, double speed) {
    constexpr int frames = 180;
    constexpr double circle = 0.08;  // m
    constexpr double tube = 0.02;    // m
    SceneDescription scene = read_scene(find_scene("intestine-pile"));
    ToolDescription hand;
    hand.tool.name = "hand";
    hand.tool.max_force = 3.0;
    scene.tools.push_back(hand);
    World world = make_world(scene, seed);
    Inputs inputs = quiet_inputs(scene);
    run_for(world, inputs, 3.0);
    Trajectory result;
    const std::int32_t node = 50;
    const Vec3 start = world.state().x[50];
    double angle = std::atan2(start.y, start.x);
    for (int i = 0; i < frames; ++i) {
        angle += speed / circle * world.model().dt;
        inputs.tools[0] = {Vec3{circle * std::cos(angle), circle * std::sin(angle), start.z}, node, 1};
        const std::vector<Vec3> before = world.state().x;
        world.step(inputs);
        result.frames.push_back(world.state().x);
        result.travel += find_farthest(before, world.state().x) / (tube * frames);
    }
    result.tangle = make_tangle(world.model(), {});
    return result;
}

// A stirred pile is chaotic: those of 120 seeds travel 1.59 radii a frame with a standard deviation of 0.35, so that
// six of them say nothing to better than 0.14. Of the mean of 24, here, the standard error is 0.08.
constexpr int piles = 24;

std::vector<Trajectory> stir_piles(double speed) {
    std::vector<Trajectory> runs;
    for (std::uint64_t seed = 1; seed <= piles; ++seed) runs.push_back(stir_pile(seed, speed));
    return runs;
}

double mean_travel(const std::vector<Trajectory>& runs) {
    double sum = 0.0;
    for (const Trajectory& run : runs) sum += run.travel;
    return sum / static_cast<double>(runs.size());
}

struct Outcome {
    double regions = 0.0, pairs = 0.0;  // shares
    double tests = 0.0;                 // a frame
    std::int64_t wrong = 0;
};

// The tracked detector along one run, from nothing. Returns its distance tests.
double follow(Trajectory& run, int draws, std::uint64_t seed, RecallCount& sum) {
    TrackSettings settings;
    settings.draws = draws;
    Random random{seed};
    std::vector<ActivePair> active;
    std::vector<Pair> colliding;
    TrackScratch scratch;
    double tests = 0.0;
    for (const std::vector<Vec3>& x : run.frames) {
        run.tangle.x = x;
        const TrackedView view = run.tangle.view();
        tests += static_cast<double>(track(view, settings, random, active, scratch, colliding).tests);
        sum.add(compute_recall(view, settings, active, colliding).tubes);
    }
    return tests;
}

// Over all frames of all runs.
Outcome follow(std::vector<Trajectory>& runs, int draws) {
    Outcome outcome;
    RecallCount sum;
    std::size_t frames = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        outcome.tests += follow(runs[i], draws, i + 1, sum);
        frames += runs[i].frames.size();
    }
    outcome.regions = static_cast<double>(sum.held) / static_cast<double>(sum.regions);
    outcome.pairs = static_cast<double>(sum.delivered) / static_cast<double>(sum.pairs);
    outcome.tests /= static_cast<double>(frames);
    outcome.wrong = sum.wrong;
    return outcome;
}

// The reference, at 1.6 radii a frame: 91 +- 4 % of the regions at n = N, at least 99 % at n = 10 N. The hand that the
// specification describes gives way at 3 N and has to be led at 2.5 m/s for that. How the pile is driven matters as
// well as how fast: a hand that never gives way, led at 0.8 m/s, also makes 1.6 radii a frame, and 86 % are found.
TEST(Recall, OnTheFramesOfAnExactRun) {
    std::vector<Trajectory> runs = stir_piles(2.5);
    EXPECT_NEAR(mean_travel(runs), 1.6, 0.2);
    RecordProperty("travel", std::to_string(mean_travel(runs)));
    double last = 0.0;
    for (const int draws : {10, 50, 100, 200, 1000}) {
        const Outcome o = follow(runs, draws);
        EXPECT_EQ(o.wrong, 0);
        EXPECT_GT(o.regions, last) << draws;
        EXPECT_GE(o.pairs, o.regions) << draws;
        last = o.regions;
        if (draws == 100) {
            EXPECT_NEAR(o.regions, 0.91, 0.04);
        }
        if (draws == 1000) {
            EXPECT_GE(o.regions, 0.99);
        }
        // 4753 pairs may touch.
        if (draws == 50) {
            EXPECT_LT(o.tests, 4753.0 / 4.0);
        }
        RecordProperty("regions_at_" + std::to_string(draws), std::to_string(o.regions));
        RecordProperty("tests_at_" + std::to_string(draws), std::to_string(o.tests));
    }
    EXPECT_EQ(follow(runs, 0).regions, 0.0);  // nothing drawn, nothing found
    const double whole = follow(runs, 50).regions;
    for (Trajectory& run : runs) {
        Neighbours& neighbours = run.tangle.neighbours;
        neighbours.list.assign(neighbours.list.size(), neighbours.tubes[0]);
    }
    EXPECT_LT(follow(runs, 50).pairs, 0.8 * whole);  // nor can a broken stencil track
}

// The measure itself: regions and pairs as an independent count has them.
TEST(Recall, CountsRegionsAndPairs) {
    const Tangle tangle = make_pile(100, 60);
    const TrackSettings settings;
    const std::set<Key> all = closer_than(tangle, settings.touching);
    const std::map<Key, int> parts = find_parts(tangle, all);
    int regions = 0;
    for (const auto& [key, part] : parts) regions = std::max(regions, part + 1);
    ASSERT_GT(regions, 5);
    const Key one = *all.begin();
    const std::vector<ActivePair> active{{one.first, one.second}, {0, 99}};
    TrackScratch scratch;
    std::vector<Pair> delivered;
    flood(tangle.view(), settings, active, scratch, delivered);
    const Recall recall = compute_recall(tangle.view(), settings, active, delivered);
    EXPECT_EQ(recall.tubes.regions, regions);
    EXPECT_EQ(recall.tubes.pairs, static_cast<std::int64_t>(all.size()));
    EXPECT_EQ(recall.tubes.held, all.count({0, 99}) > 0 && parts.at({0, 99}) != parts.at(one) ? 2 : 1);
    EXPECT_EQ(recall.tubes.delivered, static_cast<std::int64_t>(delivered.size()));
    EXPECT_EQ(recall.tubes.wrong, 0);
    EXPECT_EQ(recall.edges.pairs, 0);
    // Negative control: a pair that does not collide is told apart.
    Pair wrong;
    wrong.a = 0;
    wrong.b = 98;
    while (all.count({wrong.a, wrong.b}) > 0) --wrong.b;
    delivered.push_back(wrong);
    std::sort(delivered.begin(), delivered.end());
    EXPECT_EQ(compute_recall(tangle.view(), settings, active, delivered).tubes.wrong, 1);
}

SceneDescription tracked_pile(int pairs = -1) {
    SceneDescription scene = read_scene(find_scene("intestine-pile", {"solver.detector=tracked"}));
    scene.tracked_pairs = pairs;
    return scene;
}

Recall run_tracked(const SceneDescription& scene, int steps) {
    World world = make_world(scene);
    Script script(scene);
    Recall sum;
    for (int i = 0; i < steps; ++i) {
        world.step(script.next(world));
        const Recall recall = compute_recall(world);
        sum.tubes.add(recall.tubes);
        sum.edges.add(recall.edges);
    }
    return sum;
}

TEST(TrackedWorld, FindsMostOfWhatCollides) {
    const RecallCount found = run_tracked(tracked_pile(), 60).tubes;
    EXPECT_GT(found.regions, 500);
    EXPECT_GT(found.held, 0.9 * static_cast<double>(found.regions));
    EXPECT_EQ(found.wrong, 0);
    const RecallCount none = run_tracked(tracked_pile(0), 30).tubes;
    EXPECT_GT(none.regions, 0);
    EXPECT_EQ(none.held, 0);
}

TEST(TrackedWorld, MesenteryByItsEdges) {
    const SceneDescription scene =
        read_scene(find_scene("intestine-plane", {"solver.detector=tracked", "gut.mesentery_contact=edges",
                                                  "solver.tracked_pairs=1000", "solver.substeps=10"}));
    const Recall found = run_tracked(scene, 20);
    EXPECT_GT(found.edges.pairs, 50);
    EXPECT_GT(found.edges.delivered, 0.8 * static_cast<double>(found.edges.pairs));
    EXPECT_EQ(found.edges.wrong, 0);
    EXPECT_EQ(found.tubes.wrong, 0);
}

// The generator and the pairs that are followed are part of the state.
TEST(TrackedWorld, ASavedStateContinuesBitForBit) {
    const SceneDescription scene = tracked_pile();
    const Inputs inputs = quiet_inputs(scene);
    World whole = make_world(scene);
    run_for(whole, inputs, 0.7);
    const State saved = whole.state();
    ASSERT_FALSE(saved.active.empty());
    std::uint64_t hash = 0;
    for (int i = 0; i < 15; ++i) hash = whole.step(inputs).hash;
    const auto resume = [&](const State& state, int threads) {
        World world = make_world(scene, 99, threads);
        world.restore(state);
        std::uint64_t last = 0;
        for (int i = 0; i < 15; ++i) last = world.step(inputs).hash;
        return last;
    };
    EXPECT_EQ(resume(saved, 1), hash);
    EXPECT_EQ(resume(saved, 4), hash);
    State forgetful = saved;  // negative controls
    forgetful.active.clear();
    EXPECT_NE(resume(forgetful, 1), hash);
    State other = saved;
    ++other.random.state;
    EXPECT_NE(resume(other, 1), hash);
}

TEST(TrackedWorld, ANodeThatIsNoNumberIsSurvived) {
    const SceneDescription scene = tracked_pile();
    World world = make_world(scene);
    const Inputs inputs = quiet_inputs(scene);
    run_for(world, inputs, 0.5);
    State state = world.state();
    state.v[10].y = std::numeric_limits<double>::quiet_NaN();
    world.restore(state);
    EXPECT_FALSE(world.step(inputs).is_valid());
}

}  // namespace
}  // namespace plica::testing
