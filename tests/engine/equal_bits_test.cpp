#include <gtest/gtest.h>

#include "tests/engine/step_hashes.hpp"

// Bits depend neither on the detector nor on the instruction set. That they do not depend on the number of threads is
// thread_test.cpp's.
namespace plica::testing {
namespace {

// Detectors find the same pairs, so they give the same bits, in every step.
TEST(Detectors, AreBitIdentical) {
    for (const char* name : {"intestine-pile", "intestine-plane", "intestine"}) {
        const int steps = name == std::string("intestine") ? 4 : 20;
        const auto grid = hashes(read_scene(find_scene(name, {"solver.detector=grid"})), 1, steps);
        EXPECT_EQ(grid, hashes(read_scene(find_scene(name, {"solver.detector=brute"})), 1, steps)) << name;
        EXPECT_EQ(grid, hashes(read_scene(find_scene(name, {"solver.detector=bvh"})), 1, steps)) << name;
    }
}

// Eight lanes whatever the machine has: the same bits from every instruction set.
TEST(InstructionSets, AreBitIdentical) {
    for (const char* name : {"intestine-pile", "intestine"}) {
        const int steps = name == std::string("intestine") ? 4 : 20;
        const SceneDescription scene = read_scene(find_scene(name));
        const auto base = hashes(scene, 1, steps, Isa::base);
        for (const Isa isa : {Isa::avx2, Isa::avx512}) {
            if (!is_available(isa)) continue;
            EXPECT_EQ(base, hashes(scene, 1, steps, isa)) << name << " " << isa_name(isa);
        }
    }
}

TEST(EqualBits, OfAMesenteryThatTouchesItself) {
    const auto scene = [](const char* more) {
        return read_scene(find_scene("intestine", {"gut.mesentery_self_contact=true", more}));
    };
    const SceneDescription usual = scene("solver.detector=auto");
    const auto one = hashes(usual, 1, 10);
    EXPECT_EQ(one, hashes(scene("solver.detector=brute"), 1, 10));
    EXPECT_EQ(one, hashes(scene("solver.detector=grid"), 2, 10));
    EXPECT_EQ(one, hashes(usual, 1, 10, Isa::base));
    EXPECT_NE(one, hashes(scene("gut.mesentery_self_contact=false"), 1, 10));
}

}  // namespace
}  // namespace plica::testing
