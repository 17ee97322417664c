#include "contact/contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "contact/respond.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "geometry/closest.hpp"
#include "scene/audit/crossing.hpp"
#include "scene/build.hpp"
#include "scene/world.hpp"

namespace plica {
namespace {

constexpr double pi = 3.14159265358979323846;

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

Vec3 somewhere(Random& random, double size) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

// ================================================================================================================
// One pair and the printed response
// ================================================================================================================

// Nodes, one or more primitives over them, and one substep of contact without anything else.
struct Bench {
    Surface surface;
    std::vector<double> w;
    std::vector<Vec3> x, p, v;
    CandidateList list;
    ContactSettings settings;
    ContactScratch scratch;

    void add_node(const Vec3& where, double inverse_mass, const Vec3& velocity = {}) {
        x.push_back(where);
        w.push_back(inverse_mass);
        v.push_back(velocity);
    }
    void add_capsule(std::int32_t a, std::int32_t b, double radius) {
        surface.capsules.push_back({a, b, radius, 0, -1, 0, 0, false});
    }
    // Lists every pair within `margin` of x; the prediction is x.
    void detect(double margin = 0.0) {
        ThreadPool pool(1);
        DetectorScratch detector;
        const std::vector<std::uint8_t> enabled(surface.capsules.size(), 1);
        list.margin.assign(x.size(), margin);
        rebuild(list, DetectorKind::brute, surface, enabled, x, pool, detector);
        p = x;
    }
    void respond_raghupathi(int sweeps = 1) {
        const std::vector<double> radius(x.size(), -1.0);
        ContactWorld world{surface, {}, radius, w, settings, 1e-3, x, p, list, {}, {}};
        begin_raghupathi(world, scratch);
        for (int k = 0; k < sweeps; ++k) sweep_raghupathi(world, scratch, v);
        finish(world, scratch);
    }
};

struct Checks {
    double distance = 0.0;  // from r1 + r2, between the material points that were closest, along the normal
    double approach = 0.0;  // speed at which these points still come closer
    double linear = 0.0, angular = 0.0;  // momentum gained, by the velocities and by the displacements
    double energy = 0.0;                 // kinetic energy gained

