#include <gtest/gtest.h>

#include "worlds.hpp"

// Bits do not depend on the number of threads; run under the thread sanitizer as well.
namespace plica::testing {
namespace {

std::vector<std::uint64_t> hashes(const SceneDescription& scene, int threads, int steps) {
    World world = make_world(scene, 3, threads);
    Script script(scene);
    std::vector<std::uint64_t> list;
    for (int i = 0; i < steps; ++i) list.push_back(world.step(script.next(world)).hash);
    return list;
}

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

TEST(Threads, TrackedPileIsBitIdentical) {
    const SceneDescription scene = read_scene(find_scene("intestine-pile", {"solver.detector=tracked"}));
    const auto one = hashes(scene, 1, 20);
    EXPECT_EQ(one, hashes(scene, 2, 20));
    EXPECT_EQ(one, hashes(scene, 4, 20));
}

// Detectors find the same pairs, so they give the same bits, in every step.
TEST(Detectors, AreBitIdentical) {
    for (const char* name : {"intestine-pile", "intestine-plane", "intestine"}) {
        const int steps = name == std::string("intestine") ? 4 : 20;
        const auto grid = hashes(read_scene(find_scene(name, {"solver.detector=grid"})), 1, steps);
        EXPECT_EQ(grid, hashes(read_scene(find_scene(name, {"solver.detector=brute"})), 1, steps)) << name;
    }
}

TEST(Threads, TheComparisonCanFail) {
    SceneDescription scene = read_scene(find_scene("intestine-pile"));
    const auto one = hashes(scene, 1, 5);
    scene.contact.friction += 1e-12;
    scene.drag += 1e-12;
    EXPECT_NE(one, hashes(scene, 1, 5));
}

}  // namespace
}  // namespace plica::testing
