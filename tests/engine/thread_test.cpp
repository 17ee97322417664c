#include <gtest/gtest.h>

#include "tests/engine/step_hashes.hpp"

// Bits do not depend on the number of threads; run under the thread sanitizer as well.
namespace plica::testing {
namespace {

TEST(Threads, PileIsBitIdentical) {
    const SceneDescription scene = read_scene(find_scene("intestine-pile"));
    const auto one = hashes(scene, 1, 20);
    EXPECT_EQ(one, hashes(scene, 2, 20));
    EXPECT_EQ(one, hashes(scene, 4, 20));
}

TEST(Threads, IntestineIsBitIdentical) {
    const SceneDescription scene = read_scene(find_scene("intestine"));
    const auto one = hashes(scene, 1, 4);
    EXPECT_EQ(one, hashes(scene, 2, 4));
    EXPECT_EQ(one, hashes(scene, 4, 4));
}

TEST(Threads, AMesenteryThatTouchesItselfIsBitIdentical) {
    const SceneDescription scene = read_scene(find_scene("intestine", {"gut.mesentery_self_contact=true"}));
    const auto one = hashes(scene, 1, 10);
    EXPECT_EQ(one, hashes(scene, 2, 10));
}

TEST(Threads, TrackedPileIsBitIdentical) {
    const SceneDescription scene = read_scene(find_scene("intestine-pile", {"solver.detector=tracked"}));
    const auto one = hashes(scene, 1, 20);
    EXPECT_EQ(one, hashes(scene, 2, 20));
    EXPECT_EQ(one, hashes(scene, 4, 20));
}

TEST(Threads, TheComparisonCanFail) {
    SceneDescription scene = read_scene(find_scene("intestine-pile"));
    const auto one = hashes(scene, 1, 5);
    scene.contact.friction += 1e-12;
    scene.drag += 1e-12;
    EXPECT_NE(one, hashes(scene, 1, 5));
}

// A solid's blocks are shared out among the threads; the sums do not care how.
TEST(Threads, ASolidIsTheSameForAny) {
    const SceneDescription scene = read_scene(find_scene("liver-drop", {"liver.cell=0.016"}));
    const auto one = hashes(scene, 1, 6);
    EXPECT_EQ(one, hashes(scene, 2, 6));
    EXPECT_EQ(one, hashes(scene, 4, 6));
}

}  // namespace
}  // namespace plica::testing
