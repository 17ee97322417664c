#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/contact/moving_pairs.hpp"

// The last word of a substep under a storm of random pairs, judged by the audit's geometry. Lengths are of the order
// of 1: certify knows no scale.
namespace plica::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int share = 20;  // of the cases; instrumented code is that much slower
#else
constexpr int share = 1;
#endif

enum class Shape : std::uint8_t { point, capsule, triangle };
constexpr int styles = 7;
const char* const style_names[styles] = {"slow", "fast", "through", "grazing", "rotating", "alongside", "degenerate"};

int corners(Shape shape) {
    return shape == Shape::point ? 1 : shape == Shape::capsule ? 2 : 3;
}

// Closer at the start than this and the audit's tolerance cannot tell near from through.
constexpr double nearest_start = 1e-3;

struct MovingBody {
    Vec3 x[3], p[3];
    int count;
};

MovingBody draw_body(Random& random, Shape shape) {
    MovingBody body{{}, {}, corners(shape)};
    const Vec3 centre = draw_vector(random, 0.6);
    for (int k = 0; k < body.count; ++k) body.x[k] = body.p[k] = centre + draw_vector(random, 0.7);
    return body;
}

Vec3 draw_inside(Random& random, const MovingBody& body) {
    const double s = random.uniform(), t = random.uniform(0.0, 1.0 - s);
    if (body.count == 1) return body.x[0];
    if (body.count == 2) return body.x[0] + (body.x[1] - body.x[0]) * s;
    return body.x[0] + (body.x[1] - body.x[0]) * s + (body.x[2] - body.x[0]) * t;
}

void shift(MovingBody& body, const Vec3& from, const Vec3& to) {
    for (int k = 0; k < body.count; ++k) {
        body.x[k] += from;
        body.p[k] += to;
    }
}

// At some time on the way a point of one is `apart` from a point of the other.
void meet(Random& random, MovingBody& a, MovingBody& b, double apart, double speed) {
    const Vec3 to_b = draw_inside(random, b) - draw_inside(random, a);
    const Vec3 aside = normalized(draw_vector(random)) * apart;
    const Vec3 v = draw_vector(random, speed);
    const double when = random.uniform(0.02, 0.98);
    shift(a, to_b + aside - v * when, to_b + aside + v * (1.0 - when));
    for (MovingBody* body : {&a, &b}) {
        const Vec3 spin[3] = {draw_vector(random, 0.2), draw_vector(random, 0.2), draw_vector(random, 0.2)};
        for (int k = 0; k < body->count; ++k) {
            body->x[k] -= spin[k] * when;
            body->p[k] += spin[k] * (1.0 - when);
        }
    }
}

// Turned about its centre, up to end over end; ways are straight, so it shrinks in between.
void rotate(Random& random, MovingBody& body) {
    Vec3 centre{};
    for (int k = 0; k < body.count; ++k) centre += body.x[k] * (1.0 / body.count);
    const Vec3 axis = normalized(draw_vector(random));
    const double angle = random.uniform(0.0, 3.141);
    for (int k = 0; k < body.count; ++k) {
        const Vec3 r = body.x[k] - centre;
        body.p[k] = centre + r * std::cos(angle) + cross(axis, r) * std::sin(angle) +
                    axis * (dot(axis, r) * (1.0 - std::cos(angle)));
    }
}

// Parallel to the first edge of the other, sliding along it and towards it.
void lay_alongside(Random& random, MovingBody& a, const MovingBody& b) {
    const Vec3 along = b.count > 1 ? b.x[1] - b.x[0] : Vec3{1, 0, 0};
    const Vec3 start = b.x[0] + along * random.uniform(-0.5, 1.0) + draw_vector(random, 0.2);
    const Vec3 tilt = draw_vector(random, std::pow(10.0, random.uniform(-9.0, -1.0)));
    for (int k = 0; k < a.count; ++k) a.x[k] = start + along * (0.7 * k) + (k == 2 ? draw_vector(random) : tilt * k);
    const Vec3 slide = along * random.uniform(-2.0, 2.0) + (b.x[0] - start) * random.uniform(0.0, 2.0);
    for (int k = 0; k < a.count; ++k) a.p[k] = a.x[k] + slide;
}

