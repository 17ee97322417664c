#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "audit/crossing.hpp"
#include "audit/separation.hpp"
#include "core/random.hpp"

namespace plica::audit {
namespace {

Vec3 random_point(Random& random, double half = 1.0) {
    const double x = random.uniform(-half, half), y = random.uniform(-half, half);
    return {x, y, random.uniform(-half, half)};
}

// ---- static distances against nested golden sections: the distance is convex in all parameters together

template <class F>
double least(const F& f, double lo, double hi) {
    constexpr double ratio = 0.6180339887498949;
    double a = hi - ratio * (hi - lo), b = lo + ratio * (hi - lo), fa = f(a), fb = f(b);
    for (int i = 0; i < 40; ++i) {
        const bool left = fa < fb;
        (left ? hi : lo) = left ? b : a;
        (left ? b : a) = left ? a : b;
        (left ? fb : fa) = left ? fa : fb;
        double& moved = left ? a : b;
        moved = left ? hi - ratio * (hi - lo) : lo + ratio * (hi - lo);
        (left ? fa : fb) = f(moved);
    }
    return std::min(fa, fb);
}

double searched(const Vec3& x, const Face& f) {
    return least(
        [&](double beta) {
            const auto at = [&](double g) { return distance(x, f.a + beta * (f.b - f.a) + g * (f.c - f.a)); };
            return least(at, 0.0, 1.0 - beta);
        },
        0.0, 1.0);
}

double searched(const Edge& e, const Edge& f) {
    const auto from = [&](double s) {
        const Vec3 x = e.a + s * (e.b - e.a);
        return least([&](double t) { return distance(x, f.a + t * (f.b - f.a)); }, 0.0, 1.0);
    };
    return least(from, 0.0, 1.0);
}

TEST(AuditSeparation, EdgesAgreeWithSearch) {
    Random random{1};
    for (int i = 0; i < 7000; ++i) {
        Edge e{random_point(random), random_point(random)}, f{random_point(random), random_point(random)};
        const Vec3 along = e.b - e.a;
        if (i % 7 == 1) f.b = f.a + random.uniform(-2, 2) * along;                                       // parallel
        if (i % 7 == 2) f = {e.a + random.uniform(-2, 2) * along, e.a + random.uniform(-2, 2) * along};  // collinear
        if (i % 7 == 3) f.b = f.a + along + random_point(random, 1e-9);  // all but parallel
        if (i % 7 == 4) f.b = f.a;                                       // a point
        if (i % 7 == 5) e.b = e.a, f.b = f.a;                            // two points
        if (i % 7 == 6) f.a = e.a + random.uniform() * along;            // touching
        ASSERT_NEAR(separation(e, f), searched(e, f), 2e-7) << "case " << i;
        ASSERT_NEAR(separation(e, f), separation(f, e), 1e-12);
        if (i % 7 == 6) {
            ASSERT_LT(separation(e, f), 1e-12);
        }
    }
    // Negative control: the distance of the two lines, without their ends, is another one.
    EXPECT_NEAR(separation(Edge{{0, 0, 0}, {1, 0, 0}}, Edge{{3, -1, 1}, {3, 1, 1}}), std::sqrt(5.0), 1e-15);
}

TEST(AuditSeparation, FacesAgreeWithSearch) {
    Random random{2};
    int pierced = 0;
    for (int i = 0; i < 400; ++i) {
        Face f{random_point(random), random_point(random), random_point(random)};
        Edge e{random_point(random), random_point(random)};
        if (i % 5 == 1) e = {f.a + 0.3 * (f.b - f.a) + 0.4 * (f.c - f.a), f.a + 2.0 * (f.c - f.b)};  // in its plane
        if (i % 5 == 2) f.c = f.a + random.uniform(-1, 2) * (f.b - f.a);                             // no area
        if (i % 5 == 3) f.b = f.c = f.a;                                                             // a point
        if (i % 5 == 4) e.b = e.a;
        const auto from = [&](double s) { return searched(e.a + s * (e.b - e.a), f); };
        ASSERT_NEAR(separation(e, f), least(from, 0.0, 1.0), 1e-6) << "case " << i;
        ASSERT_NEAR(separation(e.a, f), searched(e.a, f), 1e-6) << "case " << i;
        pierced += i % 5 == 0 && separation(e, f) == 0.0;
    }
    EXPECT_GT(pierced, 5);
    EXPECT_EQ(separation(Edge{{0.2, 0.2, -1}, {0.2, 0.2, 1}}, Face{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 0.0);
    EXPECT_NEAR(separation(Edge{{0.2, 0.2, 0.5}, {0.2, 0.2, 1}}, Face{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 0.5, 1e-15);
}

// ---- continuous tests against sampling in time

enum class Verdict { crosses, clear, unclear };

struct Moving {
    Path p[4];
    [[nodiscard]] Vec3 at(int k, double t) const { return p[k].from + t * (p[k].to - p[k].from); }
};

// Corners 0-1 against 2-3 (edges), or 0 against 1-2-3 (face). A sign change of the volume well inside both shapes is a
// crossing; a gap that no motion between two samples can close is none.
struct Sample {
    double volume, gap;
    bool inside;
};

Sample sample(const Moving& m, double t, bool edges) {
    const Vec3 x[4] = {m.at(0, t), m.at(1, t), m.at(2, t), m.at(3, t)};
    const auto within = [](double s) { return s > 0.02 && s < 0.98; };
    if (edges) {
        const Vec3 u = x[1] - x[0], v = x[3] - x[2], w = x[2] - x[0], n = cross(u, v);
        const double n2 = squared_norm(n), s = dot(cross(w, v), n) / n2, r = dot(cross(w, u), n) / n2;
        const bool skew = n2 > 0.01 * squared_norm(u) * squared_norm(v);
        return {dot(n, w), separation(Edge{x[0], x[1]}, Edge{x[2], x[3]}), skew && within(s) && within(r)};
    }
    const Vec3 u = x[2] - x[1], v = x[3] - x[1], w = x[0] - x[1], n = cross(u, v);
    const double n2 = squared_norm(n), b = dot(cross(w, v), n) / n2, c = dot(cross(u, w), n) / n2;
    const bool fat = n2 > 0.01 * squared_norm(u) * squared_norm(v);
    return {dot(n, w), separation(x[0], Face{x[1], x[2], x[3]}), fat && within(b) && within(c) && within(1 - b - c)};
}

Verdict sampled(const Moving& m, bool edges) {
    constexpr int samples = 2000;
    double speed = 0.0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j)
            speed = std::max(speed, norm((m.p[i].to - m.p[i].from) - (m.p[j].to - m.p[j].from)));
    bool clear = true;
    Sample before{};
    for (int i = 0, last = -2; i <= samples; ++i) {
        const Sample now = sample(m, static_cast<double>(i) / samples, edges);
        if (last == i - 1 && before.inside && now.inside && before.volume * now.volume < 0.0) return Verdict::crosses;
        clear = clear && now.gap > 0.5 * speed / samples;
        before = now;
        last = i;
        i += std::max(0, static_cast<int>(now.gap * samples / speed) - 1);  // those between are further than zero
    }
    return clear ? Verdict::clear : Verdict::unclear;
}

void compare_with_samples(bool edges, std::uint64_t seed) {
    Random random{seed};
    int crossing = 0, clear = 0, missed = 0, invented = 0, naive_wrong = 0;
    for (int i = 0; i < 250000; ++i) {
        Moving m{};
        const double half = i % 3 == 0 ? 2.0 : i % 3 == 1 ? 0.7 : 0.05;  // of the motion
        for (Path& p : m.p) p.from = random_point(random), p.to = p.from + random_point(random, half);
        if (i % 4 == 0)
            m.p[1].from = m.p[0].from + random_point(random, 0.1), m.p[1].to = m.p[0].to + m.p[1].from - m.p[0].from;
        const Verdict truth = sampled(m, edges);
        const bool found =
            edges ? edges_cross(m.p[0], m.p[1], m.p[2], m.p[3]) : point_crosses_face(m.p[0], m.p[1], m.p[2], m.p[3]);
        const bool naive = sample(m, 0.0, edges).volume * sample(m, 1.0, edges).volume < 0.0;
        crossing += truth == Verdict::crosses;
        clear += truth == Verdict::clear;
        missed += truth == Verdict::crosses && !found;
        invented += truth == Verdict::clear && found;
        naive_wrong += (truth == Verdict::crosses && !naive) || (truth == Verdict::clear && naive);
    }
    EXPECT_EQ(missed, 0);
    EXPECT_EQ(invented, 0);
    EXPECT_GT(crossing, 5000);
    EXPECT_GT(clear, 200000);
    EXPECT_GT(naive_wrong, 10000);  // negative control: the corpus tells a wrong test from a right one
    testing::Test::RecordProperty("crossing", crossing);
    testing::Test::RecordProperty("clear", clear);
}

TEST(AuditCrossing, EdgesAgreeWithSamples) {
    compare_with_samples(true, 3);
}
TEST(AuditCrossing, PointAndFaceAgreeWithSamples) {
    compare_with_samples(false, 4);
}

Path moved(const Vec3& from, const Vec3& by) {
    return {from, from + by};
}

TEST(AuditCrossing, TangentialRoots) {
    // The second edge tilts while the first slides: its height over the first is (t - 1/2)^2 + z and never negative.
    const auto graze = [](double z) {
        return edges_cross({{-1, -1, -z}, {-1, 1, -z}}, {{1, -1, -z}, {1, 1, -z}}, {{0, -1, 0.5}, {0, -1, -0.5}},
                           {{0, 1, -0.5}, {0, 1, 0.5}});
    };
    EXPECT_TRUE(graze(0.0));    // one double root
    EXPECT_TRUE(graze(-1e-3));  // two roots
    EXPECT_FALSE(graze(1e-3));  // none
    EXPECT_FALSE(graze(1e-5));
    // u = (t', 1, 0), v = (0, t', 1), w = (0, 0, t') with t' = t - 1/2: volume t'^3, a triple root.
    const auto triple = [](double shift) {
        const Vec3 x{shift, 0, 0};
        return edges_cross({{0.5, -1, 0}, {-0.5, -1, 0}}, {{-0.5, 1, 0}, {0.5, 1, 0}},
                           {x + Vec3{0, 0.5, -1.5}, x + Vec3{0, -0.5, -0.5}},
                           {x + Vec3{0, -0.5, 0.5}, x + Vec3{0, 0.5, 1.5}});
    };
    EXPECT_TRUE(triple(0.0));
    EXPECT_FALSE(triple(10.0));
    // A point that just reaches the face at the end of the motion; one that stops short; one that slides along it.
    const Path a = moved({0, 0, 0}, {}), b = moved({1, 0, 0}, {}), c = moved({0, 1, 0}, {});
    EXPECT_TRUE(point_crosses_face({{0.2, 0.2, 0.3}, {0.2, 0.2, 0.0}}, a, b, c));
    EXPECT_FALSE(point_crosses_face({{0.2, 0.2, 0.3}, {0.2, 0.2, 1e-5}}, a, b, c));
    EXPECT_FALSE(point_crosses_face({{-1, 0.2, 1e-5}, {1, 0.2, 1e-5}}, a, b, c));
    EXPECT_TRUE(point_crosses_face({{-1, 0.2, 0}, {1, 0.2, 0}}, a, b, c));  // in its plane, from outside
}

TEST(AuditCrossing, MotionsThatCrossNothing) {
    Random random{5};
    for (int i = 0; i < 5000; ++i) {
        const Vec3 shift = random_point(random, 3.0), axis = random_point(random);
        Path x[5];
        for (Path& p : x) p = moved(random_point(random), shift);
        EXPECT_FALSE(edges_cross(x[0], x[1], x[2], x[3]));                    // both translate
        EXPECT_FALSE(edge_crosses_face(x[0], x[1], x[2], x[3], x[4]));        // pierced or not, nothing new happens
        for (Path& p : x) p.to = p.from + shift + 0.5 * cross(axis, p.from);  // a common affine motion
        EXPECT_FALSE(edges_cross(x[0], x[1], x[2], x[3]));
        EXPECT_FALSE(edge_crosses_face(x[0], x[1], x[2], x[3], x[4]));
        // One turns in place about its middle, out of reach of the other.
        const Vec3 arm = 0.5 * normalized(random_point(random)), turned = 0.5 * normalized(random_point(random));
        EXPECT_FALSE(edges_cross({-arm, -turned}, {arm, turned}, moved({-1, 0.6, 0}, {}), moved({1, 0.6, 0}, {})));
    }
    // Negative control: the same turn reaches an edge that is nearer.
    EXPECT_TRUE(edges_cross({{-0.5, 0, 0}, {0, -0.5, 0}}, {{0.5, 0, 0}, {0, 0.5, 0}}, moved({-1, 0.4, 0}, {}),
                            moved({1, 0.4, 0}, {})));
}

TEST(AuditCrossing, InOnePlaneAndAtSeams) {
    const Path q0 = moved({1, -1, 0}, {}), q1 = moved({1, 1, 0}, {});
    const auto slide = [&](double from, double to) {
        return edges_cross({{from - 1, 0, 0}, {to - 1, 0, 0}}, {{from, 0, 0}, {to, 0, 0}}, q0, q1);
    };
    EXPECT_TRUE(slide(0.0, 1.5));   // comes to overlap
    EXPECT_FALSE(slide(0.0, 0.9));  // stops short
    EXPECT_FALSE(slide(1.2, 1.4));  // overlaps all the time
    EXPECT_FALSE(slide(0.9, -3.0));
    // A crossing at the end of one substep is the next one's start: once in both together.
    const auto fall = [&](double from, double to) {
        return edges_cross({{0.5, 0.1, from}, {0.5, 0.1, to}}, {{1.5, 0.2, from}, {1.5, 0.2, to}}, q0, q1);
    };
    EXPECT_TRUE(fall(0.3, 0.0));
    EXPECT_FALSE(fall(0.0, -0.3));
    EXPECT_TRUE(fall(0.3, 1e-17) != fall(1e-17, -0.3));
    EXPECT_TRUE(fall(0.3, 1e-6) != fall(1e-6, -0.3));
    EXPECT_TRUE(fall(0.3, -0.3));
}

}  // namespace
}  // namespace plica::audit
