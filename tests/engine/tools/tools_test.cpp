#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/worlds.hpp"

// Tools: the force they feel is the opposite of what the tissue gets, and never more than they may give.
namespace plica::testing {
namespace {

SceneDescription grabbed_rope(double max_force) {
    SceneDescription scene = rope_scene(0.5, 20);
    ToolDescription tool;
    tool.tool.name = "probe";
    tool.tool.max_force = max_force;
    tool.path = {{0.0, WaypointKind::at, {}, "rope", 0.5}};
    scene.tools.push_back(tool);
    return scene;
}

// A rope hung at its middle by a tool: in the end the tool carries its weight.
TEST(Grab, FeelsTheWeightItCarries) {
    SceneDescription scene = grabbed_rope(10.0);
    scene.drag = 3.0;
    World world = make_world(scene);
    Script script(scene);
    for (int i = 0; i < 300; ++i) world.step(script.next(world));
    const double weight = 0.5 * 0.5 * 9.81;
    EXPECT_NEAR(world.frame().tool_force[0].z, -weight, 0.01 * weight);
    EXPECT_NEAR(norm(world.frame().tool_force[0]), weight, 0.01 * weight);
    // The held node hangs below the handle by force / stiffness.
    EXPECT_NEAR(world.state().x[10].z, -weight / 2000.0, 1e-4);
}

// Momentum given to the tissue in a step = minus the tool's force times dt (no other force acts).
TEST(Grab, ForceIsEqualAndOpposite) {
    SceneDescription scene = grabbed_rope(3.0);
    scene.gravity = {};
    scene.tools[0].path.push_back({1.0, WaypointKind::move, {0.3, 0.2, 0.1}, "", 0.0});
    World world = make_world(scene);
    Script script(scene);
    for (int i = 0; i < 60; ++i) {
        const Vec3 before = momentum(world);
        world.step(script.next(world));
        const Vec3 given = momentum(world) - before;
        const Vec3 felt = world.frame().tool_force[0] * world.model().dt;
        ASSERT_LT(norm(given + felt), 1e-12 + 1e-9 * norm(felt)) << "step " << i;
    }
}

TEST(Grab, NeverExceedsItsLimit) {
    SceneDescription scene = grabbed_rope(0.5);  // less than the rope's weight in motion
    scene.tools[0].path.push_back({0.2, WaypointKind::move, {0, 0, 1.0}, "", 0.0});
    World world = make_world(scene);
    Script script(scene);
    double peak = 0.0;
    for (int i = 0; i < 60; ++i) {
        world.step(script.next(world));
        peak = std::max(peak, norm(world.frame().tool_force[0]));
    }
    EXPECT_LE(peak, 0.5 * (1.0 + 1e-9));
    EXPECT_GT(peak, 0.45);
    EXPECT_LT(world.state().x[10].z, -0.5);  // so it fell
}

TEST(Grab, LetsGo) {
    SceneDescription scene = grabbed_rope(10.0);
    scene.tools[0].path.push_back({0.5, WaypointKind::release, {}, "", 0.0});
    World world = make_world(scene);
    Script script(scene);
    for (int i = 0; i < 10; ++i) world.step(script.next(world));
    EXPECT_GT(norm(world.frame().tool_force[0]), 0.5);
    for (int i = 0; i < 10; ++i) world.step(script.next(world));
    EXPECT_EQ(norm(world.frame().tool_force[0]), 0.0);
    EXPECT_LT(momentum(world).z, -0.1);
}

SceneDescription sphere_scene() {
    SceneDescription scene = rope_scene(0.4, 20);
    scene.contact.enabled = true;
    scene.gravity = {};
    ToolDescription tool;
    tool.tool.name = "ball";
    tool.tool.kind = ToolKind::sphere;
    tool.tool.radius = 0.02;
    tool.path = {{0.0, WaypointKind::at, {0.21, 0.0, 0.1}, "", 0.0}, {1.0, WaypointKind::move, {0, 0, -0.3}, "", 0.0}};
    scene.tools.push_back(tool);
    return scene;
}

TEST(Sphere, PushesAndFeelsTheOpposite) {
    const SceneDescription scene = sphere_scene();
    World world = make_world(scene);
    Script script(scene);
    const auto tissue_momentum = [&] {
        Vec3 sum{};
        for (std::size_t n = 0; n < world.model().tissue_nodes; ++n) sum += mass(world, n) * world.state().v[n];
        return sum;
    };
    double touched = 0.0;
    for (int i = 0; i < 45; ++i) {
        const Vec3 before = tissue_momentum();
        world.step(script.next(world));
        const Vec3 given = tissue_momentum() - before;
        const Vec3 felt = world.frame().tool_force[0] * world.model().dt;
        // Contact that starts within a step is solved by sweeps along normals that turn a little: hence the tolerance.
        ASSERT_LT(norm(given + felt), 1e-4 + 0.03 * norm(felt)) << "step " << i;
        touched = std::max(touched, norm(felt) / world.model().dt);
    }
    EXPECT_GT(touched, 0.01);
    EXPECT_LT(tissue_momentum().z, -0.001);
    // It never went through: the ball is still above the rope where they meet.
    const double rope = world.state().x[10].z;
    EXPECT_GT(world.state().x.back().z, rope + 0.02);
}

TEST(Sphere, IsNotThereWhenReleased) {
    SceneDescription scene = sphere_scene();
    scene.tools[0].path.insert(scene.tools[0].path.begin() + 1, {0.05, WaypointKind::release, {}, "", 0.0});
    World world = make_world(scene);
    Script script(scene);
    for (int i = 0; i < 45; ++i) {
        world.step(script.next(world));
        ASSERT_EQ(norm(world.frame().tool_force[0]), 0.0);
    }
    EXPECT_LT(norm(momentum(world)), 1e-9);
}

}  // namespace
}  // namespace plica::testing