    void take_worst(const Checks& o) {
        distance = std::max(distance, o.distance);
        approach = std::max(approach, o.approach);
        linear = std::max(linear, o.linear);
        angular = std::max(angular, o.angular);
        energy = std::max(energy, o.energy);
    }
};

double kinetic_energy(const std::vector<double>& w, const std::vector<Vec3>& v) {
    double sum = 0.0;
    for (std::size_t n = 0; n < w.size(); ++n) {
        if (w[n] > 0.0) sum += 0.5 * squared_norm(v[n]) / w[n];
    }
    return sum;
}

// weights: side a positive, side b negative, one per node; u from b to a.
Checks check(const Bench& before, const std::vector<Vec3>& p, const std::vector<Vec3>& v,
             const std::vector<double>& weights, const Vec3& u, double radii) {
    Checks result;
    Vec3 between{}, speed{}, push{}, turn{}, shift{}, twist{};
    bool pinned = false;
    for (std::size_t n = 0; n < weights.size(); ++n) {
        between += p[n] * weights[n];
        speed += v[n] * weights[n];
        if (before.w[n] == 0.0) {
            pinned = true;
            continue;
        }
        const double m = 1.0 / before.w[n];
        push += (v[n] - before.v[n]) * m;
        turn += cross(before.x[n] - Vec3{0.3, -0.7, 0.2}, (v[n] - before.v[n]) * m);
        shift += (p[n] - before.x[n]) * m;
        twist += cross(before.x[n] + Vec3{0.1, 0.5, -0.4}, (p[n] - before.x[n]) * m);
    }
    result.distance = std::abs(dot(between, u) - radii);
    result.approach = std::max(0.0, -dot(speed, u));
    if (!pinned) {  // what holds a pinned node takes its share
        result.linear = std::max(norm(push), norm(shift));
        result.angular = std::max(norm(turn), norm(twist));
    }
    result.energy = kinetic_energy(before.w, v) - kinetic_energy(before.w, before.v);
    return result;
}

// Nodes 0 1 and 2 3 are two capsules that overlap.
struct Overlap {
    Bench bench;
    std::vector<double> weights;
    Vec3 u;
    double distance = 0.0, radii = 0.0;
    double speed = 0.0;  // of the closest points against each other, along u
};

Overlap random_overlap(Random& random, bool unit_masses = false) {
    for (;;) {
        Overlap o;
        for (int n = 0; n < 4; ++n) {
            const Vec3 where = somewhere(random, 1.0);
            const double mass = unit_masses ? 1.0 : random.uniform(0.1, 10.0);
            o.bench.add_node(where, 1.0 / mass, somewhere(random, 1.0));
        }
        const double r1 = random.uniform(0.2, 1.2), r2 = random.uniform(0.2, 1.2);
        o.bench.add_capsule(0, 1, r1);
        o.bench.add_capsule(2, 3, r2);
        o.radii = r1 + r2;
        const auto& x = o.bench.x;
        const SegmentPair c = closest_segment_segment(x[0], x[1], x[2], x[3]);
        o.distance = std::sqrt(c.squared_distance);
        if (o.distance < 1e-3 || o.distance > 0.999 * o.radii) continue;
        o.weights = {1.0 - c.s, c.s, c.t - 1.0, -c.t};
        Vec3 between{};
        Vec3 speed{};
        for (std::size_t n = 0; n < 4; ++n) {
            between += x[n] * o.weights[n];
            speed += o.bench.v[n] * o.weights[n];
        }
        o.u = normalized(between);
        o.speed = dot(speed, o.u);
        return o;
    }
}

TEST(Raghupathi, OneResponseSettlesAPair) {
    Random random{1};
    Checks worst;
    double measured = 0.0;  // what a new search for the closest points says
    int separating = 0;
    for (int round = 0; round < 2000; ++round) {
        Overlap o = random_overlap(random);
        const Bench before = o.bench;
        o.bench.detect();
        ASSERT_EQ(o.bench.list.pairs.size(), 1u);
        o.bench.respond_raghupathi();
        worst.take_worst(check(before, o.bench.p, o.bench.v, o.weights, o.u, o.radii));
        const auto& p = o.bench.p;
        const double now = std::sqrt(closest_segment_segment(p[0], p[1], p[2], p[3]).squared_distance);
        measured = std::max(measured, std::abs(now / o.radii - 1.0));
        ASSERT_LE(now, o.radii + 1e-12);  // never pushed further than to touch
        if (o.speed >= 0.0) {
            ++separating;
            ASSERT_EQ(o.bench.v, before.v);
            ASSERT_EQ(o.bench.list.pairs[0].push, 0.0);
        } else {
            ASSERT_GT(o.bench.list.pairs[0].push, 0.0);
        }
    }
    RecordProperty("distance_measured_anew", std::to_string(measured));
    EXPECT_GT(separating, 500);
    EXPECT_LT(separating, 1500);
    EXPECT_LT(worst.distance, 1e-12);
    EXPECT_LT(worst.approach, 1e-12);
    EXPECT_LT(worst.linear, 1e-12);
    EXPECT_LT(worst.angular, 1e-12);
    EXPECT_LT(worst.energy, 1e-12);
}

TEST(Raghupathi, PairsApartAreLeftAlone) {
    Random random{2};
    for (int round = 0; round < 500; ++round) {
        Overlap o = random_overlap(random);
        o.bench.surface.capsules[0].radius *= 0.99 * o.distance / o.radii;
        o.bench.surface.capsules[1].radius *= 0.99 * o.distance / o.radii;
        const Bench before = o.bench;
        o.bench.detect(1.0);
        ASSERT_EQ(o.bench.list.pairs.size(), 1u);
        o.bench.respond_raghupathi();
        ASSERT_EQ(o.bench.p, before.x);
        ASSERT_EQ(o.bench.v, before.v);
        ASSERT_EQ(o.bench.list.pairs[0].side, Vec3{});
    }
}

TEST(Raghupathi, PinnedNodes) {
    Random random{3};
    const std::vector<std::vector<std::size_t>> pinnings{{0}, {3}, {0, 1}, {2, 3}, {1, 2}, {0, 1, 2}};
    for (const auto& pinned : pinnings) {
        Checks worst;
        int solved = 0;
        for (int round = 0; round < 500; ++round) {
            Overlap o = random_overlap(random);
            for (const std::size_t n : pinned) {
                o.bench.w[n] = 0.0;
                o.bench.v[n] = {};
            }
            const Bench before = o.bench;
            o.bench.detect();
            o.bench.respond_raghupathi();
            for (const std::size_t n : pinned) {
                ASSERT_EQ(o.bench.p[n], before.x[n]);
                ASSERT_EQ(o.bench.v[n], before.v[n]);
            }
            double room = 0.0;
            for (std::size_t n = 0; n < 4; ++n) room += o.weights[n] * o.weights[n] * before.w[n];
            if (room == 0.0) {  // only pinned ends meet
                ASSERT_EQ(o.bench.p, before.x);
                ASSERT_EQ(o.bench.v, before.v);
                continue;
            }
            if (room < 1e-4) continue;  // a long lever: rounding is magnified
            ++solved;
            worst.take_worst(check(before, o.bench.p, o.bench.v, o.weights, o.u, o.radii));
        }
        EXPECT_GT(solved, 200);
        EXPECT_LT(worst.distance, 1e-12);
        EXPECT_LT(worst.approach, 1e-12);
        EXPECT_LT(worst.energy, 1e-12);
    }
}

TEST(Raghupathi, BothPinned) {
    Random random{4};
    for (int round = 0; round < 200; ++round) {
        Overlap o = random_overlap(random);
        for (double& w : o.bench.w) w = 0.0;
        const Bench before = o.bench;
        o.bench.detect();
        o.bench.respond_raghupathi();
        ASSERT_EQ(o.bench.p, before.x);
        ASSERT_EQ(o.bench.v, before.v);
    }
}

TEST(Raghupathi, UnitMassesAreThePaperOf2003) {
    Random random{5};
    for (int round = 0; round < 1000; ++round) {
        Overlap o = random_overlap(random, true);
        const Bench before = o.bench;
        o.bench.detect();
        o.bench.respond_raghupathi();
        const auto& x = before.x;
        const SegmentPair c = closest_segment_segment(x[0], x[1], x[2], x[3]);
        const double s = c.s, sb = 1.0 - c.s, t = c.t, tb = 1.0 - c.t;
        const double d = sb * sb + s * s + tb * tb + t * t;
        const Vec3 vc1 = before.v[0] * sb + before.v[1] * s, vc2 = before.v[2] * tb + before.v[3] * t;
        const double f = std::max(0.0, dot(vc2 - vc1, o.u) / d);  // 2003, eq. 6, never pulling
        const double g = (o.radii - o.distance) / d;              // 2003, eq. 8, corrected
        const std::array<double, 4> share{sb, s, -tb, -t};
        for (std::size_t n = 0; n < 4; ++n) {
            ASSERT_LT(distance(o.bench.v[n], before.v[n] + o.u * (share[n] * f)), 1e-13);
            ASSERT_LT(distance(o.bench.p[n], x[n] + o.u * (share[n] * g)), 1e-13);
        }
    }
}

// What the papers print: eq. 4 with plus for the second segment, eq. 9 with the distance added instead of subtracted.
TEST(Raghupathi, ThePrintedSignsFailTheSameChecks) {
    Random random{6};
    Checks right, plus, added;
    int approaching = 0, energy_gains = 0;
    for (int round = 0; round < 2000; ++round) {
        const Overlap o = random_overlap(random);
        const Bench& b = o.bench;
        double room = 0.0;
        for (std::size_t n = 0; n < 4; ++n) room += o.weights[n] * o.weights[n] * b.w[n];
        const double f = std::max(0.0, -o.speed / room);
        const auto respond = [&](double g, double sign_of_second) {
            std::vector<Vec3> p = b.x, v = b.v;
            for (std::size_t n = 0; n < 4; ++n) {
                const double share = (n < 2 ? 1.0 : -sign_of_second) * o.weights[n] * b.w[n];
                v[n] += o.u * (share * f);
                p[n] += o.u * (share * g);
            }
            return check(b, p, v, o.weights, o.u, o.radii);
        };
        right.take_worst(respond((o.radii - o.distance) / room, -1.0));
        const Checks first = respond((o.radii - o.distance) / room, 1.0);
        plus.take_worst(first);
        energy_gains += first.energy > 1e-12 ? 1 : 0;
        added.take_worst(respond((o.radii + o.distance) / room, -1.0));
        approaching += f > 0.0 ? 1 : 0;
    }
    EXPECT_GT(approaching, 500);
    EXPECT_LT(right.distance, 1e-12);
    EXPECT_LT(right.approach, 1e-12);
    EXPECT_LT(right.linear, 1e-12);
    EXPECT_LT(right.angular, 1e-12);
    EXPECT_LT(right.energy, 1e-12);
    EXPECT_GT(plus.distance, 0.1);
    EXPECT_GT(plus.approach, 0.1);
    EXPECT_GT(plus.linear, 0.1);
    EXPECT_GT(plus.angular, 0.1);
    EXPECT_GT(plus.energy, 0.1);
    EXPECT_GT(energy_gains, 100);
    EXPECT_GT(added.distance, 1.0);  // too far by 2 d
}

// ================================================================================================================
// Axes that meet, and the memory of sides
// ================================================================================================================

struct Meeting {
    std::string name;
    std::vector<Vec3> x;  // nodes 0 1 and 2 3
    bool first_is_sphere = false, second_is_sphere = false;
};

std::vector<Meeting> meetings() {
    return {{"cross", {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}},
            {"skewed", {{-1, -0.2, 0}, {0.7, 0.14, 0}, {0.3, -1, 0.5}, {-0.3, 1, -0.5}}},
            {"corner", {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 1}}},
            {"end on side", {{-1, 0, 0}, {1, 0, 0}, {0.2, 0, 0}, {0.2, 1, 1}}},
            {"same", {{0, 0, 0}, {1, 0.5, 0}, {0, 0, 0}, {1, 0.5, 0}}},
            {"opposite", {{0, 0, 0}, {0, 0, 2}, {0, 0, 2}, {0, 0, 0}}},
            {"in line", {{0, 0, 0}, {0, 2, 0}, {0, 1, 0}, {0, 3, 0}}},
            {"end to end", {{0, 0, 0}, {0, 2, 0}, {0, 2, 0}, {0, 3, 0}}},
            {"ball on axis", {{-1, 0, 0}, {1, 0, 0}, {0.3, 0, 0}, {5, 5, 5}}, false, true},
            {"ball first", {{0.3, 0, 0}, {5, 5, 5}, {-1, 0, 0}, {1, 0, 0}}, true, false},
            {"two balls", {{0.3, 0, 0}, {5, 5, 5}, {0.3, 0, 0}, {-5, 5, 5}}, true, true}};
}

Bench meet(const Meeting& meeting, const Vec3& side) {
    Bench b;
    for (const Vec3& x : meeting.x) b.add_node(x, 1.0, {0.1, -0.2, 0.3});
    b.add_capsule(0, meeting.first_is_sphere ? 0 : 1, 0.3);
    b.add_capsule(2, meeting.second_is_sphere ? 2 : 3, 0.2);
    b.detect();
    if (!b.list.pairs.empty()) b.list.pairs[0].side = side;
    b.respond_raghupathi();
    return b;
}

// From b to a, between the material points that met.
Vec3 parted(const Bench& b) {
    const Capsule& p = b.surface.capsules[0];
    const Capsule& q = b.surface.capsules[1];
    const SegmentPair c = closest_segment_segment(b.x[at(p.a)], b.x[at(p.b)], b.x[at(q.a)], b.x[at(q.b)]);
    return b.p[at(p.a)] * (1.0 - c.s) + b.p[at(p.b)] * c.s - b.p[at(q.a)] * (1.0 - c.t) - b.p[at(q.b)] * c.t;
}

double separation(const Bench& b) {
    const Capsule& c = b.surface.capsules[0];
    const Capsule& d = b.surface.capsules[1];
    return std::sqrt(closest_segment_segment(b.p[at(c.a)], b.p[at(c.b)], b.p[at(d.a)], b.p[at(d.b)]).squared_distance);
}

TEST(MeetingAxes, AreSeparatedByOneResponse) {
    for (const Meeting& meeting : meetings()) {
        SCOPED_TRACE(meeting.name);
        const Bench b = meet(meeting, {});
        ASSERT_EQ(b.list.pairs.size(), 1u);
        for (const Vec3& p : b.p) ASSERT_TRUE(is_finite(p));
        for (const Vec3& v : b.v) ASSERT_TRUE(is_finite(v));
        EXPECT_NEAR(norm(parted(b)), 0.5, 1e-12);
        EXPECT_GT(separation(b), 0.9 * 0.5);  // measured anew: the push turned the segments a little
        EXPECT_LE(separation(b), 0.5 + 1e-12);
        const Bench again = meet(meeting, {});
        EXPECT_EQ(b.p, again.p);
        EXPECT_EQ(b.v, again.v);
    }
}

TEST(MeetingAxes, AreSeparatedToTheRememberedSide) {
    for (const Meeting& meeting : meetings()) {
        SCOPED_TRACE(meeting.name);
        const Vec3 a = meeting.first_is_sphere ? Vec3{} : meeting.x[1] - meeting.x[0];
        const Vec3 b = meeting.second_is_sphere ? Vec3{} : meeting.x[3] - meeting.x[2];
        Vec3 across = normalized(cross(a, b));
        if (across == Vec3{})
            across = any_perpendicular(normalized(a == Vec3{} ? (b == Vec3{} ? Vec3{0, 0, 1} : b) : a));
        for (const Vec3& side : {across, -across}) {
            const Bench met = meet(meeting, side);
            ASSERT_EQ(met.list.pairs.size(), 1u);
            EXPECT_LT(distance(parted(met), side * 0.5), 1e-12);
            EXPECT_EQ(met.p, meet(meeting, side).p);
        }
    }
}

// Two capsules across each other, the first `height` above the second.
Bench crossed(double height, const Vec3& side) {
    Bench b;
    b.add_node({-1, 0, height}, 1.0);
    b.add_node({1, 0, height}, 0.5);
    b.add_node({0, -1, 0}, 0.8);
    b.add_node({0, 1, 0}, 1.3);
    b.add_capsule(0, 1, 0.3);
    b.add_capsule(2, 3, 0.2);
    b.detect();
    b.list.pairs.at(0).side = side;
    b.respond_raghupathi();
    return b;
}

double height_of_first(const Bench& b) {
    return 0.5 * (b.p[0].z + b.p[1].z) - 0.5 * (b.p[2].z + b.p[3].z);
}

TEST(SideMemory, AxesThatCrossedArePushedBack) {
    for (const double depth : {1e-9, 0.01, 0.1, 0.3, 0.49}) {
        SCOPED_TRACE(depth);
        EXPECT_NEAR(height_of_first(crossed(-depth, {0, 0, 1})), 0.5, 1e-9);
        EXPECT_NEAR(height_of_first(crossed(depth, {0, 0, -1})), -0.5, 1e-9);
        EXPECT_NEAR(height_of_first(crossed(depth, {0, 0, 1})), 0.5, 1e-9);
    }
}

TEST(SideMemory, WithoutItTheyArePushedThrough) {
    for (const double depth : {0.01, 0.1, 0.3, 0.49}) {
        EXPECT_NEAR(height_of_first(crossed(-depth, {})), -0.5, 1e-9);
        EXPECT_NEAR(height_of_first(crossed(depth, {})), 0.5, 1e-9);
    }
}

TEST(SideMemory, CrossingWithinTheSubstepIsUndone) {
    // The start of the substep knows the side, whatever happened before.
    for (const double below : {0.01, 0.3, 1.0, 40.0}) {
        Bench b;
        b.add_node({-1, 0, 0.6}, 1.0, {0, 0, -1});
        b.add_node({1, 0, 0.6}, 0.5, {0, 0, -1});
        b.add_node({0, -1, 0}, 0.8);
        b.add_node({0, 1, 0}, 1.3);
        b.add_capsule(0, 1, 0.3);
        b.add_capsule(2, 3, 0.2);
        b.detect(1.0 + below);
        b.p[0].z = b.p[1].z = -below;
        b.respond_raghupathi();
        EXPECT_NEAR(height_of_first(b), 0.5, 1e-9) << below;
        EXPECT_GT(b.list.pairs.at(0).side.z, 0.0);
    }
}

TEST(SideMemory, IsForgottenWhenApart) {
    Bench b = crossed(0.1, {0, 0, 1});
    b.x = b.p;
    for (const std::size_t n : {0u, 1u}) b.x[n].z += 0.1;
    b.p = b.x;
    b.respond_raghupathi();
    EXPECT_EQ(b.list.pairs.at(0).side, Vec3{});
}

// ================================================================================================================
// Which parts of one tube may touch
// ================================================================================================================

Built straight_rope(int segments) {
    SceneDescription scene;
    BodyDescription body;
    body.name = "rope";
    body.anatomy = "rope";
    body.rope.length = 4.0;
    body.rope.radius = 0.02;
    body.rope.segments = segments;
    body.mass_per_length = 0.5;
    body.axial_stiffness = 300.0;
    scene.bodies.push_back(body);
    return build_scene(scene, 1);
}

std::size_t count_contacts(const Surface& surface, const std::vector<Vec3>& x) {
    ThreadPool pool(1);
    DetectorScratch scratch;
    std::vector<Pair> found;
    const std::vector<std::uint8_t> enabled(surface.capsules.size(), 1);
    find_pairs_brute(surface, enabled, x, std::vector<double>(x.size(), 0.0), pool, scratch, found);
    return found.size();
}

// The point at arc length s of two straight legs and a half turn of this radius between them, from s = 0 on.
Vec3 on_u_turn(double s, double radius) {
    if (s < 0.0) return {-radius, s, 0};
    if (s > pi * radius) return {radius, pi * radius - s, 0};
    return {-radius * std::cos(s / radius), radius * std::sin(s / radius), 0};
}

// Nodes with equal chords h along the turn, as a rope at rest has them; one of them at arc length `first`.
std::vector<Vec3> bend_rope(int segments, double h, double first, double radius) {
    double s = first - 0.5 * segments * h;
    std::vector<Vec3> x{on_u_turn(s, radius)};
    while (x.size() <= at(segments)) {
        const auto reached = [&](double t) { return distance(on_u_turn(t, radius), x.back()) >= h; };
        double hi = s + h;
        while (!reached(hi)) hi += 1e-3 * h;
        double lo = hi - 1e-3 * h;
        for (int k = 0; k < 50; ++k) (reached(0.5 * (lo + hi)) ? hi : lo) = 0.5 * (lo + hi);
        s = hi;
        x.push_back(on_u_turn(s, radius));
    }
    return x;
}

TEST(Exclusion, ByArcLength) {
    const std::vector<std::pair<int, int>> table{{50, 1}, {100, 2}, {200, 4}, {400, 7}, {800, 13}};
    for (const auto& [segments, exclude] : table) {
        SCOPED_TRACE(segments);
        const Built built = straight_rope(segments);
        const auto& capsules = built.model.surface.capsules;
        ASSERT_EQ(capsules.size(), static_cast<std::size_t>(segments));
        for (const Capsule& c : capsules) ASSERT_EQ(c.exclude, exclude);
        EXPECT_EQ(count_contacts(built.model.surface, built.state.x), 0u);
        const double h = 4.0 / segments;
        for (int phase = 0; phase < 40; ++phase) {
            const std::vector<Vec3> x = bend_rope(segments, h, phase / 40.0 * h, 0.021);
            EXPECT_EQ(count_contacts(built.model.surface, x), 0u) << "phase " << phase;
        }
        // In a turn that is too tight the legs overlap.
        EXPECT_GT(count_contacts(built.model.surface, bend_rope(segments, h, 0.0, 0.018)), 0u);
    }
}

// ================================================================================================================
// Capsule and triangle
// ================================================================================================================

// Triangle 2 3 4 in the plane z = 0 and capsule 0 1.
Bench over_triangle(const Vec3& a, const Vec3& b, Random& random) {
    Bench bench;
    for (const Vec3& x : {a, b, Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{0, 1, 0}}) {
        bench.add_node(x, 1.0 / random.uniform(0.1, 10.0), somewhere(random, 1.0));
    }
    bench.add_capsule(0, 1, 0.2);
    bench.surface.triangles.push_back({2, 3, 4, 0.05, 1, -1, 0, 0});
    return bench;
}

void expect_settled(Bench bench, const Vec3& side, const Vec3& expected_normal, const char* what) {
    SCOPED_TRACE(what);
    const Bench before = bench;
    bench.detect();
    ASSERT_EQ(bench.list.pairs.size(), 1u);
    const SegmentTriangle c = closest_segment_triangle(bench.x[0], bench.x[1], bench.x[2], bench.x[3], bench.x[4]);
    const std::vector<double> weights{1.0 - c.s, c.s, -c.u, -c.v, -c.w};
    bench.list.pairs[0].side = side;
    bench.respond_raghupathi();
    const Vec3 n = normalized(expected_normal);
    const Checks result = check(before, bench.p, bench.v, weights, n, 0.25);
    EXPECT_LT(result.distance, 1e-12);
    EXPECT_LT(result.approach, 1e-12);
    EXPECT_LT(result.linear, 1e-12);
    EXPECT_LT(result.angular, 1e-12);
    EXPECT_LT(result.energy, 1e-12);
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_LT(norm(cross(bench.p[k] - before.x[k], n)), 1e-12);  // along the normal and nowhere else
    }
}

