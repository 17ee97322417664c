#include "geometry/advancement.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "experiments/johnsen/meeting_queries.hpp"

// Conservative advancement against a slow search over the same way, with distances of another make.
namespace plica::experiments {
namespace {

struct Count {
    int met = 0, missed = 0, wrong = 0, late = 0, most_looks = 0;
    double looks = 0.0;
};

Meeting find(const MovingPair& pair, const MeetingQuery& query) {
    return pair.edges ? find_edge_meeting(pair.x, pair.p, query) : find_vertex_meeting(pair.x, pair.p, query);
}

// Whether the pair is nearer than `limit` before the time that was found.
bool is_late(const MovingPair& pair, double time, double limit) {
    MovingPair before = pair;
    for (int k = 0; k < 4; ++k) before.p[k] = pair.x[k] + (pair.p[k] - pair.x[k]) * (0.999 * time);
    return time > 0.0 && comes_within(before, limit);
}

// `blind`: what is compared as a control, the ends of the way only.
Count count(QueryKind kind, bool edges, int queries, const MeetingQuery& query, bool blind = false) {
    Random random{100 + static_cast<std::uint64_t>(kind)};
    Count count;
    for (int i = 0; i < queries; ++i) {
        const MovingPair pair = draw_pair(random, kind, edges, query.keep);
        const bool meets = comes_within(pair, query.keep);
        const Meeting found = find(pair, query);
        const bool said = blind ? distance_of(pair, pair.p) <= query.keep : found.met();
        count.met += meets ? 1 : 0;
        count.missed += meets && !said ? 1 : 0;
        count.wrong += said && !meets ? 1 : 0;
        if (i % 20 == 0 && found.met()) count.late += is_late(pair, found.time, query.keep) ? 1 : 0;
        count.looks += found.looks;
        count.most_looks = std::max(count.most_looks, found.looks);
    }
    return count;
}

constexpr int queries = 100000;
// Edges of 1: an offset of a hundredth, half of it kept, a thousandth of it the end of the walk.
constexpr MeetingQuery usual{5e-3, 1e-5, 0.05};

void expect_sound(bool edges) {
    for (const QueryKind kind : query_kinds) {
        const Count c = count(kind, edges, queries, usual);
        SCOPED_TRACE(query_name(kind));
        EXPECT_GT(c.met, queries / 100);
        EXPECT_LT(c.met, queries * 99 / 100);
        EXPECT_EQ(c.missed, 0);
        EXPECT_EQ(c.late, 0);
        EXPECT_LT(c.wrong, queries * 3 / 100);
        EXPECT_LT(c.looks / queries, 15.0);
        ::testing::Test::RecordProperty("kind" + std::to_string(static_cast<int>(kind)),
                                        std::to_string(c.met) + " met, " + std::to_string(c.wrong) + " wrong, " +
                                            std::to_string(c.looks / queries) + " looks");
    }
}

TEST(Advancement, MissesNoMeetingOfEdges) {
    expect_sound(true);
}
TEST(Advancement, MissesNoMeetingOfPointsAndTriangles) {
    expect_sound(false);
}

TEST(Advancement, TheEndsOfTheWayAloneMissMany) {
    for (const bool edges : {true, false}) {
        const Count c = count(QueryKind::generic, edges, 2000, usual, true);
        EXPECT_GT(c.missed, c.met / 2);
    }
}

TEST(Advancement, LessSlackMakesFewerMistakesAndTakesMoreLooks) {
    const Count rough = count(QueryKind::generic, true, 5000, usual);
    const Count sharp = count(QueryKind::generic, true, 5000, {usual.keep, usual.near, 0.01});
    EXPECT_LT(2 * sharp.wrong, rough.wrong);
    EXPECT_GT(sharp.looks, rough.looks);
    EXPECT_EQ(sharp.missed, 0);
}

TEST(Advancement, NearlyParallelEdgesAreNotTakenForParallel) {
    // Crossed at a place far from the middle, by an angle whose square is below what closest_segment_segment() sees.
    for (const double angle : {3e-5, 1e-5, 1e-6}) {
        const Vec3 x[4] = {{-0.9, 0, 0}, {0.1, 0, 0}, {-0.9, 0.9 * angle, 0}, {0.1, -0.1 * angle, 0}};
        EXPECT_LT(detail::segment_distance(x[0], x[1], x[2], x[3]), 1e-8);
        EXPECT_GT(std::sqrt(closest_segment_segment(x[0], x[1], x[2], x[3]).squared_distance), 0.1 * angle);
    }
}

TEST(Advancement, CommonMotionIsNoMotion) {
    Vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0.01}, {1, 1, 0.01}};
    Vec3 p[4];
    for (int k = 0; k < 4; ++k) p[k] = x[k] + Vec3{50, -20, 80};
    const Meeting together = find_edge_meeting(x, p);
    EXPECT_FALSE(together.met());
    EXPECT_EQ(together.looks, 1);
    p[0].z += 0.02;
    EXPECT_TRUE(find_edge_meeting(x, p).met());
}

TEST(Advancement, WhatTouchesOrIsNoNumberHasMet) {
    const Vec3 crossed[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    EXPECT_EQ(find_edge_meeting(crossed, crossed).time, 0.0);
    Vec3 p[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, 1, 1}};
    EXPECT_EQ(find_edge_meeting(crossed, p).time, 0.0);
    p[1].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(find_edge_meeting(p, crossed).met());
}

TEST(Advancement, AWalkEndsAfterItsLooks) {
    int looks = 0;
    const double end = walk_until_met({1.0, 0.0, 0.0, 1e-6, 50}, 0.5, [&](double) {
        ++looks;
        return 0.5;
    });
    EXPECT_EQ(looks, 49);
    EXPECT_LT(end, 1.0);
    EXPECT_GT(end, 0.0);
}

}  // namespace
}  // namespace plica::experiments
