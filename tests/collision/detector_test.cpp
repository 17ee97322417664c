#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "collision/candidates.hpp"
#include "core/index.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"

namespace plica {
namespace {

using Key = std::pair<std::int32_t, std::int32_t>;

// --- Distances of their own: every candidate for the minimum is tried, nothing is decided by region. ---

double point_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double length2 = dot(d, d);
    const double t = length2 > 0.0 ? std::min(1.0, std::max(0.0, dot(p - a, d) / length2)) : 0.0;
    return norm(p - a - d * t);
}

double segment_segment(const Vec3& p, const Vec3& p2, const Vec3& q, const Vec3& q2) {
    double least = std::min(
        {point_segment(p, q, q2), point_segment(p2, q, q2), point_segment(q, p, p2), point_segment(q2, p, p2)});
    // Both interior: the common perpendicular, by Cramer's rule with the axis n across both.
    const Vec3 d = p2 - p, e = q2 - q, n = cross(d, e);
    const double nn = dot(n, n);
    if (nn > 0.0) {
        const double s = dot(cross(q - p, e), n) / nn;
        const double t = dot(cross(q - p, d), n) / nn;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) least = std::min(least, norm(p + d * s - q - e * t));
    }
    return least;
}

double point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    double least = std::min({point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a)});
    const Vec3 n = cross(b - a, c - a);
    const double nn = dot(n, n);
    if (nn > 0.0) {
        const double v = dot(cross(p - a, c - a), n) / nn;
        const double w = dot(cross(b - a, p - a), n) / nn;
        if (v >= 0.0 && w >= 0.0 && v + w <= 1.0) least = std::min(least, std::abs(dot(p - a, n)) / std::sqrt(nn));
    }
    return least;
}

double segment_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 n = cross(b - a, c - a);
    const double hp = dot(p - a, n), hq = dot(q - a, n);
    if (hp * hq < 0.0 && point_triangle(p + (q - p) * (hp / (hp - hq)), a, b, c) < 1e-14) return 0.0;
    return std::min({point_triangle(p, a, b, c), point_triangle(q, a, b, c), segment_segment(p, q, a, b),
                     segment_segment(p, q, b, c), segment_segment(p, q, c, a)});
}

// --- Rules of their own. ---

bool is_listed(const Surface& s, std::size_t feature, std::size_t other) {
    const auto i = feature + at(s.features.corners + s.features.edges) - s.capsules.size();
    for (std::int32_t k = s.features.first_near[i]; k < s.features.first_near[i + 1]; ++k) {
        if (at(s.features.near[at(k)]) == other) return true;
    }
    return false;
}

bool allowed(const Surface& s, std::size_t i, const Capsule& b, std::size_t j) {
    const Capsule& a = s.capsules[i];
    if (a.sheet != b.sheet) {  // a tube and an edge of a solid
        const Capsule& feature = a.sheet ? a : b;
        return a.a != a.b && b.a != b.b && feature.chain == -1;
    }
    if (a.sheet) {
        const std::set<std::int32_t> nodes{a.a, a.b, b.a, b.b};
        return nodes.size() == 4 && !is_listed(s, i, j);  // two edges without a common node
    }
    return a.chain == -1 || a.chain != b.chain || std::abs(a.column - b.column) > std::max(a.exclude, b.exclude);
}

// Capsule and triangle by their indices: overlapping as built counts for exempt capsules only.
bool allowed(const Surface& s, std::size_t capsule, std::size_t triangle) {
    const Capsule& a = s.capsules[capsule];
    const Triangle& t = s.triangles[triangle];
    if (a.sheet) {
        const std::set<std::int32_t> nodes{a.a, a.b, t.a, t.b, t.c};
        return a.a == a.b && t.sheet && nodes.size() == 4 && !is_listed(s, capsule, s.capsules.size() + triangle);
    }
    if (a.chain == -1 || a.chain != t.chain) return true;
    for (const auto& overlap : s.overlaps) {
        if (a.exempt && at(overlap[0]) == capsule && at(overlap[1]) == triangle) return false;
    }
    for (int column = t.column_min; column <= t.column_max; ++column) {
        if (column >= a.column - a.exclude && column <= a.column + 1 + a.exclude) return false;
    }
    return true;
}