TEST(CapsuleTriangle, PushedOffFaceEdgeAndVertex) {
    Random random{7};
    for (int round = 0; round < 50; ++round) {
        // Over the face, one end lower.
        expect_settled(over_triangle({-0.1, -0.4, 0.1}, {0.2, -0.3, 0.6}, random), {}, {0, 0, 1}, "end over the face");
        expect_settled(over_triangle({-0.1, -0.4, -0.1}, {0.2, -0.3, -0.6}, random), {}, {0, 0, -1}, "from below");
        // Level above the face: the middle of the overlap or an end, but straight up.
        expect_settled(over_triangle({-0.1, -0.4, 0.1}, {0.2, -0.3, 0.1}, random), {}, {0, 0, 1}, "level");
        // Across the edge y = -1, outside: away from it, in the plane and out of it.
        expect_settled(over_triangle({-0.3, -1.1, 0.1}, {0.3, -1.1, 0.1}, random), {}, {0, -0.1, 0.1}, "along an edge");
        expect_settled(over_triangle({0.1, -1.1, -0.5}, {0.1, -1.1, 0.7}, random), {}, {0, -1, 0}, "across an edge");
        // Beyond the vertex at (0, 1, 0).
        expect_settled(over_triangle({0.0, 1.1, 0.1}, {0.0, 1.9, 0.9}, random), {}, {0, 0.1, 0.1}, "end at a vertex");
        expect_settled(over_triangle({-0.5, 1.15, 0}, {0.5, 1.15, 0}, random), {}, {0, 1, 0}, "side at a vertex");
    }
}