// Without length or area, or not moving at all.
void degenerate(Random& random, MovingBody& a, MovingBody& b) {
    meet(random, a, b, random.uniform() < 0.5 ? 0.0 : 0.01, 2.0);
    const int kind = draw_below(random, 5);
    if (kind == 0) a.x[a.count - 1] = a.x[0];
    if (kind == 1) b.x[b.count - 1] = b.x[0], b.p[b.count - 1] = b.p[0];
    if (kind == 2 && b.count == 3) b.x[2] = b.x[0] + (b.x[1] - b.x[0]) * 0.3, b.p[2] = b.p[0];
    if (kind == 3) std::copy(a.x, a.x + 3, a.p);
    if (kind == 4) a.p[a.count - 1] = a.p[0], b.p[b.count - 1] = b.p[0];
}

void draw_motion(Random& random, int style, MovingBody& a, MovingBody& b) {
    if (style <= 1) {
        for (MovingBody* body : {&a, &b}) {
            for (int k = 0; k < body->count; ++k) body->p[k] += draw_vector(random, style == 0 ? 0.3 : 3.0);
        }
    } else if (style == 2) {
        meet(random, a, b, 0.0, random.uniform(0.1, 3.0));
    } else if (style == 3) {
        meet(random, a, b, random.uniform(0.0, 4e-3), random.uniform(0.01, 1.0));
    } else if (style == 4) {
        rotate(random, a);
        if (random.uniform() < 0.5) rotate(random, b);
    } else if (style == 5) {
        lay_alongside(random, a, b);
    } else {
        degenerate(random, a, b);
    }
}

void add_body(Moving& m, const MovingBody& body, double radius, std::int32_t chain = -1) {
    std::int32_t node[3] = {};
    for (int k = 0; k < body.count; ++k) node[k] = m.add_node(body.x[k], body.p[k]);
    if (body.count == 3) {
        m.surface.triangles.push_back({node[0], node[1], node[2], radius, 0, chain, 0, 0});
    } else {
        m.surface.capsules.push_back({node[0], node[body.count - 1], radius, 0, chain, 0, 1, false});
    }
}

// One pair; the list was built here or a little way back. False: too close at the start.
bool draw_pair(Random& random, int style, Shape first, Shape second, Moving& m) {
    m.clear();
    MovingBody a = draw_body(random, first), b = draw_body(random, second);
    draw_motion(random, style, a, b);
    add_body(m, a, random.uniform(0.02, 0.4));
    add_body(m, b, random.uniform(0.0, 0.4));
    std::vector<Vec3> built = m.x;
    if (random.uniform() < 0.3) {
        for (Vec3& x : built) x += draw_vector(random, 0.05);
    }
    list_all(m, built);
    return separation_of(corners_at(m, m.list.pairs[0], m.p, 0.0)) > nearest_start;
}

struct Tally {
    int cases = 0, would_cross = 0, cross = 0, held = 0, passed_points = 0;
    // Further apart than twice what certify keeps, all the way; of a way that the engine would take in a substep (half
    // the contact radii), and of all.
    int clear = 0, held_in_vain = 0, clear_short = 0, held_in_vain_short = 0;
    int off_the_way = 0;
};

// Nodes that are held lie on their way, the others have not been touched.
int count_off_the_way(const Moving& m, const std::vector<Vec3>& p, const CertifyScratch& scratch) {
    int count = 0;
    for (std::size_t n = 0; n < p.size(); ++n) {
        const double kept = scratch.kept.empty() ? 1.0 : scratch.kept[n];
        const Vec3 expected = kept < 1.0 ? m.x[n] + (m.p[n] - m.x[n]) * kept : m.p[n];
        count += kept >= 0.0 && kept <= 1.0 && p[n] == expected ? 0 : 1;
    }
    return count;
}