// --- A cloud of capsules, spheres and triangles. ---

struct Cloud {
    Surface surface;
    std::vector<std::uint8_t> enabled;
    std::vector<Vec3> x;
    std::vector<double> margin;
};

Vec3 somewhere(Random& random, double size) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

Vec3 some_direction(Random& random) {
    for (;;) {
        const Vec3 v = somewhere(random, 1.0);
        if (norm(v) > 0.1 && norm(v) <= 1.0) return normalized(v);
    }
}

int below(Random& random, int count) {
    return static_cast<int>(random.uniform() * count);
}

// Corners and edges of the sheets; a tenth of their pairs is taken to be close as built.
void add_features(Random& random, Cloud& cloud) {
    Surface& s = cloud.surface;
    add_surface_features(s, cloud.x.size());
    cloud.enabled.resize(s.capsules.size(), 1);
    std::vector<std::array<std::int32_t, 2>> near;
    const auto primitives = static_cast<std::int32_t>(s.capsules.size() + s.triangles.size());
    for (std::int32_t i = plain_capsules(s); at(i) < s.capsules.size(); ++i) {
        for (std::int32_t j = i + 1; j < primitives; ++j) {
            if (random.uniform() < 0.1) near.push_back({i, j});
        }
    }
    list_near_features(s, near);
}

Cloud make_cloud(Random& random, int capsules, int triangles, double size, double margin) {
    Cloud cloud;
    const auto node = [&](const Vec3& where) {
        cloud.x.push_back(where);
        cloud.margin.push_back(random.uniform() < 0.2 ? 0.0 : random.uniform(0.0, margin));
        return static_cast<std::int32_t>(cloud.x.size() - 1);
    };
    for (int i = 0; i < capsules; ++i) {
        const std::int32_t a = node(somewhere(random, size));
        const bool sphere = random.uniform() < 0.1;
        const std::int32_t b = sphere ? a : node(cloud.x[at(a)] + somewhere(random, 0.3));
        const std::int32_t chain = below(random, 4) - 1;
        cloud.surface.capsules.push_back(
            {a, b, random.uniform(0.01, 0.15), 0, chain, below(random, 12), below(random, 4), random.uniform() < 0.3});
        cloud.enabled.push_back(random.uniform() < 0.85 ? 1 : 0);
    }
    for (int i = 0; i < triangles; ++i) {
        const Vec3 centre = somewhere(random, size);
        const std::int32_t a = node(centre), b = node(centre + somewhere(random, 0.4));
        const std::int32_t c = node(centre + somewhere(random, 0.4));
        const int column = below(random, 12);
        cloud.surface.triangles.push_back({a, b, c, random.uniform(0.0, 0.05), 1, below(random, 4) - 1, column,
                                           column + below(random, 2), random.uniform() < 0.5});
    }
    // Some triangles hang together.
    for (int i = 1; i < triangles; ++i) {
        if (random.uniform() < 0.5) cloud.surface.triangles[at(i)].a = cloud.surface.triangles[at(i - 1)].c;
    }
    for (std::int32_t i = 0; i < capsules; ++i) {
        for (std::int32_t j = 0; j < triangles; ++j) {
            if (random.uniform() < 0.5) cloud.surface.overlaps.push_back({i, j});
        }
    }
    add_features(random, cloud);
    return cloud;
}