TEST(CapsuleTriangle, PiercedIsLeftOnTheRememberedSide) {
    Random random{8};
    for (int round = 0; round < 200; ++round) {
        const Vec3 through{random.uniform(-0.2, 0.2), random.uniform(-0.7, 0.0), 0};
        const Vec3 along = normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.2, 1.0)});
        const Vec3 a = through - along * random.uniform(0.05, 0.5), b = through + along * random.uniform(0.05, 0.5);
        expect_settled(over_triangle(a, b, random), {0, 0, 1}, {0, 0, 1}, "above");
        expect_settled(over_triangle(a, b, random), {0, 0, -1}, {0, 0, -1}, "below");
        expect_settled(over_triangle(a, b, random), normalized(Vec3{1, 1, 0.1}), {0, 0, 1}, "aslant above");
        expect_settled(over_triangle(a, b, random), normalized(Vec3{1, 1, -0.1}), {0, 0, -1}, "aslant below");
    }
}

TEST(CapsuleTriangle, PiercingWithinTheSubstepIsUndone) {
    Random random{9};
    for (const double side : {1.0, -1.0}) {
        for (const double below : {0.02, 0.3, 2.0}) {
            Bench b = over_triangle({-0.1, -0.4, 0.3 * side}, {0.2, -0.3, 0.3 * side}, random);
            b.detect(1.0 + below);
            b.p[0].z = -below * side;
            b.p[1].z = -below * side + 0.1 * side;
            for (double& w : b.w) w = 1.0;
            b.respond_raghupathi(20);
            ASSERT_EQ(b.list.pairs.size(), 1u);
            const Vec3 face = cross(b.p[3] - b.p[2], b.p[4] - b.p[2]);
            EXPECT_GT(dot(b.p[0] - b.p[2], face) * side, 0.0) << side << " " << below;
            EXPECT_GT(dot(b.p[1] - b.p[2], face) * side, 0.0) << side << " " << below;
        }
    }
}

