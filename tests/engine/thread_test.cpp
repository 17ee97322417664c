#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/engine/worlds.hpp"

// Bits do not depend on the number of threads; run under the thread sanitizer as well.
namespace plica::testing {
namespace {

std::vector<std::uint64_t> hashes(const SceneDescription& scene, int threads, int steps, Isa isa = best_isa()) {
    Built built = build_scene(scene, 3);
    World world(std::move(built.model), std::move(built.state), threads, isa);
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

TEST(Threads, AMesenteryThatTouchesItselfIsBitIdentical) {
    const SceneDescription scene = read_scene(find_scene("intestine", {"gut.mesentery_self_contact=true"}));
    const auto one = hashes(scene, 1, 10);
    EXPECT_EQ(one, hashes(scene, 2, 10));
    EXPECT_EQ(one,
              hashes(read_scene(find_scene("intestine", {"gut.mesentery_self_contact=true", "solver.detector=brute"})),
                     1, 10));
    EXPECT_EQ(
        one, hashes(read_scene(find_scene("intestine", {"gut.mesentery_self_contact=true", "solver.detector=grid"})), 2,
                    10));
    EXPECT_EQ(one, hashes(scene, 1, 10, Isa::base));
    EXPECT_NE(one, hashes(read_scene(find_scene("intestine", {"gut.mesentery_self_contact=false"})), 1, 10));
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

// Rows in bins, the search in shares, patches and pairs in pieces: the liver has come to lie on both bars by then.
TEST(Threads, SolidsThatTouchAreTheSameForAny) {
    const SceneDescription scene = read_scene(find_scene("liver-bars", {"liver.cell=0.012"}));
    const auto one = hashes(scene, 1, 6);
    for (const int threads : {2, 3, 8}) EXPECT_EQ(one, hashes(scene, threads, 6)) << threads;
}

// How often each of the chunks was called, in round after round; of many threads most come late.
TEST(Threads, EveryChunkIsCalledOnce) {
    for (const int threads : {1, 2, 3, 8, 16}) {
        ThreadPool pool(threads);
        for (int round = 0; round < 3000; ++round) {
            const int chunks = round % 41;
            std::vector<int> calls(41, 0);
            pool.for_chunks(chunks, [&](int chunk) { ++calls[static_cast<std::size_t>(chunk)]; });
            for (int k = 0; k < 41; ++k) ASSERT_EQ(k < chunks ? 1 : 0, calls[static_cast<std::size_t>(k)]) << threads;
        }
    }
}

TEST(Threads, PiecesCoverAllOfARangeOnce) {
    ThreadPool pool(3);
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 1000U}) {
        std::vector<int> calls(count, 0);
        pool.for_pieces(count, 8, [&](std::size_t begin, std::size_t end) {
            EXPECT_LE(end - begin, 8U);
            for (std::size_t i = begin; i < end; ++i) ++calls[i];
        });
        for (const int each : calls) ASSERT_EQ(1, each);
    }
}

// Workers that went to sleep are woken.
TEST(Threads, WorkGoesOnAfterAPause) {
    ThreadPool pool(4);
    std::vector<int> calls(64, 0);
    for (int round = 0; round < 5; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pool.for_chunks(64, [&](int chunk) { ++calls[static_cast<std::size_t>(chunk)]; });
    }
    for (const int each : calls) EXPECT_EQ(5, each);
}

}  // namespace
}  // namespace plica::testing