// Gap of every pair that may touch: f(a, b, gap, margin).
template <class Visit>
void for_each_pair(const Cloud& cloud, const std::vector<Vec3>& x, Visit&& visit) {
    const auto& capsules = cloud.surface.capsules;
    const auto& triangles = cloud.surface.triangles;
    const auto& m = cloud.margin;
    for (std::size_t i = 0; i < capsules.size(); ++i) {
        const Capsule& p = capsules[i];
        if (!cloud.enabled[i]) continue;
        const double margin = std::max(m[at(p.a)], m[at(p.b)]);
        for (std::size_t j = i + 1; j < capsules.size(); ++j) {
            const Capsule& q = capsules[j];
            if (!cloud.enabled[j] || !allowed(cloud.surface, i, q, j)) continue;
            const double gap = segment_segment(x[at(p.a)], x[at(p.b)], x[at(q.a)], x[at(q.b)]) - p.radius - q.radius;
            visit(i, j, gap, margin + std::max(m[at(q.a)], m[at(q.b)]));
        }
        for (std::size_t j = 0; j < triangles.size(); ++j) {
            const Triangle& t = triangles[j];
            if (!allowed(cloud.surface, i, j)) continue;
            const double gap = segment_triangle(x[at(p.a)], x[at(p.b)], x[at(t.a)], x[at(t.b)], x[at(t.c)]) - p.radius -
                               t.half_thickness;
            visit(i, capsules.size() + j, gap, margin + std::max({m[at(t.a)], m[at(t.b)], m[at(t.c)]}));
        }
    }
}

Key key(std::size_t a, std::size_t b) {
    return {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
}

std::vector<Key> keys(const std::vector<Pair>& pairs) {
    std::vector<Key> result;
    for (const Pair& p : pairs) result.push_back({p.a, p.b});
    return result;
}

// Every detector must answer alike.
std::int64_t find_pairs(DetectorKind kind, const Surface& surface, std::span<const std::uint8_t> enabled,
                        std::span<const Vec3> positions, std::span<const double> margin, ThreadPool& pool,
                        DetectorScratch& scratch, std::vector<Pair>& found) {
    const auto find = kind == DetectorKind::brute  ? find_pairs_brute
                      : kind == DetectorKind::grid ? find_pairs_grid
                                                   : find_pairs_bvh;
    return find({surface, enabled, positions}, margin, pool, scratch, found);
}

class Candidates : public ::testing::TestWithParam<DetectorKind> {};
class Certificate : public ::testing::TestWithParam<DetectorKind> {};
class Detector : public ::testing::TestWithParam<DetectorKind> {};
INSTANTIATE_TEST_SUITE_P(Each, Candidates,
                         ::testing::Values(DetectorKind::brute, DetectorKind::grid, DetectorKind::bvh),
                         [](const auto& each) { return detector_name(each.param); });
INSTANTIATE_TEST_SUITE_P(Each, Certificate,
                         ::testing::Values(DetectorKind::brute, DetectorKind::grid, DetectorKind::bvh),
                         [](const auto& each) { return detector_name(each.param); });
INSTANTIATE_TEST_SUITE_P(Each, Detector, ::testing::Values(DetectorKind::brute, DetectorKind::grid, DetectorKind::bvh),
                         [](const auto& each) { return detector_name(each.param); });

TEST_P(Detector, FindsWhatADoubleLoopFinds) {
    ThreadPool pool(1);
    DetectorScratch scratch;
    std::vector<Pair> found;
    Random random{11};
    std::size_t total = 0, possible = 0, sheets = 0;
    for (int round = 0; round < 300; ++round) {
        const Cloud cloud = make_cloud(random, below(random, 50), below(random, 40), 0.8, random.uniform(0.0, 0.3));
        const std::int64_t tests =
            find_pairs(GetParam(), cloud.surface, cloud.enabled, cloud.x, cloud.margin, pool, scratch, found);
        std::vector<Key> expected;
        std::vector<double> gaps;
        for_each_pair(cloud, cloud.x, [&](std::size_t a, std::size_t b, double gap, double margin) {
            ++possible;
            ASSERT_GT(std::abs(gap - margin), 1e-12) << "a tie: choose another seed";
            if (gap > margin) return;
            expected.push_back(key(a, b));
            gaps.push_back(gap);
        });
        ASSERT_EQ(keys(found), expected) << "round " << round;  // the double loop is in sorted order
        ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
        for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_NEAR(found[i].gap_at_build, gaps[i], 1e-12);
            ASSERT_EQ(found[i].push, 0.0);
            ASSERT_EQ(found[i].friction, Vec3{});
            ASSERT_EQ(found[i].side, Vec3{});
        }
        ASSERT_GE(tests, static_cast<std::int64_t>(found.size()));
        if (!found.empty()) {
            ASSERT_GT(tests, 0);
        }
        total += found.size();
        for (const Pair& pair : found) sheets += cloud.surface.capsules[at(pair.a)].sheet ? 1U : 0U;
    }
    EXPECT_GT(total, 10000u);
    EXPECT_GT(sheets, 1000u);
    EXPECT_LT(total, possible / 2);  // neither all nor nothing
}