// ================================================================================================================
// Whole steps of the consistent response
// ================================================================================================================

BodyDescription rope(const std::string& name, const Vec3& middle, const Vec3& direction, double length, int segments) {
    BodyDescription body;
    body.name = name;
    body.anatomy = "rope";
    body.rope.length = length;
    body.rope.radius = 0.02;
    body.rope.segments = segments;
    body.rope.direction = direction;
    body.rope.from = middle - normalized(direction) * (0.5 * length);
    body.mass_per_length = 0.5;
    body.axial_stiffness = 300.0;
    body.bending_stiffness = 3e-3;
    body.viscosity = 0.01;
    return body;
}

double momentum_scale(const Model& model, const State& state) {
    double sum = 0.0;
    for (std::size_t n = 0; n < model.nodes(); ++n) {
        if (model.inverse_mass[n] > 0.0) sum += norm(state.v[n]) / model.inverse_mass[n];
    }
    return sum;
}

Vec3 momentum(const Model& model, const State& state) {
    Vec3 sum{};
    for (std::size_t n = 0; n < model.nodes(); ++n) {
        if (model.inverse_mass[n] > 0.0) sum += state.v[n] / model.inverse_mass[n];
    }
    return sum;
}

// Axes that pass through each other between two frames of nodes, each node on a straight line.
int count_passes(const Surface& surface, std::span<const Vec3> from, std::span<const Vec3> to) {
    const auto path = [&](std::int32_t n) { return audit::Path{from[at(n)], to[at(n)]}; };
    int count = 0;
    for (std::size_t i = 0; i < surface.capsules.size(); ++i) {
        const Capsule& p = surface.capsules[i];
        for (std::size_t j = i + 1; j < surface.capsules.size(); ++j) {
            const Capsule& q = surface.capsules[j];
            if (p.body == q.body) continue;
            count += audit::edges_cross(path(p.a), path(p.b), path(q.a), path(q.b)) ? 1 : 0;
        }
        for (const Triangle& t : surface.triangles) {
            count += audit::edge_crosses_face(path(p.a), path(p.b), path(t.a), path(t.b), path(t.c)) ? 1 : 0;
        }
    }
    return count;
}

