#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "geometry/closest.hpp"
#include "tests/contact/contacts.hpp"

// The responses that are there for reproduction only do what they say, and fail where the papers' text fails.
namespace plica::testing {
namespace {

// Two capsules that overlap, with what the equations need: weights, u from the second to the first, D.
struct KindOverlap {
    Bench bench;
    double weight[4] = {};
    Vec3 u;
    double distance = 0.0, radii = 0.0, compliance = 0.0, speed = 0.0;
};

Vec3 anywhere(Random& random) {
    const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
    return {a, b, random.uniform(-1, 1)};
}

KindOverlap random_kind_overlap(Random& random) {
    for (;;) {
        KindOverlap o;
        for (int n = 0; n < 4; ++n) {
            const Vec3 where = anywhere(random);
            o.bench.add_node(where, 1.0 / random.uniform(0.1, 10.0), anywhere(random));
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
            o.compliance += weight[n] * weight[n] * o.bench.w[n];
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

    void take_worst(const KindOverlap& o, const Bench& after) {
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
        const KindOverlap o = random_kind_overlap(random);
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
        const KindOverlap o = random_kind_overlap(random);
        Bench after = o.bench;
        after.settings.response = ResponseKind::raghupathi_printed;
        after.detect();
        after.respond_raghupathi();
        const double f = -o.speed / o.compliance;                // 2004, eq. 7
        const double g = (o.distance + o.radii) / o.compliance;  // 2004, eq. 9
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
        KindOverlap o = random_kind_overlap(random);
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
        KindOverlap o = random_kind_overlap(random);
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
    KindOverlap o = random_kind_overlap(random);
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

// From bench.x and v to bench.p, where other forces take the nodes, and what reaction makes of it.
Bench respond_by_reaction(Bench bench, double h, double rate) {
    bench.settings.response = ResponseKind::reaction;
    bench.settings.reaction_rate = rate;
    const std::vector<double> radius(bench.x.size(), -1.0);
    ContactWorld world{bench.surface, {}, radius, bench.w, bench.settings, h, bench.x, bench.p, bench.list, {}, {}};
    forget_pairs(world, bench.scratch);
    begin_raghupathi(world, bench.scratch);
    react(world, bench.scratch, bench.v);
    finish(world, bench.scratch);
    return bench;
}

double along(const KindOverlap& o, const std::vector<Vec3>& to, const std::vector<Vec3>& from) {
    double sum = 0.0;
    for (std::size_t n = 0; n < 4; ++n) sum += o.weight[n] * dot(to[n] - from[n], o.u);
    return sum;
}

TEST(ReactionResponse, TakesForcesAwayAndPutsCriticalDampingInTheirPlace) {
    Random random{16};
    constexpr double h = 1e-3, rate = 100.0;
    int closed = 0;
    for (int round = 0; round < 500; ++round) {
        KindOverlap o = random_kind_overlap(random);
        o.bench.detect();
        for (std::size_t n = 0; n < 4; ++n) o.bench.p[n] += h * o.bench.v[n] + h * h * 2e4 * anywhere(random);
        const Bench after = respond_by_reaction(o.bench, h, rate);
        const double free = along(o, o.bench.p, o.bench.x), forced = free - h * o.speed;
        const double damped = -2.0 * rate * h * h * o.speed - rate * h * rate * h * (o.distance - o.radii);
        EXPECT_NEAR(along(o, after.p, after.x), free - std::min(0.0, forced) + damped, 1e-12);
        closed += forced < 0.0 ? 1 : 0;
        Vec3 momentum{};
        for (std::size_t n = 0; n < 4; ++n) momentum += (after.p[n] - o.bench.p[n]) / o.bench.w[n];
        EXPECT_LT(norm(momentum), 1e-11);
    }
    EXPECT_GT(closed, 100);
    EXPECT_LT(closed, 400);  // others are pulled apart, and go
}

// Two tubes that cross at right angles and overlap, with nothing else on them: their overlap after 40 steps and the
// most that they ever parted, both over the first overlap.
std::array<double, 2> let_settle(double part_of_rate) {
    Bench bench;
    for (const Vec3& x : {Vec3{-1, 0, 1}, Vec3{1, 0, 1}, Vec3{0, -1, 0}, Vec3{0, 1, 0}}) bench.add_node(x, 1.0);
    bench.add_capsule(0, 1, 0.5);
    bench.add_capsule(2, 3, 0.7);
    const double h = 1e-3, radii = 1.2, first = radii - 1.0;
    double parted = 0.0;
    for (int i = 0; i < 40; ++i) {
        bench.detect(1.0);
        for (std::size_t n = 0; n < 4; ++n) bench.p[n] = bench.x[n] + h * bench.v[n];
        bench = respond_by_reaction(bench, h, part_of_rate / h);
        for (std::size_t n = 0; n < 4; ++n) bench.v[n] = (bench.p[n] - bench.x[n]) / h;
        bench.x = bench.p;
        parted = std::max(parted, (bench.x[0].z - bench.x[2].z - radii) / first);
    }
    return {(radii - bench.x[0].z + bench.x[2].z) / first, parted};
}

// Without bouncing as long as the rate is slow for the step; a fast one throws.
TEST(ReactionResponse, BringsAPairToRestInShortStepsOnly) {
    const auto [left, parted] = let_settle(0.2);
    EXPECT_LT(left, 0.05);
    EXPECT_GT(left, 0.0);
    EXPECT_EQ(parted, 0.0);
    EXPECT_GT(let_settle(2.0)[1], 1.0);
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
    for (const char* response : {"raghupathi_printed", "johnsen", "penalty", "reaction"}) {
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
