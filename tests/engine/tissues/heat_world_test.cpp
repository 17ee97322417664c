#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/engine/worlds.hpp"
#include "tissue/heat/march.hpp"

// Heat tissue among the others: it touches them by the common contact, and what touches it warms it.
namespace plica::testing {
namespace {

SceneDescription read(const std::string& name, std::vector<std::string> overrides = {}) {
    return read_scene(find_scene(name, std::move(overrides)));
}

StepReport run(World& world, Script& script, int steps) {
    StepReport report;
    for (int k = 0; k < steps; ++k) report = world.step(script.next(world));
    return report;
}

double heat_of(const World& world) {
    const heat::Membrane& membrane = world.model().of<HeatSurfaces>()[0];
    return heat::compute_heat(membrane.conduction, membrane.settings.capacity,
                              world.state().of<HeatSurfaces>()[0].temperature);
}

// A square of heat tissue on its rim and a short tube that lies on it.
const char* const bed = R"(plica = 1
[solver]
dt = 0.01
substeps = 5
[environment]
gravity = [0, 0, -9.81]
drag = 2.0
[[body]]
name = "bed"
tissue = "heat"
shape = "plane"
size = [0.3, 0.3, 0]
columns = 16
rows = 16
bears = 4
density = 1.0
fixed = [ { side = "-x" }, { side = "+x" }, { side = "-y" }, { side = "+y" } ]
[[body]]
name = "gut"
anatomy = "rope"
length = 0.1
radius = 0.012
segments = 8
from = [-0.05, 0.003, 0.02]
)";

SceneDescription bed_scene(std::vector<std::string> overrides = {}) {
    return read_scene({"bed", "bed", bed, std::move(overrides)});
}

TEST(HeatWorld, WhatRestsOnItIsFeltAsItsWeight) {
    const SceneDescription scene = bed_scene();
    World world = make_world(scene);
    Script script(scene);
    run(world, script, 1500);
    const Model& model = world.model();
    Vec3 touch{};
    for (const Vec3& each : world.state().of<HeatSurfaces>()[0].touch) touch += each;
    double weight = 0.0;
    for (std::int32_t n = model.bodies[1].first_node; n < model.bodies[1].first_node + model.bodies[1].nodes; ++n) {
        weight += 9.81 / model.inverse_mass[static_cast<std::size_t>(n)];
    }
    printf("touch %.6g %.6g %.6g N, weight %.6g N, heat %.3g J\n", touch.x, touch.y, touch.z, weight, heat_of(world));
    EXPECT_NEAR(touch.z, -weight, 0.02 * weight);
    EXPECT_GT(heat_of(world), 0.0);
}

double share_of_weight(const std::vector<std::string>& overrides, int steps) {
    const SceneDescription scene = bed_scene(overrides);
    World world = make_world(scene);
    Script script(scene);
    EXPECT_TRUE(run(world, script, steps).is_valid());
    const Model& model = world.model();
    double touch = 0.0, weight = 0.0;
    for (int k = 0; k < 50; ++k) {  // the mean of what still trembles
        run(world, script, 1);
        for (const Vec3& each : world.state().of<HeatSurfaces>()[0].touch) touch -= each.z / 50.0;
    }
    for (std::int32_t n = model.bodies[1].first_node; n < model.bodies[1].first_node + model.bodies[1].nodes; ++n) {
        weight += 9.81 / model.inverse_mass[static_cast<std::size_t>(n)];
    }
    printf("touch %.6g N, weight %.6g N, heat %.3g J\n", touch, weight, heat_of(world));
    return touch / weight;
}

// A net of quads by the paper's conduction and by its motion: contact sees two triangles a quad.
TEST(HeatWorld, NetsAndExplicitMotionCarryWhatRestsOnThem) {
    EXPECT_NEAR(share_of_weight({"bed.shape=\"net\"", "bed.conduction=\"printed\""}, 600), 1.0, 0.02);
    EXPECT_NEAR(share_of_weight({"bed.shape=\"net\"", "bed.motion=\"explicit\"", "bed.drag=400", "bed.bears=0.5",
                                 "bed.columns=8", "bed.rows=8"},
                                600),
                1.0, 0.05);
    EXPECT_LT(share_of_weight({"contact.enabled=false"}, 10), 0.01) << "the control";
}

// How far it gives way does not depend on how its motion is stepped.
TEST(HeatWorld, ExplicitMotionRestsWhereImplicitMotionDoes) {
    const auto depth = [](const std::string& motion, const std::string& load) {
        const SceneDescription scene = bed_scene({"bed.motion=\"" + motion + "\"", "bed.drag=400", "bed.bears=" + load,
                                                  "bed.columns=8", "bed.rows=8", "contact.friction=0"});
        World world = make_world(scene);
        Script script(scene);
        run(world, script, 400);
        double least = 0.0;
        for (std::size_t n = 0; n < 81; ++n) least = std::min(least, world.state().x[n].z);
        return least;
    };
    const double wanted = depth("implicit", "0.5");
    EXPECT_LT(wanted, -0.02);
    EXPECT_NEAR(depth("explicit", "0.5"), wanted, 0.01 * std::abs(wanted));
    EXPECT_GT(std::abs(depth("explicit", "0.4") - wanted), 0.03 * std::abs(wanted)) << "the control: a softer bed";
}

TEST(HeatWorld, HeldTemperaturesAreInScenes) {
    const SceneDescription scene =
        bed_scene({"bed.cold=[{side=\"-x\",temperature=0.5},{side=\"+x\"}]", "contact.enabled=false"});
    World world = make_world(scene);
    Script script(scene);
    run(world, script, 50);
    const std::vector<double>& t = world.state().of<HeatSurfaces>()[0].temperature;
    EXPECT_EQ(*std::max_element(t.begin(), t.end()), 0.5);
    EXPECT_EQ(t[16], 0.0);
    EXPECT_GT(t[8], 0.0) << "between them it is warm";
}

TEST(HeatWorld, ItStaysColdWhereNothingTouchesIt) {
    const SceneDescription scene = bed_scene({"contact.enabled=false"});
    World world = make_world(scene);
    Script script(scene);
    run(world, script, 100);
    EXPECT_EQ(heat_of(world), 0.0);
    EXPECT_LT(world.state().x.back().z, -0.1);  // the tube has fallen through
}

// A ball of heat tissue is thrown at one of finite elements; nothing holds either.
SceneDescription floating_scene(double damping) {
    SceneDescription scene = read_scene({"balls",
                                         "balls",
                                         R"(plica = 1
[solver]
dt = 0.01
precision = "double"
[environment]
gravity = [0, 0, 0]
[contact]
friction = 0.2
[[body]]
name = "warm"
tissue = "heat"
shape = "sphere"
nodes = 300
radius = 0.05
density = 5.0
center = [0, 0, 0.102]
velocity = [0.05, 0, -0.6]
[[body]]
name = "solid"
tissue = "tled"
shape = "ball"
radius = 0.05
cell = 0.02
)",
                                         {}});
    scene.bodies[0].membrane.settings.area_damping = damping;
    return scene;
}

