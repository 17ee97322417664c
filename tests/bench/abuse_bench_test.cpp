#include <gtest/gtest.h>

#include <set>

#include "bench/abuse/abuse_run.hpp"

// The benchmark of gestures that nobody should make: it can be done again, and finds what there is to be found.
namespace plica::bench {
namespace {

const AbuseScene& find_abused(const std::string& name) {
    for (const AbuseScene& scene : abuse_scenes()) {
        if (scene.name == name) return scene;
    }
    throw std::out_of_range(name);
}

constexpr double no_patience = 0.3;  // s

TEST(BenchAbuse, AGestureIsTheSameWheneverItIsMade) {
    AbuseRun run(find_abused("liver"), {}, 1);
    const Abused first = run.abuse(2, no_patience), other = run.abuse(6, no_patience),
                 again = run.abuse(2, no_patience);
    EXPECT_EQ(first.gesture.describe(), again.gesture.describe());
    EXPECT_EQ(first.tests, again.tests);
    EXPECT_EQ(first.speed_after, again.speed_after);
    EXPECT_NE(first.gesture.describe(), other.gesture.describe());
    EXPECT_NE(first.tests, other.tests);
    AbuseRun seeded(find_abused("liver"), {}, 2);
    EXPECT_NE(seeded.abuse(2, no_patience).gesture.describe(), first.gesture.describe());
}

TEST(BenchAbuse, EveryKindOfGestureIsMade) {
    AbuseRun run(find_abused("heat"), {}, 1);
    std::set<GestureKind> kinds;
    for (int i = 0; i < 40; ++i) {
        Abused found = run.abuse(i, 0.0);
        kinds.insert(found.gesture.kind);
        EXPECT_GE(found.gesture.speed, 0.1);
        EXPECT_LE(found.gesture.speed, 5.0);
    }
    EXPECT_EQ(kinds.size(), gesture_names.size());
}

// Tools that are pushed through the gut.
TEST(BenchAbuse, WithoutContactThingsGoThroughEachOther) {
    AbuseRun run(find_abused("gut"), {}, 1), blind(find_abused("gut"), {"contact.enabled=false"}, 1);
    std::int64_t with = 0, without = 0;
    for (const int number : {0, 12, 19}) {
        with += run.abuse(number, no_patience).pass_throughs;
        without += blind.abuse(number, no_patience).pass_throughs;
    }
    EXPECT_EQ(with, 0);
    EXPECT_GT(without, 10);
}

}  // namespace
}  // namespace plica::bench
