#include <gtest/gtest.h>

#include <chrono>
#include <thread>

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