struct Flight {
    bool valid = true;
    double change = 0.0, exchanged = 0.0, heat = 0.0;
};

Flight fly(const SceneDescription& scene, int steps) {
    World world = make_world(scene);
    const Vec3 whole = momentum(world);
    const auto of_solid = [&] {
        Vec3 sum{};
        const Body& body = world.model().bodies[1];
        for (std::int32_t n = body.first_node; n < body.first_node + body.nodes; ++n) {
            const auto i = static_cast<std::size_t>(n);
            sum += mass(world, i) * world.state().v[i];
        }
        return sum;
    };
    Flight flight;
    for (int k = 0; k < steps; ++k) {
        flight.valid = world.step(quiet_inputs(scene)).is_valid() && flight.valid;
        flight.change = std::max(flight.change, norm(momentum(world) - whole) / norm(whole));
        flight.exchanged = std::max(flight.exchanged, norm(of_solid()) / norm(whole));
        flight.heat = std::max(flight.heat, heat_of(world));
    }
    return flight;
}

TEST(HeatWorld, MomentumIsKeptBetweenTissues) {
    const Flight f = fly(floating_scene(0.0), 30);
    printf("change %.3g, exchanged %.3g, heat %.3g J\n", f.change, f.exchanged, f.heat);
    EXPECT_TRUE(f.valid);
    EXPECT_GT(f.exchanged, 0.1);
    EXPECT_GT(f.heat, 0.0);
    EXPECT_LT(f.change, 1e-10);
    EXPECT_GT(fly(floating_scene(46.0), 30).change, 0.01);  // damping against the world takes it
}

