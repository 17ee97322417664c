#include <gtest/gtest.h>

#include "tests/engine/worlds.hpp"

// A rigid tool by itself: the way it goes.
namespace plica::testing {
namespace {

constexpr int substeps = 8;

// A ball of steel over a rope that is out of its way.
SceneDescription make_scene(const Vec3& start, const Vec3& turn) {
    SceneDescription scene = rope_scene(0.1, 2);
    scene.gravity = {};
    scene.substeps = substeps;
    ToolDescription tool;
    tool.tool.name = "ball";
    tool.tool.kind = ToolKind::rigid;
    tool.rigid.radius = 0.02;
    tool.rigid.fineness = 1;
    Waypoint first;
    first.kind = WaypointKind::at;
    first.where = start;
    first.turn = turn;
    tool.path = {first};
    scene.tools.push_back(tool);
    return scene;
}

Vec3 middle_of(const Model& model, std::span<const Vec3> x) {
    Vec3 sum{};
    const RigidBody& rigid = model.rigids.at(0);
    for (std::size_t n = 0; n < rigid.local.size(); ++n) sum += x[static_cast<std::size_t>(rigid.first_node) + n];
    return sum / static_cast<double>(rigid.local.size());
}

// Each substep takes as much of the step's way as any other, the first step's from where the scene puts it.
TEST(RigidTool, GoesEvenlyThroughEachStep) {
    const Vec3 start{0.2, 0.1, 0.3}, way{0.008, -0.004, 0.002};
    const SceneDescription scene = make_scene(start, {0, 0, 0.4});
    World world = make_world(scene);
    EXPECT_EQ(world.frame().tools.at(0).handle, start) << "known before the first step";
    EXPECT_EQ(world.frame().tools.at(0).turn, (Vec3{0, 0, 0.4}));
    world.keep_trail(true);
    Inputs inputs = quiet_inputs(scene);
    for (int step = 1; step <= 3; ++step) {
        inputs.tools[0] = {start + way * static_cast<double>(step), -1, 1, {0, 0, 0.4}};
        world.step(inputs);
        const std::size_t nodes = world.model().nodes();
        const std::size_t rows = world.trail().size() / nodes;
        ASSERT_GE(rows, 3U);
        for (std::size_t k = 0; k < rows; ++k) {
            const double done = step - 1 + static_cast<double>(k) / static_cast<double>(rows - 1);
            const Vec3 middle = middle_of(world.model(), world.trail().subspan(k * nodes, nodes));
            EXPECT_LT(distance(middle, start + way * done), 1e-9) << "step " << step << ", row " << k;
        }
    }
}

TEST(RigidTool, StaysWithoutAWayToGo) {
    const SceneDescription scene = make_scene({0.2, 0.1, 0.3}, {});
    World world = make_world(scene);
    const std::vector<Vec3> before = world.frame().positions;
    Script script(scene);
    for (int i = 0; i < 3; ++i) world.step(script.next(world));
    for (std::size_t n = static_cast<std::size_t>(world.model().rigids[0].first_node); n < before.size(); ++n) {
        EXPECT_LT(distance(world.frame().positions[n], before[n]), 1e-15);
    }
}

}  // namespace
}  // namespace plica::testing
