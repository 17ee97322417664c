#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/worlds.hpp"

// Momentum between two kinds of tissue: intestine-on-liver without anything around it. The gut is thrown at the liver,
// nothing holds either, and no gravity, drag or damping acts on the whole: what one gains the other must have lost.
namespace plica::testing {
namespace {

SceneDescription floating_scene(bool exact, ResponseKind response) {
    SceneDescription scene = read_scene(find_scene("intestine-on-liver"));
    scene.exact = exact;
    scene.gravity = {};
    scene.drag = 0.0;
    scene.walls.clear();
    scene.contact.response = response;
    scene.bodies[0].velocity = {0.1, 0.05, -1.0};
    scene.bodies[1].organ.damping = 0.0;  // of all motion, not only of the tissue against itself
    return scene;
}

struct Flight {
    bool valid = true;
    double change = 0.0;     // of the whole momentum, over the first, largest
    double exchanged = 0.0;  // the liver's, over the first of the whole, largest
    double contacts = 0.0;   // pairs under load, most
    double drift = 0.0;      // m, of the centre of mass from its straight way, largest
    std::int64_t held = 0;   // nodes, by certify
    int retries = 0;
};

Vec3 momentum_of(const World& world, std::size_t body) {
    const Body& b = world.model().bodies[body];
    Vec3 sum{};
    const auto first = static_cast<std::size_t>(b.first_node);
    for (std::size_t n = first; n < first + static_cast<std::size_t>(b.nodes); ++n) {
        if (world.model().inverse_mass[n] > 0.0) sum += mass(world, n) * world.state().v[n];
    }
    return sum;
}

double total_mass(const World& world) {
    double total = 0.0;
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        if (world.model().inverse_mass[n] > 0.0) total += mass(world, n);
    }
    return total;
}

Vec3 centre_of_mass(const World& world) {
    Vec3 sum{};
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        if (world.model().inverse_mass[n] > 0.0) sum += mass(world, n) * world.state().x[n];
    }
    return sum / total_mass(world);
}

// Ends early when the whole momentum has changed by this share.
Flight fly(World world, const SceneDescription& scene, int steps, double enough = HUGE_VAL) {
    const Vec3 whole = momentum(world), liver = momentum_of(world, 1), start = centre_of_mass(world);
    const Vec3 drift = whole / total_mass(world);
    Flight flight;
    for (int k = 1; k <= steps && flight.valid && flight.change <= enough; ++k) {
        const StepReport report = world.step(quiet_inputs(scene));
        flight.valid = flight.valid && report.is_valid();
        flight.held += report.held;
        flight.retries += report.retries;
        flight.contacts = std::max(flight.contacts, report.contacts);
        flight.change = std::max(flight.change, norm(momentum(world) - whole) / norm(whole));
        flight.exchanged = std::max(flight.exchanged, norm(momentum_of(world, 1) - liver) / norm(whole));
        flight.drift = std::max(flight.drift, norm(centre_of_mass(world) - start - drift * (k * world.model().dt)));
    }
    return flight;
}

void print(const char* name, const Flight& f) {
    printf("%s: change %.3g, exchanged %.3g, contacts %g, drift %.3g m, held %lld, retries %d\n", name, f.change,
           f.exchanged, f.contacts, f.drift, static_cast<long long>(f.held), f.retries);
}

constexpr int steps = 30;  // a second

TEST(CrossMomentum, IsKeptInDoublePrecision) {
    const SceneDescription scene = floating_scene(true, ResponseKind::consistent);
    const World world = make_world(scene);
    EXPECT_EQ(scene.bodies[0].rope.segments, 300);
    EXPECT_GE(world.model().of<Solids>()[0].cells(), 4000U);
    for (const double w : world.model().inverse_mass) ASSERT_GT(w, 0.0);  // nothing is fixed
    const Flight f = fly(make_world(scene), scene, steps);
    print("double", f);
    EXPECT_TRUE(f.valid);
    EXPECT_GT(f.exchanged, 0.1);
    EXPECT_GT(f.contacts, 10.0);
    EXPECT_LT(f.change, 1e-10);
    EXPECT_LT(f.drift, 1e-12);
}

TEST(CrossMomentum, IsKeptInSinglePrecision) {
    const SceneDescription scene = floating_scene(false, ResponseKind::consistent);
    const Flight f = fly(make_world(scene), scene, steps);
    print("single", f);
    EXPECT_TRUE(f.valid);
    EXPECT_GT(f.exchanged, 0.1);
    EXPECT_LT(f.change, 1e-5);
    EXPECT_LT(f.drift, 1e-6);
}

// What must fail: a contact of which only the gut feels the force, because the liver's nodes take none.
TEST(CrossMomentum, IsLostWhereOneSideTakesNoForce) {
    const SceneDescription scene = floating_scene(true, ResponseKind::consistent);
    Built built = build_scene(scene, 1);
    const auto first = static_cast<std::ptrdiff_t>(built.model.of<Solids>()[0].first_node);
    std::fill(built.model.inverse_mass.begin() + first, built.model.inverse_mass.end(), 0.0);
    const Flight f = fly(World(std::move(built.model), std::move(built.state)), scene, steps);
    print("one side", f);
    EXPECT_TRUE(f.valid);
    EXPECT_GT(f.change, 0.1);
}

// And a response that moves both sides alike whatever they weigh. What it makes grows without bound: it is watched only
// until the limit is far behind.
TEST(CrossMomentum, IsMadeByThePrintedResponse) {
    SceneDescription scene = floating_scene(true, ResponseKind::johnsen);
    scene.certify = false;
    const Flight f = fly(make_world(scene), scene, steps, 1e-2);
    print("printed", f);
    EXPECT_TRUE(f.valid);
    EXPECT_GT(f.change, 1e-2);
}

}  // namespace
}  // namespace plica::testing