TEST(HeatWorld, BitsDependOnNothingButTheScene) {
    const SceneDescription scene = read("heat-poke");
    World one = make_world(scene), two = make_world(scene, 1, 2);
    Script first(scene), second(scene);
    EXPECT_EQ(run(one, first, 150).hash, run(two, second, 150).hash);
    State warmer = one.state();
    warmer.of<HeatSurfaces>()[0].temperature[400] += 1e-12;
    EXPECT_NE(compute_hash(warmer), compute_hash(one.state()));  // the hash covers the temperature
}

TEST(HeatWorld, ARestoredStateGoesOnBitForBit) {
    const SceneDescription scene = bed_scene();
    World world = make_world(scene);
    Script script(scene);
    run(world, script, 60);
    const State saved = world.state();
    const std::uint64_t went = run(world, script, 60).hash;
    World other = make_world(scene);
    other.restore(saved);
    Script again(scene);
    EXPECT_EQ(run(other, again, 60).hash, went);
    State cold = saved;
    std::fill(cold.of<HeatSurfaces>()[0].temperature.begin(), cold.of<HeatSurfaces>()[0].temperature.end(), 0.0);
    other.restore(cold);
    EXPECT_NE(run(other, again, 60).hash, went);
}

TEST(HeatWorld, AForceThatIsNoNumberLeavesTheStateAndRaisesAFlag) {
    const SceneDescription scene = read("heat-poke");
    World world = make_world(scene);
    Script script(scene);
    run(world, script, 150);  // the probe is there
    const std::uint64_t before = compute_hash(world.state());
    Inputs bad = script.next(world);
    ASSERT_EQ(bad.tools[0].present, 1);
    bad.tools[0].target.z = std::numeric_limits<double>::quiet_NaN();
    const StepReport report = world.step(bad);
    EXPECT_FALSE(report.is_valid());
    EXPECT_EQ(compute_hash(world.state()), before);
    for (const double t : world.state().of<HeatSurfaces>()[0].temperature) ASSERT_TRUE(std::isfinite(t));
    EXPECT_TRUE(world.step(script.next(world)).is_valid());
}

// Without its coupling heat changes nothing, and the dimple is deeper and narrower.
TEST(HeatWorld, HeatIsNoDecoration) {
    const auto press = [](std::vector<std::string> overrides) {
        const SceneDescription scene = read("heat-superquadric", std::move(overrides));
        World world = make_world(scene);
        Script script(scene);
        run(world, script, 900);
        double deepest = 0.0;
        const heat::Membrane& membrane = world.model().of<HeatSurfaces>()[0];
        for (std::size_t n = 0; n < membrane.size(); ++n) {
            deepest = std::max(deepest, distance(world.state().x[n], membrane.rest[n]));
        }
        int half = 0;
        for (std::size_t n = 0; n < membrane.size(); ++n) {
            half += distance(world.state().x[n], membrane.rest[n]) > 0.5 * deepest ? 1 : 0;
        }
        return std::pair(deepest, half);
    };
    const auto [with, wide] = press({});
    const auto [without, narrow] = press({"organ.coupling=0"});
    printf("indentation %.4f m (%d nodes beyond half), without coupling %.4f m (%d)\n", with, wide, without, narrow);
    EXPECT_GT(without, 1.4 * with);
    EXPECT_LT(narrow, wide);
}

}  // namespace
}  // namespace plica::testing
