#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "tests/contact/moving_pairs.hpp"

// Certify where what it does to one pair moves others: tubes and a membrane whose parts share nodes.
namespace plica::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int chain_share = 20;
#else
constexpr int chain_share = 1;
#endif

struct Motion {
    Vec3 drift;
    double jitter;
};

Vec3 moved(Random& random, const Vec3& x, const Motion& motion) {
    return x + motion.drift + draw_vector(random, motion.jitter);
}

void add_tube(Random& random, Moving& m, const Vec3& start, const Motion& motion, int chain, double radius) {
    Vec3 at = start;
    Vec3 way = normalized(draw_vector(random));
    std::int32_t last = m.add_node(at, moved(random, at, motion));
    for (int k = 0; k < 6; ++k) {
        way = normalized(way + draw_vector(random, 0.4));
        at += way * 0.3;
        const std::int32_t next = m.add_node(at, moved(random, at, motion));
        m.surface.capsules.push_back({last, next, radius, 0, chain, k, 1, false});
        last = next;
    }
}

void add_patch(Random& random, Moving& m, const Vec3& corner, const Motion& motion, double thickness) {
    const Vec3 u = normalized(draw_vector(random)) * 0.4;
    const Vec3 v = normalized(cross(u, draw_vector(random))) * 0.4;
    std::int32_t node[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const Vec3 at = corner + u * i + v * j + draw_vector(random, 0.05);
            node[i][j] = m.add_node(at, moved(random, at, motion));
        }
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            m.surface.triangles.push_back({node[i][j], node[i + 1][j], node[i + 1][j + 1], thickness, 1, -1, 0, 0});
            m.surface.triangles.push_back({node[i][j], node[i + 1][j + 1], node[i][j + 1], thickness, 1, -1, 0, 0});
        }
    }
}

double nearest(const Moving& m) {
    double least = 1e9;
    for (const Pair& pair : m.list.pairs) least = std::min(least, separation_of(corners_at(m, pair, m.p, 0.0)));
    return least;
}

Motion draw_motion(Random& random) {
    const double speed = std::pow(10.0, random.uniform(-1.5, 0.5));
    return {draw_vector(random, speed), speed * random.uniform()};
}

// Two tubes and a patch around the origin. False: too close at the start.
bool draw_tangle(Random& random, Moving& m) {
    m.clear();
    const double radius = random.uniform(0.02, 0.3);
    for (int chain = 0; chain < 2; ++chain) {
        add_tube(random, m, draw_vector(random, 0.4), draw_motion(random), chain, radius);
    }
    add_patch(random, m, draw_vector(random, 0.5), draw_motion(random), random.uniform(0.0, 0.05));
    list_all(m, m.x);
    return nearest(m) > 1e-3;
}

int count_crossings(const Moving& m, const std::vector<Vec3>& to) {
    int count = 0;
    for (const Pair& pair : m.list.pairs) count += crosses(m, pair, to) ? 1 : 0;
    return count;
}

TEST(CertifyTangle, NothingPassesThroughAnything) {
    Random random{71};
    Moving m;
    CertifyScratch scratch;
    std::vector<Vec3> p;
    int cases = 0, would_cross = 0, cross = 0, off = 0;
    for (int i = 0; i < 10'000 / chain_share; ++i) {
        if (!draw_tangle(random, m)) continue;
        ++cases;
        p = m.p;
        run_certify(m, p, scratch);
        would_cross += count_crossings(m, m.p) > 0 ? 1 : 0;
        cross += count_crossings(m, p);
        for (std::size_t n = 0; n < p.size(); ++n) {
            const double kept = scratch.kept.empty() ? 1.0 : scratch.kept[n];
            off += p[n] == (kept < 1.0 ? m.x[n] + (m.p[n] - m.x[n]) * kept : m.p[n]) ? 0 : 1;
        }
    }
    EXPECT_EQ(cross, 0);
    EXPECT_EQ(off, 0);
    EXPECT_GT(would_cross, cases / 3) << "without certify they must cross";
    EXPECT_LT(would_cross, cases);
}