TEST_P(Detector, NothingToFind) {
    ThreadPool pool(2);
    DetectorScratch scratch;
    std::vector<Pair> found(3);
    const Surface empty;
    EXPECT_EQ(find_pairs(GetParam(), empty, {}, {}, {}, pool, scratch, found), 0);
    EXPECT_TRUE(found.empty());
    // One capsule, and one that is disabled on top of it.
    const Surface two{{{0, 1, 0.1, 0, -1, 0, 0, false}, {0, 1, 0.1, 0, -1, 0, 0, false}}, {}};
    const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}};
    const std::vector<double> margin{0, 0};
    const std::vector<std::uint8_t> first{1, 0}, second{0, 1}, both{1, 1};
    EXPECT_EQ(find_pairs(GetParam(), two, first, x, margin, pool, scratch, found), 0);
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(find_pairs(GetParam(), two, second, x, margin, pool, scratch, found), 0);
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(find_pairs(GetParam(), two, both, x, margin, pool, scratch, found), 1);
    EXPECT_EQ(found.size(), 1u);
}

TEST_P(Detector, ExemptAndNeighbouringFeatures) {
    // A capsule at column 5 with exclude 2: columns 3 .. 8 of its own chain are its neighbours.
    ThreadPool pool(1);
    DetectorScratch scratch;
    std::vector<Pair> found;
    const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<double> margin{0, 0, 0};
    const auto touches = [&](int column_min, int column_max, int chain, bool exempt, bool overlaps = true) {
        Surface s{{{0, 1, 0.1, 0, 0, 5, 2, exempt}}, {{0, 1, 2, 0.0, 1, chain, column_min, column_max}}};
        if (overlaps) s.overlaps.push_back({0, 0});
        find_pairs(GetParam(), s, std::vector<std::uint8_t>{1}, x, margin, pool, scratch, found);
        return found.size() == 1;
    };
    EXPECT_TRUE(touches(1, 2, 0, false));
    EXPECT_FALSE(touches(2, 3, 0, false));
    EXPECT_FALSE(touches(8, 9, 0, false));
    EXPECT_TRUE(touches(9, 10, 0, false));
    EXPECT_FALSE(touches(9, 10, 0, true));
    EXPECT_TRUE(touches(9, 10, 0, true, false));  // exempt, but not overlapping as built
    EXPECT_TRUE(touches(5, 6, 1, false));
    EXPECT_TRUE(touches(5, 6, 1, true));
    EXPECT_TRUE(touches(5, 6, -1, true));
    const auto meets = [&](int column, int exclude) {
        const Surface s{{{0, 1, 0.1, 0, 0, 5, 2, false}, {0, 1, 0.1, 0, 0, column, exclude, false}}, {}};
        find_pairs(GetParam(), s, std::vector<std::uint8_t>{1, 1}, x, margin, pool, scratch, found);
        return found.size() == 1;
    };
    EXPECT_FALSE(meets(7, 0));
    EXPECT_TRUE(meets(8, 0));
    EXPECT_TRUE(meets(2, 2));
    EXPECT_FALSE(meets(2, 3));
}

// --- The certificate. ---

struct Fuzz {
    int complete = 0;  // cases in which the certificate held
    int touching = 0;  // pairs in contact in those cases
    int misses = 0;    // of them, not in the list
};