struct Crash {
    bool met = false;         // there was contact
    int passes = 0;           // axes that went through each other
    bool wrong_side = false;  // the triple product of the crossing changed its sign before a rope can swing around
    double momentum = 0.0;    // change, kg m/s, and as a share of the sum of m |v| where that exceeds 1 kg m/s
    double energy = 0.0;      // largest growth of the kinetic energy, as a share of what there was
};

// (p2 - p1) x (q2 - q1) . (p1 - q1) where the segments cross as seen from above; 0 where none does. The sign says which
// one is on top.
double triple_product(const Surface& surface, std::span<const Vec3> x) {
    double result = 0.0;
    for (const Capsule& p : surface.capsules) {
        for (const Capsule& q : surface.capsules) {
            if (p.body != 0 || q.body != 1) continue;
            const Vec3 d = x[at(p.b)] - x[at(p.a)], e = x[at(q.b)] - x[at(q.a)], r = x[at(p.a)] - x[at(q.a)];
            const double area = d.x * e.y - d.y * e.x;
            if (area == 0.0) continue;
            const double s = (e.x * r.y - e.y * r.x) / area, t = (d.x * r.y - d.y * r.x) / area;
            if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) continue;
            const double product = dot(cross(d, e), r) * (area > 0.0 ? 1.0 : -1.0);
            if (result == 0.0 || product < result) result = product;
        }
    }
    return result;
}

// `swing`: from this time on an end may legally have come around to the other side.
Crash run(World& world, int frames, double swing = 1e9) {
    Crash crash;
    const Model& model = world.model();
    const double scale = momentum_scale(model, world.state());
    const Vec3 before = momentum(model, world.state());
    const double energy = kinetic_energy(model.inverse_mass, world.state().v);
    const double side = triple_product(model.surface, world.state().x);
    const Inputs inputs{{}, {}};
    world.keep_trail(true);
    const std::size_t nodes = model.nodes();
    for (int frame = 0; frame < frames; ++frame) {
        const StepReport report = world.step(inputs);
        crash.met = crash.met || report.contacts > 0.0;
        if (!report.is_valid()) crash.passes += 1000;
        for (std::size_t k = 0; k + 1 < world.trail().size() / nodes; ++k) {
            const auto from = world.trail().subspan(k * nodes, nodes),
                       to = world.trail().subspan((k + 1) * nodes, nodes);
            crash.passes += count_passes(model.surface, from, to);
            const double time = (frame + static_cast<double>(k + 1) / report.substeps) * model.dt;
            if (side != 0.0 && time < swing && triple_product(model.surface, to) * side < 0.0) crash.wrong_side = true;
        }
        crash.momentum =
            std::max(crash.momentum, distance(momentum(model, world.state()), before) / std::max(1.0, scale));
        crash.energy = std::max(crash.energy, kinetic_energy(model.inverse_mass, world.state().v) / energy - 1.0);
    }
    return crash;
}

struct Encounter {
    std::string name;
    int segments;       // of each rope
    Vec3 offset;        // of the falling rope's middle
    Vec3 direction;     // of the falling rope
    Vec3 motion;        // its velocity for unit speed
    bool both = false;  // both move against each other
};

std::vector<Encounter> encounters() {
    return {{"rods, middle on middle", 1, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}},
            {"rods, off centre", 1, {0.07, 0.05, 0}, {1, 0.3, 0}, {0, 0, -1}, true},
            {"ropes, segment on segment", 9, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}},
            {"ropes, node on node", 10, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}, true},
            {"ropes, off centre", 10, {0.07, 0.05, 0}, {1, 0.3, 0}, {0, 0, -1}},
            {"ropes, aslant", 10, {0.013, 0.021, 0}, {1, 0.3, 0.1}, {0.3, 0.2, -0.933}}};
}

World crossing_ropes(const Encounter& meet, double speed, double gap, int substeps) {
    SceneDescription scene;
    scene.dt = 0.033;
    scene.substeps = substeps;
    // Where the falling rope meets the other, its axis is 2 r + gap above it.
    const double lean = meet.direction.z / meet.direction.x * meet.offset.x;
    const Vec3 flat = meet.motion.z != 0.0 ? Vec3{meet.motion.x, meet.motion.y, 0} * (gap / -meet.motion.z) : Vec3{};
    const Vec3 middle = meet.offset - flat + Vec3{0, 0, 0.04 + gap + lean};
    scene.bodies.push_back(rope("falling", middle, meet.direction, 0.4, meet.segments));
    scene.bodies.push_back(rope("other", {0, 0, 0}, {0, 1, 0}, 0.4, meet.segments));
    Built built = build_scene(scene, 1);
    const Body& falling = built.model.bodies[0];
    for (std::size_t n = 0; n < built.model.nodes(); ++n) {
        const bool first = n < at(falling.nodes);
        const double share = meet.both ? (first ? 0.5 : -0.5) : (first ? 1.0 : 0.0);
        built.state.v[n] = meet.motion * (share * speed);
    }
    return {std::move(built.model), std::move(built.state)};
}

void expect_held(const Encounter& meet, int substeps, int stride) {
    SCOPED_TRACE(meet.name);
    std::string passed, below, grew, lost;
    int met = 0, runs = 0;
    double worst_energy = 0.0, worst_momentum = 0.0;
    for (int k = 1; k <= 1200; k += stride) {
        const double speed = 0.05 * k;
        const double gap = 0.001 + 0.0007 * (k % 17);
        World world = crossing_ropes(meet, speed, gap, substeps);
        const double touch = gap / speed;  // the time of impact
        const Crash crash = run(world, static_cast<int>(std::ceil(touch / 0.033)) + 3, touch + 0.05 / speed);
        ++runs;
        met += crash.met ? 1 : 0;
        const std::string what = std::to_string(speed).substr(0, 5) + " ";
        if (crash.passes > 0) passed += what;
        if (crash.wrong_side) below += what;
        if (crash.energy > 1e-9) grew += what;
        if (crash.momentum > 1e-12) lost += what;
        worst_energy = std::max(worst_energy, crash.energy);
        worst_momentum = std::max(worst_momentum, crash.momentum);
    }
    EXPECT_EQ(met, runs);
    EXPECT_EQ(passed, "") << "passed through at these speeds, m/s";
    EXPECT_EQ(below, "") << "on the other side at these speeds, m/s";
    EXPECT_EQ(grew, "") << "kinetic energy grew at these speeds, by a share of up to " << worst_energy;
    EXPECT_EQ(lost, "") << "momentum changed at these speeds, by up to " << worst_momentum;
}

