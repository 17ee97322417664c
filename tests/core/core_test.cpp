#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <vector>

#include "core/hash.hpp"
#include "core/nearest.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"

namespace plica {
namespace {

std::uint64_t hash_of(const std::vector<double>& values) {
    Hash hash;
    hash.add_all(std::span<const double>(values));
    return hash.value();
}

TEST(Hash, ChangesWithEverySingleBit) {
    Random random{7};
    std::vector<double> values(33);
    for (double& v : values) v = random.uniform(-1, 1);
    const std::uint64_t before = hash_of(values);
    auto* bytes = reinterpret_cast<unsigned char*>(values.data());
    for (std::size_t bit = 0; bit < 64 * values.size(); ++bit) {
        bytes[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
        EXPECT_NE(hash_of(values), before) << "bit " << bit;
        bytes[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
    }
    EXPECT_EQ(hash_of(values), before);
}

TEST(Hash, KnowsLengthAndOrder) {
    EXPECT_NE(hash_of({0.0}), hash_of({0.0, 0.0}));
    EXPECT_NE(hash_of({1.0, 2.0}), hash_of({2.0, 1.0}));
    EXPECT_NE(hash_of({0.0}), hash_of({-0.0}));
    EXPECT_EQ(to_hex(0x0123456789abcdefULL), "0123456789abcdef");
}

TEST(Random, IsReproducibleAndUniform) {
    Random a{1};
    Random b{1};
    Random c{2};
    double mean = 0.0;
    int same = 0;
    for (int i = 0; i < 100000; ++i) {
        const double u = a.uniform();
        EXPECT_EQ(u, b.uniform());
        same += u == c.uniform() ? 1 : 0;
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        mean += u / 100000;
    }
    EXPECT_NEAR(mean, 0.5, 0.005);
    EXPECT_LT(same, 10);
}

TEST(Nearest, FindsWhatWasMeant) {
    const std::vector<std::string> keys{"segments", "substeps", "friction"};
    EXPECT_EQ(find_nearest("segmnets", keys), "segments");
    EXPECT_EQ(find_nearest("frction", keys), "friction");
    EXPECT_EQ(find_nearest("zzzzzzzzz", keys), "");
    EXPECT_EQ(edit_distance("ab", "ba"), 1);
    EXPECT_EQ(edit_distance("", "abc"), 3);
    EXPECT_EQ(join_choices({"a", "b", "c"}), "a, b or c");
}

TEST(ThreadPool, RunsEveryChunkOnce) {
    for (const int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::atomic<int>> hits(37);
            pool.for_chunks(37, [&](int chunk) { ++hits[static_cast<std::size_t>(chunk)]; });
            for (const auto& hit : hits) ASSERT_EQ(hit.load(), 1);
        }
        pool.for_chunks(0, [](int) { FAIL(); });
    }
}

}  // namespace
}  // namespace plica
