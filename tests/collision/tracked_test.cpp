#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/collision/tangles.hpp"

// The papers' detector on its own: what a detection costs, finds and forgets.
namespace plica::testing {
namespace {

struct Tracking {
    TrackSettings settings;
    Random random{7};
    std::vector<ActivePair> active;
    TrackScratch scratch;
    std::vector<Pair> colliding;

    TrackCounts detect(const Tangle& tangle) {
        return track(tangle.view(), settings, random, active, scratch, colliding);
    }
};

Tracking with_draws(int draws) {
    Tracking t;
    t.settings.draws = draws;
    return t;
}

void shake(Tangle& tangle, Random& random, double by) {
    for (Vec3& p : tangle.x) {
        const double a = random.uniform(-by, by);
        const double b = random.uniform(-by, by);
        p += Vec3{a, b, random.uniform(-by, by)};
    }
}

// U7: the nine tests of a pair of tubes, the thirteen of a tube and an edge, and all that a detection adds up to.
TEST(Tracked, TestsAreBounded) {
    for (const bool mesentery : {false, true}) {
        Tangle tangle = mesentery ? make_mesentery("paper", 0.02) : make_pile(100, 40);
        Tracking t = with_draws(400);
        Random random{3};
        std::int32_t nine = 0;
        std::int32_t thirteen = 0;
        for (int round = 0; round < 30; ++round) {
            std::int64_t edge_pairs = 0;
            for (const ActivePair& p : t.active) edge_pairs += tangle.is_edge_pair(p.a, p.b) ? 1 : 0;
            const auto before = static_cast<std::int64_t>(t.active.size());
            const TrackCounts c = t.detect(tangle);
            ASSERT_EQ(c.tracked, before);
            ASSERT_LE(c.most_tubes, 9);
            ASSERT_LE(c.most_edges, 13);
            ASSERT_LE(c.update, 9 * (before - edge_pairs) + 13 * edge_pairs);
            ASSERT_EQ(c.draws, 400);
            ASSERT_EQ(c.edge_draws, mesentery ? 400 : 0);
            ASSERT_LE(c.draw, 10 * c.draws + 14 * c.edge_draws);
            ASSERT_LE(c.flood, (mesentery ? 32 : 8) * static_cast<std::int64_t>(t.colliding.size()));
            ASSERT_EQ(c.tests, c.update + c.draw + c.flood);
            nine = std::max(nine, c.most_tubes);
            thirteen = std::max(thirteen, c.most_edges);
            shake(tangle, random, 0.002);
        }
        EXPECT_EQ(nine, 9);
        EXPECT_EQ(thirteen, mesentery ? 13 : 0);
    }
}

TEST(Tracked, AnEdgeHasAtMostTenNeighbours) {
    for (const char* preset : {"paper", "corrected", "human"}) {
        const Tangle tangle = make_mesentery(preset, 0.0);
        std::size_t most = 0;
        for (const std::int32_t e : tangle.neighbours.edges) {
            most = std::max(most, tangle.neighbours.of(e).size());
            for (const std::int32_t n : tangle.neighbours.of(e)) ASSERT_TRUE(are_neighbours(tangle, e, n));
        }
        EXPECT_EQ(most, 10U) << preset;
    }
    // 4 x 100 masses: 4 x 99 along the rows, 3 x 100 across, 3 x 99 diagonals, less the 99 that are the gut itself.
    EXPECT_EQ(make_mesentery("paper", 0.0).neighbours.edges.size(), 894U);
    // Many rows meet in the merged ends.
    const Built fan =
        build_scene(read_scene(find_scene("intestine", {"gut.mesentery_contact=edges", "gut.rows=20"})), 1);
    const Neighbours neighbours = find_neighbours(fan.model.surface);
    for (const std::int32_t e : neighbours.edges) ASSERT_LE(neighbours.of(e).size(), 10U);
}

// U8: from any pair of a region the flood finds that region, all of it and nothing else.
void expect_floods(const Tangle& tangle, double touching, std::size_t least_parts) {
    TrackSettings settings;
    settings.touching = touching;
    const std::set<Key> all = closer_than(tangle, touching);
    const std::map<Key, int> parts = find_parts(tangle, all);
    std::map<int, std::set<Key>> of_part;
    for (const auto& [key, part] : parts) of_part[part].insert(key);
    EXPECT_GE(of_part.size(), least_parts);
    TrackScratch scratch;
    std::vector<Pair> found;
    for (const auto& [key, part] : parts) {
        const ActivePair seed{key.first, key.second};
        flood(tangle.view(), settings, std::span(&seed, 1), scratch, found);
        ASSERT_EQ(keys(found), of_part[part]) << key.first << " " << key.second;
        ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
    }
}

TEST(Tracked, TheFloodIsTheConnectedRegion) {
    expect_floods(make_pile(100, 40), 1.0, 5);
    expect_floods(make_pile(100, 40), 1.02, 5);
    expect_floods(make_pile(200, 60), 1.1, 5);
    const Tangle mesentery = make_mesentery("paper", 0.03);
    std::size_t edges = 0;
    for (const Key& key : closer_than(mesentery, 1.02))
        edges += mesentery.is_edge_pair(key.first, key.second) ? 1U : 0U;
    EXPECT_GT(edges, 100U);
    expect_floods(mesentery, 1.02, 10);
}

TEST(Tracked, ABrokenStencilDoesNotFlood) {
    Tangle tangle = make_pile(100, 40);
    const std::set<Key> all = closer_than(tangle, 1.02);
    const std::map<Key, int> parts = find_parts(tangle, all);
    tangle.neighbours.list.assign(tangle.neighbours.list.size(), tangle.neighbours.tubes[0]);
    TrackSettings settings;
    TrackScratch scratch;
    std::vector<Pair> found;
    std::size_t wrong = 0;
    for (const auto& [key, part] : parts) {
        std::set<Key> expected;
        for (const auto& [other, number] : parts) {
            if (number == part) expected.insert(other);
        }
        const ActivePair seed{key.first, key.second};
        flood(tangle.view(), settings, std::span(&seed, 1), scratch, found);
        wrong += keys(found) != expected ? 1U : 0U;
    }
    EXPECT_GT(wrong, parts.size() / 2);
}

TEST(Tracked, FromNothingTheFloodFindsNothing) {
    const Tangle tangle = make_pile(100, 40);
    TrackScratch scratch;
    std::vector<Pair> found(3);
    EXPECT_EQ(flood(tangle.view(), {}, {}, scratch, found), 0);
    EXPECT_TRUE(found.empty());
}

// D4: what is tracked is near, what is delivered collides, and nothing is there twice.
TEST(Tracked, FindsASubsetOfBruteForce) {
    for (const bool mesentery : {false, true}) {
        Tangle tangle = mesentery ? make_mesentery("paper", 0.02) : make_pile(100, 40);
        Tracking t = with_draws(200);
        Random random{4};
        std::size_t delivered = 0;
        for (int round = 0; round < 10; ++round) {
            t.detect(tangle);
            const std::set<Key> near = closer_than(tangle, t.settings.near * (1.0 + 1e-12));
            const std::set<Key> colliding = closer_than(tangle, t.settings.touching);
            std::set<Key> seen;
            for (const ActivePair& p : t.active) {
                ASSERT_LT(p.a, p.b);
                ASSERT_TRUE(near.count({p.a, p.b}) == 1) << p.a << " " << p.b;
                ASSERT_TRUE(seen.insert({p.a, p.b}).second);
            }
            for (const Pair& p : t.colliding) {
                ASSERT_TRUE(colliding.count({p.a, p.b}) == 1) << p.a << " " << p.b;
                ASSERT_NEAR(p.gap_at_build, tangle.distance(p.a, p.b) - tangle.radii(p.a, p.b), 1e-12);
            }
            ASSERT_EQ(keys(t.colliding).size(), t.colliding.size());
            delivered += t.colliding.size();
            shake(tangle, random, 0.002);
        }
        EXPECT_GT(delivered, 200U);
    }
}

// A pair that stays where it is has come to a local minimum of the distance.
TEST(Tracked, PairsConvergeToLocalMinima) {
    const Tangle tangle = make_pile(100, 60);
    const auto count_lower = [&](const Tracking& t) {
        std::size_t lower = 0;
        for (const ActivePair& p : t.active) {
            bool is_least = true;
            for (std::int32_t a = std::max(0, p.a - 1); a <= std::min(99, p.a + 1); ++a) {
                for (std::int32_t b = std::max(0, p.b - 1); b <= std::min(99, p.b + 1); ++b) {
                    if (!can_touch(tangle.capsule(a), tangle.capsule(b))) continue;
                    is_least = is_least && tangle.distance(p.a, p.b) <= tangle.distance(a, b);
                }
            }
            lower += is_least ? 0U : 1U;
        }
        return lower;
    };
    Tracking t = with_draws(2000);
    t.detect(tangle);
    EXPECT_GT(count_lower(t), 0U);  // one move is not enough for all of them
    t.settings.draws = 0;
    for (int i = 0; i < 50; ++i) t.detect(tangle);
    EXPECT_GT(t.active.size(), 10U);
    EXPECT_EQ(count_lower(t), 0U);
    const std::vector<ActivePair> before = t.active;
    t.detect(tangle);
    ASSERT_EQ(t.active.size(), before.size());  // ties keep the pair
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(t.active[i].a, before[i].a);
        EXPECT_EQ(t.active[i].b, before[i].b);
    }
}

// Two straight tubes that cross above each other at their middles, `gap` sums of radii apart.
Tangle make_cross(double gap) {
    Tangle tangle;
    for (std::int32_t rope = 0; rope < 2; ++rope) {
        for (std::int32_t i = 0; i <= 20; ++i) {
            const double s = 0.04 * (i - 10);
            tangle.x.push_back(rope == 0 ? Vec3{s, 0.01, 0} : Vec3{0.01, s, 0.04 * gap});
            if (i == 20) continue;
            const std::int32_t first = 21 * rope + i;
            tangle.surface.capsules.push_back({first, first + 1, 0.02, rope, rope, i, 2, false});
        }
    }
    tangle.x.push_back({0.01, 0.01, 1.0});
    tangle.surface.capsules.push_back({42, 42, 0.03, 2, -1, 0, 0, false});  // a ball, far above
    tangle.neighbours = find_neighbours(tangle.surface);
    tangle.enabled.assign(tangle.surface.capsules.size(), 1);
    return tangle;
}

TEST(Tracked, PairsOfTwoRopesAreDrawnAndFollowed) {
    Tangle tangle = make_cross(0.9);
    Tracking t = with_draws(400);
    for (int i = 0; i < 20; ++i) t.detect(tangle);
    t.settings.draws = 0;
    for (int i = 0; i < 20; ++i) t.detect(tangle);
    ASSERT_EQ(t.active.size(), 1U);  // many came, one is left: doubles are suppressed
    EXPECT_EQ(t.active[0].a, 10);
    EXPECT_EQ(t.active[0].b, 30);
    EXPECT_EQ(keys(t.colliding), closer_than(tangle, 1.02));
    // Slid along the other by two segments, in small steps: the pair follows without any draw.
    for (int i = 0; i < 8; ++i) {
        for (std::size_t n = 21; n < 42; ++n) tangle.x[n].x += 0.01;
        t.detect(tangle);
    }
    ASSERT_EQ(t.active.size(), 1U);
    EXPECT_EQ(t.active[0].a, 12);
    // Lifted beyond the threshold it is forgotten.
    for (std::size_t n = 21; n < 42; ++n) tangle.x[n].z = 0.0599;
    t.detect(tangle);
    EXPECT_EQ(t.active.size(), 1U);
    for (std::size_t n = 21; n < 42; ++n) tangle.x[n].z = 0.0601;
    t.detect(tangle);
    EXPECT_TRUE(t.active.empty());
    EXPECT_TRUE(t.colliding.empty());
}

// A ball has no neighbours: three tests a move, and none while it is withdrawn.
TEST(Tracked, BallsTakePart) {
    Tangle tangle = make_cross(20.0);
    tangle.x[42] = {0.012, 0.0, 0.03};
    Tracking t = with_draws(400);
    for (int i = 0; i < 20; ++i) t.detect(tangle);
    t.settings.draws = 0;
    for (int i = 0; i < 20; ++i) t.detect(tangle);
    ASSERT_EQ(t.active.size(), 1U);
    EXPECT_EQ(t.active[0].a, 10);
    EXPECT_EQ(t.active[0].b, 40);
    EXPECT_EQ(keys(t.colliding), closer_than(tangle, 1.02));
    EXPECT_EQ(t.detect(tangle).most_tubes, 3);
    tangle.enabled[40] = 0;
    EXPECT_EQ(t.detect(tangle).tests, 0);
    EXPECT_TRUE(t.active.empty());
    t.settings.draws = 400;
    for (int i = 0; i < 20; ++i) t.detect(tangle);
    EXPECT_TRUE(t.active.empty());
}

// Nothing that may touch: the draws are given up.
TEST(Tracked, AShortRopeHasNothingToDraw) {
    Tangle tangle;
    for (std::int32_t i = 0; i < 3; ++i) {
        tangle.x.push_back({0.04 * i, 0, 0});
        if (i < 2) tangle.surface.capsules.push_back({i, i + 1, 0.02, 0, 0, i, 2, false});
    }
    tangle.neighbours = find_neighbours(tangle.surface);
    tangle.enabled.assign(2, 1);
    Tracking t = with_draws(50);
    const TrackCounts counts = t.detect(tangle);
    EXPECT_EQ(counts.tests, 0);
    EXPECT_EQ(counts.draws, 0);
}

// In a curve the distance falls along the tube towards the neighbours that may not touch: no minimum, no pair.
TEST(Tracked, WhatRunsIntoTheExcludedBandIsDropped) {
    Tangle tangle;
    for (std::int32_t i = 0; i <= 40; ++i) {  // a ring of 0.16 m around
        const double angle = 0.02 * i / 0.0255;
        tangle.x.push_back({0.0255 * std::cos(angle), 0.0255 * std::sin(angle), 0.05 * i});
        if (i < 40) tangle.surface.capsules.push_back({i, i + 1, 0.02, 0, 0, i, 2, false});
    }
    for (Vec3& p : tangle.x) p.z *= 0.35;
    tangle.neighbours = find_neighbours(tangle.surface);
    tangle.enabled.assign(40, 1);
    const auto at_band = [&](const Tracking& t) {
        std::size_t count = 0;
        for (const ActivePair& p : t.active) count += p.b - p.a == 3 ? 1U : 0U;
        return count;
    };
    ASSERT_GT(tangle.distance(10, 13), 0.0408);
    ASSERT_LT(tangle.distance(10, 13), 0.06);
    ASSERT_LT(tangle.distance(10, 13), tangle.distance(10, 14));
    Tracking t = with_draws(1000);
    for (int i = 0; i < 20; ++i) t.detect(tangle);
    EXPECT_EQ(at_band(t), 0U);
    for (Capsule& c : tangle.surface.capsules) c.radius = 0.0299;  // now they collide
    for (int i = 0; i < 20; ++i) t.detect(tangle);
    EXPECT_GT(at_band(t), 20U);
}

TEST(PairSet, HoldsWhatWasPutIn) {
    PairSet set;
    std::set<Key> expected;
    Random random{2};
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 3000; ++i) {
            const auto a = static_cast<std::int32_t>(random.uniform() * 60);
            const auto b = static_cast<std::int32_t>(random.uniform() * 60);
            ASSERT_EQ(set.insert(a, b), expected.insert({a, b}).second);
        }
        EXPECT_EQ(set.size(), expected.size());
        set.clear();
        expected.clear();
        EXPECT_EQ(set.size(), 0U);
    }
}

}  // namespace
}  // namespace plica::testing