TEST(CrossingRopes, MiddleOnMiddle) {
    expect_held(encounters()[0], 1, 1);
    expect_held(encounters()[0], 20, 1);
}

TEST(CrossingRopes, TwentySubsteps) {
    for (const Encounter& meet : encounters()) expect_held(meet, 20, 7);
}

TEST(CrossingRopes, OneSubstep) {
    for (const Encounter& meet : encounters()) expect_held(meet, 1, 7);
}

// Side by side and not quite above each other: what a long substep does to the direction of the push.
TEST(ParallelRopes, EnergyNeverGrows) {
    for (const int substeps : {1, 20}) {
        for (const int segments : {1, 8}) {
            std::string grew;
            double most = 0.0;
            for (const double aside : {0.0, 0.003, 0.01, 0.02, 0.03, 0.038}) {
                for (int k = 1; k <= 1200; k += k < 60 ? 3 : 19) {
                    SceneDescription scene;
                    scene.dt = 0.033;
                    scene.substeps = substeps;
                    scene.contact.friction = 0.0;
                    const double speed = 0.05 * k, gap = 0.002;
                    scene.bodies.push_back(rope("falling", {aside, 0, 0.04 + gap}, {0, 1, 0}, 0.4, segments));
                    scene.bodies.push_back(rope("other", {0, 0, 0}, {0, 1, 0}, 0.4, segments));
                    Built built = build_scene(scene, 1);
                    for (int n = 0; n <= segments; ++n) built.state.v[at(n)] = Vec3{0.1, 0, -1} * speed;
                    World world(std::move(built.model), std::move(built.state));
                    const Crash crash = run(world, static_cast<int>(std::ceil(0.05 / speed / 0.033)) + 2);
                    if (crash.energy > 1e-9) {
                        grew += std::to_string(aside).substr(0, 5) + "@" + std::to_string(speed).substr(0, 4) + " ";
                    }
                    most = std::max(most, crash.energy);
                    EXPECT_LT(crash.momentum, 1e-12);
                }
            }
            EXPECT_EQ(grew, "") << substeps << " substeps, " << segments
                                << " segments: energy grew at these offsets and speeds, by a share of up to " << most;
        }
    }
}

// A free patch of membrane, five by five nodes over 16 cm, below a rope.
World rope_over_patch(double speed, double gap, const Vec3& offset, int substeps) {
    SceneDescription scene;
    scene.dt = 0.033;
    scene.substeps = substeps;
    scene.bodies.push_back(rope("rope", offset + Vec3{0, 0, 0.025 + gap}, {1, 0.2, 0}, 0.4, 10));
    Built built = build_scene(scene, 1);
    Model& model = built.model;
    constexpr int n = 5;
    const auto first = static_cast<std::int32_t>(model.nodes());
    const auto node = [&](int i, int j) { return first + i * n + j; };
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            model.rest.push_back({0.04 * (i - 2), 0.04 * (j - 2), 0});
            model.inverse_mass.push_back(250.0);
            model.contact_radius.push_back(0.005);
            model.column.push_back(-1);
            built.state.x.push_back(model.rest.back());
            built.state.v.push_back({});
        }
    }
    model.bodies.push_back({"patch", "mass_spring", first, n * n, {}});
    for (int i = 0; i + 1 < n; ++i) {
        for (int j = 0; j + 1 < n; ++j) {
            model.surface.triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1), 0.005, 1, -1, 0, 0});
            model.surface.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1), 0.005, 1, -1, 0, 0});
        }
    }
    mass_spring::Sheet sheet{static_cast<std::int32_t>(model.network.springs.size()), 0, n, n, {}, 0.01};
    const auto connect = [&](int i, int j, int next, int slot) {
        if (i + next >= n || slot >= n) return;
        const double rest = distance(model.rest[at(node(i, j))], model.rest[at(node(i + next, slot))]);
        model.network.springs.push_back({node(i, j), node(i + next, slot), rest, 300.0, 0.2, 1,
                                         static_cast<std::int16_t>(j), static_cast<std::int16_t>(slot), i, next == 1});
        ++sheet.count;
    };
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            sheet.node.push_back(node(i, j));
            connect(i, j, 0, j + 1);
            connect(i, j, 1, j);
            connect(i, j, 1, j + 1);
        }
    }
    model.network.sheets.push_back(std::move(sheet));
    model.tissue_nodes = model.nodes();
    for (std::size_t k = 0; k < at(first); ++k) built.state.v[k] = {0, 0, -speed};
    return {std::move(built.model), std::move(built.state)};
}

void expect_patch_held(int substeps, const std::vector<double>& speeds) {
    for (const Vec3& offset : {Vec3{}, Vec3{0.013, 0.007, 0}, Vec3{0.03, -0.05, 0}}) {
        std::string passed, grew, lost;
        double most = 0.0, off = 0.0;
        int met = 0;
        for (const double speed : speeds) {
            const double gap = 0.004;
            World world = rope_over_patch(speed, gap, offset, substeps);
            const Crash crash = run(world, static_cast<int>(std::ceil(gap / speed / 0.033)) + 3);
            met += crash.met ? 1 : 0;
            const std::string what = std::to_string(speed).substr(0, 5) + " ";
            if (crash.passes > 0) passed += what;
            if (crash.energy > 1e-9) grew += what;
            if (crash.momentum > 1e-12) lost += what;
            most = std::max(most, crash.energy);
            off = std::max(off, crash.momentum);
        }
        EXPECT_EQ(met, static_cast<int>(speeds.size()));
        EXPECT_EQ(passed, "") << "at " << offset.x << ": passed through at these speeds, m/s";
        EXPECT_EQ(grew, "") << "at " << offset.x << ": energy grew at these speeds, by up to " << most;
        EXPECT_EQ(lost, "") << "at " << offset.x << ": momentum changed at these speeds, by up to " << off;
    }
}