// What happens here is no matter to what is out of reach: the same bits as by themselves.
TEST(CertifyTangle, LeavesOthersAlone) {
    Random random{72};
    Moving one, other;
    CertifyScratch scratch;
    int held = 0, touched = 0, differs = 0;
    for (int i = 0; i < 2'000 / chain_share; ++i) {
        if (!draw_tangle(random, one)) continue;
        std::vector<Vec3> alone = one.p;
        held += run_certify(one, alone, scratch) > 0 ? 1 : 0;
        // A tube far away, moving by itself.
        other = one;
        const std::size_t first = other.x.size();
        add_tube(random, other, {100, 0, 0}, {draw_vector(random, 2.0), 0.0}, 7, 0.1);
        list_all(other, other.x);
        std::vector<Vec3> both = other.p;
        run_certify(other, both, scratch);
        for (std::size_t n = 0; n < both.size(); ++n) {
            if (n < first) {
                differs += both[n] == alone[n] ? 0 : 1;
            } else {
                touched += both[n] == other.p[n] ? 0 : 1;
            }
        }
    }
    EXPECT_GT(held, 600 / chain_share);
    EXPECT_EQ(touched, 0);
    EXPECT_EQ(differs, 0);
}

// Rods in a pile that falls by 0.1 onto one that does not move, so laid that each one stops the next only once it is
// held itself: as many rounds as rods. A rod that falls far away is no part of this.
Moving make_stack(int count) {
    Moving m;
    const auto add = [&](const Vec3& middle, double fall) {
        const Vec3 a = middle - Vec3{1, 0, 0}, b = middle + Vec3{1, 0, 0}, by{0, 0, -fall};
        const std::int32_t first = m.add_node(a, a + by), second = m.add_node(b, b + by);
        m.surface.capsules.push_back({first, second, 0.02, 0, -1, 0, 0, false});
    };
    const double height[4] = {0.0, 0.05, 0.104, 0.11};
    for (int k = 0; k <= count; ++k) add({0, 0, k < 4 ? height[k] : 0.15 + 0.05 * (k - 4)}, k == 0 ? 0.0 : 0.1);
    add({0, 50, 0}, 0.1);
    list_all(m, m.x);
    return m;
}

TEST(CertifyTangle, ALongStackHoldsOnlyItself) {
    for (const int count : {2, 5, 12, 40}) {
        const Moving m = make_stack(count);
        CertifyScratch scratch;
        std::vector<Vec3> p = m.p;
        EXPECT_EQ(run_certify(m, p, scratch), 2 * count + 2) << count;
        EXPECT_EQ(count_crossings(m, p), 0) << count;
        EXPECT_EQ(count_crossings(m, m.p), 1) << count;
        EXPECT_EQ(p.back(), m.p.back()) << count << " rods hold one that is far away";
    }
}

// Axes that meet when the substep begins have no side to keep; certify must come back, whatever it says of them.
TEST(CertifyTangle, AxesThatMeetAtTheStart) {
    for (const bool moves : {false, true}) {
        SCOPED_TRACE(moves);
        Moving m;
        const Vec3 by = moves ? Vec3{0, 0, 0.1} : Vec3{};
        m.surface.capsules.push_back({m.add_node({-1, 0, 0}, Vec3{-1, 0, 0} + by),
                                      m.add_node({1, 0, 0}, Vec3{1, 0, 0} + by), 0.1, 0, -1, 0, 0, false});
        m.surface.capsules.push_back(
            {m.add_node({0, -1, 0}, {0, -1, 0}), m.add_node({0, 1, 0}, {0, 1, 0}), 0.1, 1, -1, 0, 0, false});
        list_all(m, m.x);
        CertifyScratch scratch;
        std::vector<Vec3> p = m.p;
        run_certify(m, p, scratch);
        EXPECT_EQ(count_crossings(m, p), 0);
    }
}

// What is not a number is found and undone after the step; until then nothing may hang.
TEST(CertifyTangle, ComesBackFromNumbersThatAreNone) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
        Random random{73};
        Moving m;
        CertifyScratch scratch;
        for (int i = 0; i < 200; ++i) {
            draw_tangle(random, m);
            m.p[static_cast<std::size_t>(draw_below(random, static_cast<int>(m.p.size())))].y = bad;
            run_certify(m, m.p, scratch);
        }
    }
}

}  // namespace
}  // namespace plica::testing
