#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contacts.hpp"
#include "core/random.hpp"
#include "geometry/closest.hpp"

// The responses that are there for reproduction only do what they say, and fail where the papers' text fails.
namespace plica::testing {
namespace {

// Two capsules that overlap, with what the equations need: weights, u from the second to the first, D.
struct Overlap {
    Bench bench;
    double weight[4] = {};
    Vec3 u;
    double distance = 0.0, radii = 0.0, room = 0.0, speed = 0.0;
};

Vec3 somewhere(Random& random) {
    const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
    return {a, b, random.uniform(-1, 1)};
}

Overlap random_overlap(Random& random) {
    for (;;) {
        Overlap o;
        for (int n = 0; n < 4; ++n) {
            const Vec3 where = somewhere(random);
            o.bench.add_node(where, 1.0 / random.uniform(0.1, 10.0), somewhere(random));
        }
        o.bench.add_capsule(0, 1, 0.5);
        o.bench.add_capsule(2, 3, 0.7);
        o.radii = 1.2;
        const auto& x = o.bench.x;
        const SegmentPair c = closest_segment_segment(x[0], x[1], x[2], x[3]);
        o.distance = std::sqrt(c.squared_distance);
        if (o.distance < 1e-3 || o.distance > 0.999 * o.radii) continue;
        const double weight[4] = {1.0 - c.s, c.s, c.t - 1.0, -c.t};
        Vec3 between{}, speed{};
        for (std::size_t n = 0; n < 4; ++n) {
            o.weight[n] = weight[n];
            o.room += weight[n] * weight[n] * o.bench.w[n];
            between += x[n] * weight[n];
            speed += o.bench.v[n] * weight[n];
        }
        o.u = normalized(between);
        o.speed = dot(speed, o.u);
        return o;
    }
}

// What is wrong after a response: momentum gained, approach left, distance from r1 + r2, energy gained.
struct Errors {
    double momentum = 0.0, approach = 0.0, distance = 0.0, energy = 0.0;