// `factor` stretches the certificate's margins after the list was built with the true ones.
Fuzz fuzz_certificate(DetectorKind kind, double factor, int cases, std::uint64_t seed) {
    ThreadPool pool(1);
    DetectorScratch scratch;
    Random random{seed};
    Fuzz result;
    for (int round = 0; round < cases; ++round) {
        Cloud cloud = make_cloud(random, 4 + below(random, 5), below(random, 5), 0.5, 0.3);
        CandidateList list;
        list.margin = cloud.margin;
        rebuild(list, kind, {cloud.surface, cloud.enabled, cloud.x}, pool, scratch);
        for (double& m : list.margin) m *= factor;
        // Some move at random, some towards one place, as far as the certificate allows or a little further.
        const double scale = random.uniform(0.0, 1.1);
        const Vec3 place = somewhere(random, 0.3);
        const bool together = random.uniform() < 0.7;
        std::vector<Vec3> moved = cloud.x;
        for (std::size_t n = 0; n < moved.size(); ++n) {
            const Vec3 way = together ? normalized(place - moved[n]) : some_direction(random);
            const double far = together ? norm(place - moved[n]) : 1e9;
            moved[n] += way * std::min(far, scale * list.margin[n] * random.uniform(0.6, 1.0));
        }
        if (!is_complete(list, moved)) continue;
        ++result.complete;
        const std::vector<Key> listed = keys(list.pairs);
        for_each_pair(cloud, moved, [&](std::size_t a, std::size_t b, double gap, double) {
            if (gap > 0.0) return;
            ++result.touching;
            if (!std::binary_search(listed.begin(), listed.end(), key(a, b))) ++result.misses;
        });
    }
    return result;
}

TEST_P(Certificate, NoContactOutsideACompleteList) {
    const Fuzz fuzz = fuzz_certificate(GetParam(), 1.0, 100000, 21);
    EXPECT_GT(fuzz.complete, 80000);
    EXPECT_GT(fuzz.touching, 80000);
    EXPECT_EQ(fuzz.misses, 0);
}

TEST_P(Certificate, MarginsThatAreTooGenerousMiss) {
    EXPECT_GT(fuzz_certificate(GetParam(), 4.0, 2000, 22).misses, 0);
}