void judge_pair(const Moving& m, CertifyScratch& scratch, std::vector<Vec3>& p, Tally& tally) {
    const Pair& pair = m.list.pairs[0];
    const double radii = contact_radii(m.surface, pair), start = separation_of(corners_at(m, pair, m.p, 0.0));
    p = m.p;
    const bool held = run_certify(m, p, scratch) > 0;
    ++tally.cases;
    tally.held += held ? 1 : 0;
    tally.off_the_way += count_off_the_way(m, p, scratch);
    const bool point = is_point(m, pair);
    if (point) {
        // Half the contact distance, or half of what there was, but for the rounding of the list's shortcut.
        const double least = 0.5 * std::min(radii, start) * (1.0 - 1e-5);
        tally.would_cross += stays_beyond(m, pair, m.p, least) ? 0 : 1;
        tally.passed_points += stays_beyond(m, pair, p, least) ? 0 : 1;
    } else {
        tally.would_cross += crosses(m, pair, m.p) ? 1 : 0;
        tally.cross += crosses(m, pair, p) ? 1 : 0;
    }
    if (stays_beyond(m, pair, m.p, radii * (point ? 0.51 : 2e-3))) {
        const bool is_short = relative_speed(m, pair, m.p) < 0.5 * radii;
        ++tally.clear;
        tally.clear_short += is_short ? 1 : 0;
        tally.held_in_vain += held ? 1 : 0;
        tally.held_in_vain_short += held && is_short ? 1 : 0;
    }
}

Tally storm(Shape first, Shape second, int style, int cases, std::uint64_t seed) {
    Random random{seed + static_cast<std::uint64_t>(style)};
    Moving m;
    CertifyScratch scratch;
    std::vector<Vec3> p;
    Tally tally;
    for (int i = 0; i < cases / share; ++i) {
        if (draw_pair(random, style, first, second, m)) judge_pair(m, scratch, p, tally);
    }
    return tally;
}

void expect_sound(Shape first, Shape second, int cases, std::uint64_t seed) {
    int would_cross = 0, total = 0, clear = 0, clear_short = 0, in_vain = 0;
    for (int style = 0; style < styles; ++style) {
        SCOPED_TRACE(style_names[style]);
        const Tally t = storm(first, second, style, cases / styles, seed);
        EXPECT_EQ(t.cross, 0) << "of " << t.cases;
        EXPECT_EQ(t.passed_points, 0) << "of " << t.cases;
        EXPECT_EQ(t.off_the_way, 0) << "of " << t.cases;
        EXPECT_EQ(t.held_in_vain_short, 0) << "of " << t.clear_short << " that stay apart";
        EXPECT_GE(t.held, t.would_cross);
        would_cross += t.would_cross;
        clear += t.clear;
        in_vain += t.held_in_vain;
        clear_short += t.clear_short;
        total += t.cases;
    }
    EXPECT_GT(would_cross, total / 10) << "without certify they must cross";
    EXPECT_GT(clear, total / 10);
    EXPECT_GT(clear_short, total / 100);
    // Ways of many radii past something as near as a hundredth of them: the safe steps run out.
    EXPECT_LE(in_vain, clear / 100) << "of " << clear << " that stay apart";
    ::testing::Test::RecordProperty("cases", total);
    ::testing::Test::RecordProperty("held_in_vain", in_vain);
    ::testing::Test::RecordProperty("would_cross", would_cross);
}

TEST(Certify, CapsuleAndCapsule) {
    expect_sound(Shape::capsule, Shape::capsule, 560'000, 101);
}
TEST(Certify, CapsuleAndTriangle) {
    expect_sound(Shape::capsule, Shape::triangle, 210'000, 202);
}
TEST(Certify, SphereAndCapsule) {
    expect_sound(Shape::point, Shape::capsule, 280'000, 303);
}
TEST(Certify, SphereAndSphere) {
    expect_sound(Shape::point, Shape::point, 140'000, 404);
}
TEST(Certify, SphereAndTriangle) {
    expect_sound(Shape::point, Shape::triangle, 105'000, 505);
}

}  // namespace
}  // namespace plica::testing