    void take_worst(const Overlap& o, const Bench& after) {
        Vec3 push{}, between{}, speed{};
        double gained = 0.0;
        for (std::size_t n = 0; n < 4; ++n) {
            const double m = 1.0 / after.w[n];
            push += (after.v[n] - o.bench.v[n]) * m;
            gained += 0.5 * m * (squared_norm(after.v[n]) - squared_norm(o.bench.v[n]));
            between += after.p[n] * o.weight[n];
            speed += after.v[n] * o.weight[n];
        }
        momentum = std::max(momentum, norm(push));
        approach = std::max(approach, -dot(speed, o.u));
        distance = std::max(distance, std::abs(dot(between, o.u) - o.radii));
        energy = std::max(energy, gained);
    }
};

Errors find_errors(ResponseKind response) {
    Random random{11};
    Errors worst;
    for (int round = 0; round < 1000; ++round) {
        const Overlap o = random_overlap(random);
        Bench after = o.bench;
        after.settings.response = response;
        after.detect();
        after.respond_raghupathi();
        worst.take_worst(o, after);
    }
    return worst;
}

TEST(PrintedResponse, IsWhatThePaperPrints) {
    Random random{12};
    int pulls = 0;
    for (int round = 0; round < 500; ++round) {
        const Overlap o = random_overlap(random);
        Bench after = o.bench;
        after.settings.response = ResponseKind::raghupathi_printed;
        after.detect();
        after.respond_raghupathi();
        const double f = -o.speed / o.room;                // 2004, eq. 7
        const double g = (o.distance + o.radii) / o.room;  // 2004, eq. 9
        pulls += f < 0.0 ? 1 : 0;
        for (std::size_t n = 0; n < 4; ++n) {  // 2004, eq. 4: plus everywhere
            const double share = std::abs(o.weight[n]) * o.bench.w[n];
            ASSERT_LT(distance(after.v[n], o.bench.v[n] + o.u * (share * f)), 1e-11);
            ASSERT_LT(distance(after.p[n], o.bench.x[n] + o.u * (share * g)), 1e-11);
        }
    }
    EXPECT_GT(pulls, 100);  // separating pairs are held together as well
}

TEST(PrintedResponse, FailsWhatTheCorrectedOnePasses) {
    const Errors right = find_errors(ResponseKind::raghupathi);
    EXPECT_LT(right.momentum, 1e-12);
    EXPECT_LT(right.approach, 1e-12);
    EXPECT_LT(right.distance, 1e-12);
    EXPECT_LT(right.energy, 1e-12);
    const Errors printed = find_errors(ResponseKind::raghupathi_printed);
    EXPECT_GT(printed.momentum, 0.1);
    EXPECT_GT(printed.approach, 0.1);
    EXPECT_GT(printed.distance, 0.1);
    EXPECT_GT(printed.energy, 0.1);
}

constexpr double stiffness = 2000.0;

Bench respond_by_penalty(Bench bench, double h) {
    bench.settings.response = ResponseKind::penalty;
    bench.settings.penalty_stiffness = stiffness;
    const std::vector<double> radius(bench.x.size(), -1.0);
    ContactWorld world{bench.surface, {}, radius, bench.w, bench.settings, h, bench.x, bench.p, bench.list, {}, {}};
    forget_pairs(world, bench.scratch);
    begin_penalty(world, bench.scratch, bench.v);
    finish(world, bench.scratch);
    return bench;
}

TEST(PenaltyResponse, IsASpringWhereThingsOverlap) {
    Random random{13};
    for (int round = 0; round < 500; ++round) {
        Overlap o = random_overlap(random);
        for (Vec3& v : o.bench.v) v = {};  // no dashpot
        o.bench.detect();
        for (const double h : {1e-3, 2e-3}) {
            const Bench after = respond_by_penalty(o.bench, h);
            const double push = h * h * stiffness * (o.radii - o.distance);
            Vec3 shift{};
            for (std::size_t n = 0; n < 4; ++n) {
                const Vec3 moved = after.p[n] - o.bench.x[n];
                ASSERT_LT(distance(moved, o.u * (o.weight[n] * o.bench.w[n] * push)), 1e-12);
                shift += moved / o.bench.w[n];
            }
            ASSERT_LT(norm(shift), 1e-12);  // momentum is kept
            ASSERT_NEAR(after.list.pairs[0].push, push, 1e-12);
        }
    }
}

TEST(PenaltyResponse, LeavesWhatIsApartAndNeverPulls) {
    Random random{14};
    for (int round = 0; round < 200; ++round) {
        Overlap o = random_overlap(random);
        Bench apart = o.bench;
        for (Capsule& c : apart.surface.capsules) c.radius *= 0.99 * o.distance / o.radii;
        apart.detect(1.0);
        ASSERT_EQ(respond_by_penalty(apart, 1e-3).p, apart.x);
        for (std::size_t n = 0; n < 4; ++n) o.bench.v[n] = o.u * (n < 2 ? 1e6 : -1e6);  // flies apart
        o.bench.detect();
        ASSERT_EQ(respond_by_penalty(o.bench, 1e-3).p, o.bench.x);
    }
}

// In a large step the spring throws: the distance it asks for is exceeded many times. In a small one it does not.
TEST(PenaltyResponse, OvershootsInLargeSteps) {
    Random random{15};
    Overlap o = random_overlap(random);
    for (double& w : o.bench.w) w = 50.0;
    for (Vec3& v : o.bench.v) v = {};
    o.bench.detect();
    const auto gap = [&](double h) {
        const Bench after = respond_by_penalty(o.bench, h);
        Vec3 between{};
        for (std::size_t n = 0; n < 4; ++n) between += after.p[n] * o.weight[n];
        return dot(between, o.u) - o.radii;
    };
    EXPECT_LT(gap(1e-3), 0.0);
    EXPECT_GT(gap(1.0 / 30.0), 5.0 * (o.radii - o.distance));
}

// A corner of a solid and a facet of another one. The corner is node 0, or the last when the facet's body comes first.
Bench corner_on_facet(Random& random, bool corner_first) {
    Bench bench;
    const auto mass = [&] { return 1.0 / random.uniform(0.1, 10.0); };
    const Vec3 corner{random.uniform(0.1, 0.4), random.uniform(0.1, 0.4), random.uniform(0.05, 0.15)};
    if (corner_first) bench.add_node(corner, mass());
    for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) bench.add_node(at, mass());
    if (!corner_first) bench.add_node(corner, mass());
    const std::int32_t c = corner_first ? 0 : 3, t = corner_first ? 1 : 0;
    Capsule part{c, c, 0.1, 0, -1, 0, 0, false};
    part.sheet = true;
    bench.surface.capsules.push_back(part);
    bench.surface.triangles.push_back({t, t + 1, t + 2, 0.1, 1, -1, -1, -1, true, true});
    bench.surface.parts.corners = 1;
    bench.list.pairs.push_back({});
    bench.list.pairs[0].a = 0;
    bench.list.pairs[0].b = 1;
    bench.p = bench.x;
    return bench;
}

void respond_johnsen(Bench& bench, int first_pass, int passes) {
    bench.settings.response = ResponseKind::johnsen;
    const std::vector<double> radius(bench.x.size(), -1.0);
    ContactWorld world{bench.surface, {}, radius, bench.w, bench.settings, 1e-3, bench.x, bench.p, bench.list, {}, {}};
    forget_pairs(world, bench.scratch);
    begin_johnsen(world, bench.scratch);
    for (int k = first_pass; k < first_pass + passes; ++k) sweep_johnsen(world, bench.scratch, k);
    finish(world, bench.scratch);
}

// Johnsen 2012, eq. 9: f_s = -n beta m_s g / dt^2, (f_m)_i = n beta m_i g gamma_i / dt^2, beta = 0.5.
TEST(JohnsensResponse, IsWhatThePaperPrints) {
    Random random{21};
    for (int round = 0; round < 200; ++round) {
        const bool first = round % 2 == 0;
        Bench bench = corner_on_facet(random, first);
        const std::size_t s = first ? 0 : 3, m = first ? 1 : 0;
        const Vec3 corner = bench.x[s];
        const double g = corner.z - 0.2;
        const double b[3] = {1.0 - corner.x - corner.y, corner.x, corner.y};
        const double squares = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
        respond_johnsen(bench, first ? 0 : 1, 1);
        ASSERT_LT(distance(bench.p[s], corner - Vec3{0, 0, 0.5 * g}), 1e-14);
        Vec3 place{};
        for (std::size_t i = 0; i < 3; ++i) {
            ASSERT_LT(distance(bench.p[m + i], bench.x[m + i] + Vec3{0, 0, 0.5 * g * b[i] / squares}), 1e-14);
            place += bench.p[m + i] * b[i];
        }
        ASSERT_NEAR(bench.p[s].z - place.z, 0.2, 1e-14) << "gamma is right: the gap is closed";
    }
}

TEST(JohnsensResponse, ChangesRolesFromPassToPass) {
    Random random{22};
    for (const bool first : {true, false}) {
        Bench bench = corner_on_facet(random, first);
        respond_johnsen(bench, first ? 1 : 0, 1);  // the corner's body is the master
        EXPECT_EQ(bench.p, bench.x);
        respond_johnsen(bench, first ? 1 : 0, 2);
        EXPECT_NE(bench.p, bench.x);
    }
}

TEST(JohnsensResponse, LeavesWhatIsHeldAndWhatIsApart) {
    Random random{23};
    Bench facet_held = corner_on_facet(random, true);
    for (std::size_t n = 1; n < 4; ++n) facet_held.w[n] = 0.0;
    respond_johnsen(facet_held, 0, 1);
    EXPECT_NEAR(facet_held.p[0].z, 0.2, 1e-14) << "beta is 1 against what is rigid";
    for (std::size_t n = 1; n < 4; ++n) EXPECT_EQ(facet_held.p[n], facet_held.x[n]);

    Bench corner_held = corner_on_facet(random, true);
    corner_held.w[0] = 0.0;
    respond_johnsen(corner_held, 0, 1);
    EXPECT_EQ(corner_held.p[0], corner_held.x[0]);
    EXPECT_LT(corner_held.p[1].z, 0.0);

    Bench apart = corner_on_facet(random, true);
    apart.x[0].z = apart.p[0].z = 0.21;
    respond_johnsen(apart, 0, 2);
    EXPECT_EQ(apart.p, apart.x);
}

// What it shares with the paper's equation: the sum of forces is not zero. Ours is.
TEST(JohnsensResponse, DoesNotKeepMomentum) {
    Random random{24};
    double printed = 0.0, ours = 0.0;
    for (int round = 0; round < 100; ++round) {
        const Bench bench = corner_on_facet(random, true);
        const auto gained = [&](const Bench& after) {
            Vec3 sum{};
            double size = 0.0;
            for (std::size_t n = 0; n < 4; ++n) {
                sum += (after.p[n] - after.x[n]) / after.w[n];
                size = std::max(size, norm(after.p[n] - after.x[n]) / after.w[n]);
            }
            return norm(sum) / size;
        };
        Bench by_print = bench;
        respond_johnsen(by_print, 0, 1);
        printed += gained(by_print) / 100.0;
        Bench by_us = bench;
        by_us.x[0].z = 0.25;  // ours lets an old penetration be
        const std::vector<double> radius(4, -1.0);
        ContactWorld world{by_us.surface, {},         radius, by_us.w, by_us.settings, 1e-3, by_us.x,
                           by_us.p,       by_us.list, {},     {}};
        by_us.settings.friction = 0.0;
        forget_pairs(world, by_us.scratch);
        warm_start(world, by_us.scratch);
        sweep(world, by_us.scratch);
        by_us.x[0].z = bench.x[0].z;
        ours = std::max(ours, gained(by_us));
    }
    EXPECT_GT(printed, 0.2);
    EXPECT_LT(ours, 1e-12);
}

SceneDescription fast_pile(const std::vector<std::string>& overrides) {
    std::vector<std::string> all{"gut.noise=3", "solver.substeps=4"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return read_scene(find_scene("intestine-pile", all));
}

TEST(Adapt, CanBeSwitchedOff) {
    World adapting = make_world(fast_pile({}));
    World fixed = make_world(fast_pile({"solver.adapt=false"}));
    const Inputs inputs = quiet_inputs(fast_pile({}));
    EXPECT_GT(adapting.step(inputs).substeps, 4);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(fixed.step(inputs).substeps, 4);
}

TEST(ReproductionResponses, DoNotDependOnTheInstructionSet) {
    for (const char* response : {"raghupathi_printed", "johnsen", "penalty"}) {
        const SceneDescription scene =
            fast_pile({std::string("solver.response=") + response, "solver.adapt=false", "solver.certify=false"});
        std::vector<std::uint64_t> hashes;
        for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
            if (!is_available(isa)) continue;
            Built built = build_scene(scene, 1);
            World world(std::move(built.model), std::move(built.state), 1, isa);
            double contacts = 0.0;
            std::uint64_t hash = 0;
            for (int i = 0; i < 15; ++i) {
                const StepReport report = world.step(quiet_inputs(scene));
                hash = report.hash;
                contacts += report.contacts;
            }
            EXPECT_GT(contacts, 1.0) << response;
            hashes.push_back(hash);
        }
        for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]) << response;
    }
}

}  // namespace
}  // namespace plica::testing