std::vector<double> patch_speeds() {
    std::vector<double> speeds;
    for (int k = 1; k <= 1200; k += 13) speeds.push_back(0.05 * k);
    return speeds;
}

TEST(RopeOnPatch, TwentySubsteps) {
    expect_patch_held(20, patch_speeds());
}

TEST(RopeOnPatch, OneSubstep) {
    expect_patch_held(1, patch_speeds());
}

// ================================================================================================================
// Walls, friction and rest
// ================================================================================================================

constexpr double gravity = 9.81;

struct Slope {
    double moved;         // m, down the slope within two seconds
    double acceleration;  // m/s^2, over the second of them
};

// A straight rope on a plane of this inclination, lying along or across the slope.
Slope slide(double angle, double friction, bool along, int substeps) {
    const Vec3 normal{std::sin(angle), 0, std::cos(angle)}, down{std::cos(angle), 0, -std::sin(angle)};
    SceneDescription scene;
    scene.substeps = substeps;
    Solid plane;
    plane.normal = normal;
    plane.friction = friction;
    scene.solids.push_back(plane);
    scene.bodies.push_back(rope("rope", normal * 0.02, along ? down : Vec3{0, 1, 0}, 0.4, 10));
    Built built = build_scene(scene, 1);
    const Vec3 start = built.state.x[5];
    World world(std::move(built.model), std::move(built.state));
    const Inputs inputs{{0, 0, -gravity}, {}};
    for (int frame = 0; frame < 30; ++frame) world.step(inputs);
    const double speed = dot(world.state().v[5], down);
    for (int frame = 0; frame < 30; ++frame) world.step(inputs);
    return {dot(world.state().x[5] - start, down), dot(world.state().v[5], down) - speed};
}

TEST(Friction, RopeOnAnInclinedPlane) {
    for (const int substeps : {5, 20}) {
        for (const double friction : {0.1, 0.4, 0.8}) {
            for (const bool along : {true, false}) {
                SCOPED_TRACE("friction " + std::to_string(friction) + (along ? " along" : " across"));
                const double limit = std::atan(friction);
                for (const double share : {0.3, 0.8, 0.97}) {
                    const Slope slope = slide(share * limit, friction, along, substeps);
                    EXPECT_LT(std::abs(slope.moved), 0.01 * 0.02) << share;
                    EXPECT_LT(std::abs(slope.acceleration), 1e-3) << share;
                }
                for (const double angle : {limit + 0.05, limit + 0.2, limit + 0.4}) {
                    const double expected = gravity * (std::sin(angle) - friction * std::cos(angle));
                    EXPECT_NEAR(slide(angle, friction, along, substeps).acceleration / expected, 1.0, 0.02) << angle;
                }
            }
        }
    }
}

TEST(Rest, TheWallCarriesTheWeight) {
    for (const int substeps : {5, 20}) {
        SceneDescription scene;
        scene.substeps = substeps;
        scene.drag = 1.0;
        scene.solids.push_back({});
        scene.bodies.push_back(rope("rope", {0, 0, 0.025}, {1, 0.5, 0}, 0.4, 10));
        Built built = build_scene(scene, 1);
        World world(std::move(built.model), std::move(built.state));
        for (int frame = 0; frame < 60; ++frame) world.step({{0, 0, -gravity}, {}});
        const double h = world.model().dt / substeps;
        double push = 0.0;
        for (const WallMemory& wall : world.state().walls) push += wall.push;
        EXPECT_NEAR(push / (h * h) / (0.4 * 0.5 * gravity), 1.0, 0.01);
        for (const Vec3& x : world.state().x) EXPECT_GT(x.z, 0.02 - 0.01 * 0.02);
        for (const Vec3& v : world.state().v) EXPECT_LT(norm(v), 1e-3);
    }
}

TEST(Rest, RopeAcrossARope) {
    SceneDescription scene;
    scene.drag = 1.0;
    scene.solids.push_back({});
    scene.bodies.push_back(rope("lower", {0.003, 0, 0.0201}, {1, 0, 0}, 0.4, 10));
    scene.bodies.push_back(rope("upper", {0, 0.004, 0.0603}, {0.2, 1, 0}, 0.4, 10));
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state));
    double worst = 0.0;
    const auto depth = [&] {
        double most = 0.0;
        const auto& x = world.state().x;
        for (const Capsule& p : world.model().surface.capsules) {
            for (const Capsule& q : world.model().surface.capsules) {
                if (p.body == q.body) continue;
                const SegmentPair c = closest_segment_segment(x[at(p.a)], x[at(p.b)], x[at(q.a)], x[at(q.b)]);
                most = std::max(most, p.radius + q.radius - std::sqrt(c.squared_distance));
            }
        }
        for (const Vec3& p : x) most = std::max(most, 0.02 - p.z);
        return most / 0.02;
    };
    for (int frame = 0; frame < 60; ++frame) {
        world.step({{0, 0, -gravity}, {}});
        worst = std::max(worst, depth());
    }
    RecordProperty("worst_depth", std::to_string(worst));
    RecordProperty("depth_at_rest", std::to_string(depth()));
    EXPECT_LT(depth(), 0.01);
    // The upper rope is still the upper one, held up at the crossing alone, and carried.
    double highest = 0.0;
    for (std::size_t n = 11; n < 22; ++n) highest = std::max(highest, world.state().x[n].z);
    EXPECT_GT(highest, 0.05);
    double carried = 0.0, pressed = 0.0;
    const double h = world.model().dt / world.model().substeps;
    for (const WallMemory& wall : world.state().walls) carried += wall.push / (h * h);
    for (const Pair& pair : world.state().candidates.pairs) pressed += pair.push / (h * h);
    EXPECT_NEAR(carried / (2.0 * 0.4 * 0.5 * gravity), 1.0, 0.01);
    EXPECT_GT(pressed, 0.2);
    for (const Vec3& v : world.state().v) EXPECT_LT(norm(v), 0.01);
}

}  // namespace
}  // namespace plica