// What stands may be left out: the same bits and the same answers, as long as it does stand.
TEST(StandingNodes, NeedNoLook) {
    constexpr std::size_t nodes = 203;
    const std::vector<NodeRange> moving{{0, 16}, {120, nodes}};
    Random random{5};
    CandidateList list;
    const auto draw = [&](double size) {
        return Vec3{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
    };
    for (std::size_t n = 0; n < nodes; ++n) list.built.push_back(draw(1.0));
    list.margin.assign(nodes, 0.05);
    int complete = 0;
    for (int i = 0; i < 200; ++i) {
        std::vector<Vec3> x = list.built;
        const Vec3 common = draw(0.08);
        for (const NodeRange& range : moving) {
            for (std::size_t n = range.first == 0 ? 8 : range.first; n < range.last; ++n)
                x[n] += i % 2 == 0 ? draw(0.028) : common;  // the first eight stand, for the others
        }
        EXPECT_EQ(is_complete(list, x, moving), is_complete(list, x)) << i;
        complete += is_complete(list, x) ? 1 : 0;
        EXPECT_EQ(norm(mean_displacement(list.built, x, moving) - mean_displacement(list.built, x)), 0.0) << i;
        x[60].x += 1.0;  // the control: it does not stand
        EXPECT_FALSE(is_complete(list, x));
        EXPECT_NE(norm(mean_displacement(list.built, x, moving) - mean_displacement(list.built, x)), 0.0);
    }
    EXPECT_GT(complete, 20);
    EXPECT_LT(complete, 180);
}

TEST_P(Certificate, LeavingTheMargin) {
    CandidateList list;
    const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}};
    EXPECT_FALSE(is_complete(list, x));  // never built
    list.built = x;
    list.margin = {0.1, 0.0};
    EXPECT_TRUE(is_complete(list, x));
    EXPECT_TRUE(is_complete(list, std::vector<Vec3>{{0.0999, 0, 0}, {1, 0, 0}}));
    EXPECT_FALSE(is_complete(list, std::vector<Vec3>{{0, -0.1001, 0}, {1, 0, 0}}));
    EXPECT_FALSE(is_complete(list, std::vector<Vec3>{{0, 0, 0}, {1, 1e-9, 0}}));
    EXPECT_FALSE(is_complete(list, std::vector<Vec3>{{0, 0, 0}}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(is_complete(list, std::vector<Vec3>{{nan, 0, 0}, {1, 0, 0}}));
}

TEST_P(Candidates, KeepsTheMemoryOfPairsThatStay) {
    ThreadPool pool(1);
    DetectorScratch scratch;
    Random random{31};
    std::size_t kept = 0, dropped = 0, fresh = 0;
    for (int round = 0; round < 100; ++round) {
        Cloud cloud = make_cloud(random, 30, 20, 0.6, 0.1);
        CandidateList list;
        list.margin = cloud.margin;
        rebuild(list, GetParam(), {cloud.surface, cloud.enabled, cloud.x}, pool, scratch);
        EXPECT_EQ(list.built, cloud.x);
        for (Pair& p : list.pairs) {
            p.push = random.uniform(0.1, 1.0);
            p.friction = somewhere(random, 1.0);
            p.side = some_direction(random);
        }
        const std::vector<Pair> before = list.pairs;
        const std::vector<Vec3> first = cloud.x;
        for (Vec3& x : cloud.x) x += somewhere(random, 0.1);
        const std::int64_t tests = rebuild(list, GetParam(), {cloud.surface, cloud.enabled, cloud.x}, pool, scratch);
        EXPECT_GT(tests, 0);
        EXPECT_EQ(list.built, cloud.x);
        ASSERT_TRUE(std::is_sorted(list.pairs.begin(), list.pairs.end()));
        std::vector<Key> expected;
        for_each_pair(cloud, cloud.x, [&](std::size_t a, std::size_t b, double gap, double margin) {
            if (gap <= margin) expected.push_back(key(a, b));
        });
        ASSERT_EQ(keys(list.pairs), expected);
        std::set<Key> now(expected.begin(), expected.end());
        for (const Pair& p : before) dropped += now.count({p.a, p.b}) == 0 ? 1u : 0u;
        for (const Pair& p : list.pairs) {
            const auto old = std::find_if(before.begin(), before.end(), [&](const Pair& q) { return same_pair(p, q); });
            if (old == before.end()) {
                ++fresh;
                ASSERT_EQ(p.push, 0.0);
                ASSERT_EQ(p.friction, Vec3{});
                ASSERT_EQ(p.side, Vec3{});
            } else {
                ++kept;
                ASSERT_EQ(p.push, old->push);
                ASSERT_EQ(p.friction, old->friction);
                ASSERT_EQ(p.side, old->side);
            }
        }
        // A pair that left and comes back has forgotten.
        std::vector<Vec3> apart = cloud.x;
        for (std::size_t n = 0; n < apart.size(); ++n) apart[n].x += 10.0 * static_cast<double>(n);
        rebuild(list, GetParam(), {cloud.surface, cloud.enabled, apart}, pool, scratch);
        rebuild(list, GetParam(), {cloud.surface, cloud.enabled, first}, pool, scratch);
        for (const Pair& p : list.pairs) ASSERT_EQ(p.push, 0.0);
        ASSERT_EQ(keys(list.pairs), keys(before));
    }
    EXPECT_GT(kept, 1000u);
    EXPECT_GT(dropped, 200u);
    EXPECT_GT(fresh, 200u);
}

TEST_P(Detector, SameResultForAnyNumberOfThreads) {
    Random random{41};
    for (int round = 0; round < 20; ++round) {
        const Cloud cloud = make_cloud(random, 100 + below(random, 200), 100, 1.5, 0.15);
        std::vector<std::vector<Pair>> found(3);
        std::vector<std::int64_t> tests;
        for (const int threads : {1, 2, 4}) {
            ThreadPool pool(threads);
            DetectorScratch scratch;
            tests.push_back(find_pairs(GetParam(), cloud.surface, cloud.enabled, cloud.x, cloud.margin, pool, scratch,
                                       found[tests.size()]));
        }
        EXPECT_GT(tests[0], 0);
        for (std::size_t k = 1; k < found.size(); ++k) {
            EXPECT_EQ(tests[k], tests[0]);
            ASSERT_EQ(keys(found[k]), keys(found[0]));
            for (std::size_t i = 0; i < found[0].size(); ++i) {
                ASSERT_EQ(found[k][i].gap_at_build, found[0][i].gap_at_build);
            }
        }
    }
}

}  // namespace
}  // namespace plica
