#include <gtest/gtest.h>

#include "tests/scenarios/scenarios.hpp"

namespace plica::testing {
namespace {

// S1, all six seeds.
TEST(Pile, SettlesWithoutPenetration) {
    const SceneDescription scene = read_scene(find_scene("intestine-pile"));
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Outcome o = run_scene(scene, seed, 8.0);
        EXPECT_LE(o.worst, 0.12) << "seed " << seed;
        EXPECT_LE(o.settled, 0.03) << "seed " << seed;
        EXPECT_EQ(o.pass_throughs, 0) << "seed " << seed;
        EXPECT_LE(o.rms, 0.01) << "seed " << seed;
        EXPECT_LE(o.fastest, 0.2) << "seed " << seed;
        EXPECT_LE(o.stretch, 0.02) << "seed " << seed;
        EXPECT_LE(o.peak_stretch, 0.05) << "seed " << seed;  // a few springs, in the substep of the impact
        EXPECT_GE(o.touching, 60.0) << "seed " << seed;
        EXPECT_FALSE(o.flagged) << "seed " << seed;
    }
}

TEST(Pile, WithoutContactTheSameAuditFails) {
    SceneDescription scene = read_scene(find_scene("intestine-pile", {"contact.enabled=false"}));
    const Outcome o = run_scene(scene, 1, 4.0);
    EXPECT_GT(o.pass_throughs, 10);
    EXPECT_GT(o.worst, 1.0);
}

// The papers' response keeps the pile apart in small steps, less well than ours.
TEST(Pile, PaperResponseWorksInSmallSteps) {
    SceneDescription scene =
        read_scene(find_scene("intestine-pile", {"solver.response=raghupathi", "contact.sweeps=4"}));
    const Outcome paper = run_scene(scene, 1, 5.0);
    EXPECT_EQ(paper.pass_throughs, 0);
    EXPECT_LT(paper.worst, 0.5);
}

TEST(Intestine, GutAndMesenteryTouchAndStaySound) {
    const SceneDescription scene = read_scene(find_scene("intestine"));
    const Outcome o = run_scene(scene, 1, 3.0);
    EXPECT_FALSE(o.flagged);
    EXPECT_EQ(o.pass_throughs, 0);
    EXPECT_LE(o.worst, 0.5);
    EXPECT_LE(o.settled, 0.1);
    EXPECT_LE(o.stretch, 0.05);
}

// As sound at any number of segments.
TEST(Intestine, StaysSoundWhenItIsFine) {
    for (const char* segments : {"gut.segments=1000", "gut.segments=3000"}) {
        const Outcome o = run_scene(read_scene(find_scene("intestine", {segments})), 1, 2.0);
        EXPECT_FALSE(o.flagged) << segments;
        EXPECT_EQ(o.pass_throughs, 0) << segments;
        EXPECT_LE(o.worst, 0.5) << segments;
        EXPECT_LE(o.stretch, 0.05) << segments;
    }
}

// With a node of each row on every gut node its mesentery is not.
TEST(Intestine, AFineGridStretchesTooFar) {
    EXPECT_TRUE(run_scene(read_scene(find_scene("intestine", {"gut.segments=700", "gut.rows=4"})), 1, 0.3).flagged);
}

}  // namespace
}  // namespace plica::testing
