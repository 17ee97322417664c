#include <gtest/gtest.h>

#include "tests/engine/tools/spring_tools.hpp"

// Rigid tools and walls: none goes through, and those on springs feel the wall.
namespace plica::testing::tool_walls_tests {
namespace {

const std::string far_rope =
    "[[body]]\nname = \"rope\"\nanatomy = \"rope\"\nlength = 0.1\nsegments = 2\nfixed = \"both\"\nfrom = [-0.05, 0, "
    "0.03]\n"
    "radius = 0.002\n";

std::string scene_of(const std::string& environment, const std::string& keys, const std::string& path) {
    return "plica = 1\n[solver]\ndt = 0.01\nsubsteps = 4\n[environment]\ngravity = [0, 0, 0]\n" + environment +
           far_rope + "[[tool]]\nname = \"probe\"\nkind = \"rigid\"\n" + keys + "path = [ " + path + " ]\n";
}
const std::string ball = "shape = \"ball\"\nradius = 0.02\nfineness = 3\n";
const std::string bar = "shape = \"block\"\nsize = [0.1, 0.02, 0.01]\n";
const std::string floor_keys = "plane = { point = [0, 0, -0.1], normal = [0, 0, 1], friction = 0.3 }\n";

// m, from the nearest wall to the nearest node of the last tool, less half its thickness.
double gap(const World& world) {
    const RigidBody& rigid = world.model().rigids.back();
    double least = 1.0;
    for (std::size_t n = 0; n < rigid.local.size(); ++n) {
        for (const Wall& wall : world.model().walls) {
            const Vec3& p = world.state().x[static_cast<std::size_t>(rigid.first_node) + n];
            least = std::min(least, sample_wall(wall, p).distance - 0.0005);
        }
    }
    return least;
}

double least_gap(const std::string& text, double seconds = 1.0) {
    SpringWorld tool(text);
    double least = 1.0;
    while (tool.world.frame().time < seconds - 1e-9) {
        EXPECT_TRUE(tool.step());
        least = std::min(least, gap(tool.world));
    }
    return least;
}

// Down into the floor, along it, and up again.
const std::string over_the_floor =
    "{ t = 0, at = [0, 0, -0.05] }, { t = 0.3, to = [0, 0, -0.15] }, { t = 0.6, move = [0.1, 0, 0], turn = [0, 0.5, 0] "
    "}, "
    "{ t = 1, to = [0.1, 0, -0.05] }";

TEST(ToolWalls, AToolGoesAlongAWall) {
    EXPECT_GT(least_gap(scene_of(floor_keys, bar, over_the_floor)), -1e-6);
    EXPECT_LT(least_gap(scene_of(floor_keys, bar + "walls = false\n", over_the_floor)), -0.04);
    SpringWorld tool(scene_of(floor_keys, ball, over_the_floor));
    ASSERT_TRUE(tool.run(0.6));
    EXPECT_NEAR(tool.tool().position.x, 0.1, 1e-12);  // its way does not wait
    EXPECT_NEAR(tool.tool().position.z, -0.1 + 0.0205, 1e-3);
    EXPECT_NEAR(gap(tool.world), 0.0, 1e-6);
    ASSERT_TRUE(tool.run(1.0));
    EXPECT_NEAR(tool.tool().position.z, -0.05, 1e-12);
}

TEST(ToolWalls, CavitiesAndBowlsHoldFromWithin) {
    const std::string around =
        "{ t = 0, at = [0, 0, 0] }, { t = 0.3, to = [0.3, 0.1, 0] }, { t = 0.6, to = [0, 0.1, -0.3], "
        "turn = [1, 0, 1] }, { t = 1, to = [-0.3, -0.3, 0] }";
    for (const char* wall : {"cavity = { radii = [0.12, 0.08, 0.1] }\n", "bowl = { radius = 0.1 }\n"}) {
        for (const std::string& shape : {ball, bar}) {
            EXPECT_GT(least_gap(scene_of(wall, shape, around)), -2e-6) << wall;
            EXPECT_GT(least_gap(scene_of(wall, shape + "stiffness = 500\n", around)), -2e-5) << wall;
            EXPECT_LT(least_gap(scene_of(wall, shape + "walls = false\n", around)), -0.1) << wall;
            EXPECT_LT(least_gap(scene_of(wall, shape + "stiffness = 500\nwalls = false\n", around)), -0.1) << wall;
        }
    }
}

// A shaft that leads through a wall as built slides through it.
TEST(ToolWalls, WhatIsThroughAWallAsBuiltIsNotStoppedByIt) {
    const std::string path = "{ t = 0, at = [0, 0, -0.1] }, { t = 0.5, to = [0, 0, -0.05] }";
    SpringWorld tool(scene_of(floor_keys, "shape = \"block\"\nsize = [0.02, 0.02, 0.1]\n", path));
    ASSERT_TRUE(tool.run(0.5));
    EXPECT_NEAR(tool.tool().position.z, -0.05, 1e-12);
}

// Spring and wall agree, in force and torque.
TEST(ToolWalls, ASpringPressesOnAWall) {
    SpringWorld tool(scene_of(floor_keys, ball + "stiffness = 300\n",
                              "{ t = 0, at = [0, 0, -0.07] }, { t = 0.3, to = [0, 0, -0.09] }"));
    ASSERT_TRUE(tool.run(1.0));
    EXPECT_NEAR(gap(tool.world), 0.0, 1e-6);
    EXPECT_NEAR(tool.force().z, 300.0 * (tool.centre().z + 0.09), 1e-4 * tool.force().z);
    EXPECT_GT(tool.force().z, 2.0);
    EXPECT_LT(norm(tool.force() + tool.hand()), 1e-4 * tool.force().z);
    EXPECT_LT(norm(tool.tool().velocity), 1e-6);
    // The control: where the wall does not stop it there is no force.
    SpringWorld through(scene_of(floor_keys, ball + "stiffness = 300\nwalls = false\n",
                                 "{ t = 0, at = [0, 0, -0.07] }, { t = 0.3, to = [0, 0, -0.09] }"));
    ASSERT_TRUE(through.run(1.0));
    EXPECT_EQ(norm(through.force()), 0.0);
}

TEST(ToolWalls, APushOffTheCentreTurnsIt) {
    const std::string text =
        scene_of(floor_keys, bar + "stiffness = 300\nturn_stiffness = 0.3\n",
                 "{ t = 0, at = [0, 0, -0.07], turn = [0, 0.3, 0] }, { t = 0.3, to = [0, 0, -0.095] }");
    SpringWorld tool(text);
    ASSERT_TRUE(tool.run(2.0));
    const Vec3 torque = tool.torque(), hand = tool.world.frame().hand_torque[0];
    EXPECT_GT(norm(torque), 0.02);
    EXPECT_LT(norm(torque + hand), 1e-3 * norm(torque));
    EXPECT_LT(norm(tool.force() + tool.hand()), 1e-3 * norm(tool.force()));
    EXPECT_LT(tool.tool().turn.y, 0.25);  // by less than the hand wants
}

// A block that a spring drags over a wall feels the wall's friction, or its own.
TEST(ToolWalls, AToolThatIsDraggedAlongFeelsFriction) {
    const auto ratio = [](const std::string& keys) {
        SpringWorld tool(
            scene_of(floor_keys, bar + "stiffness = 300\nturn_stiffness = 5\n" + keys,
                     "{ t = 0, at = [0, 0, -0.09] }, { t = 0.3, to = [0, 0, -0.1] }, { t = 1.3, to = [0.2, 0, "
                     "-0.1] }"));
        EXPECT_TRUE(tool.run(1.2));
        return -tool.force().x / tool.force().z;
    };
    EXPECT_NEAR(ratio(""), 0.3, 0.003);
    EXPECT_NEAR(ratio("friction = 0.012\n"), 0.06, 0.0006);
    EXPECT_NEAR(ratio("friction = 0\n"), 0.0, 1e-9);
}

// A free tool that hits a wall: what it feels is its change of momentum, and so of its turn.
TEST(ToolWalls, AnImpactChangesMomentumByWhatIsFelt) {
    const SceneDescription scene =
        read_text(scene_of(floor_keys, bar + "stiffness = 1e-12\ndamping = 0\nturn_damping = 0\n",
                           "{ t = 0, at = [0, 0, -0.08], turn = [0, 0.2, 0] }"));
    Built built = build_scene(scene, 1);
    built.state.rigids.back().velocity = {0.1, 0.0, -0.5};
    SpringWorld tool(scene, std::move(built), 1);
    const auto momentum = [&] { return tool.tool().velocity * tool.body().coupling.mass; };
    const auto turning = [&] { return turn(make_pose(tool.tool().turn, {}), tool.body().inertia) * tool.tool().spin; };
    const Vec3 before = momentum(), unturned = turning();
    Vec3 impulse{}, twist{};
    double largest = 0.0, wrong = 0.0;
    for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(tool.step());
        impulse += tool.force() * tool.world.model().dt;
        twist += tool.torque() * tool.world.model().dt;
        largest = std::max(largest, norm(twist));
        wrong = std::max(wrong, norm(turning() - unturned - twist));
    }
    EXPECT_GT(norm(impulse), 0.5 * norm(before));
    EXPECT_LT(norm(momentum() - before - impulse), 1e-10 * norm(before));
    EXPECT_GT(largest, 1e-4);
    EXPECT_LT(wrong, 0.01 * largest);
    EXPECT_GT(gap(tool.world), -1e-5);
}

TEST(ToolWalls, SameBitsForAnyNumberOfThreads) {
    const auto hash = [](int threads, const std::string& keys) {
        SpringWorld tool(scene_of(floor_keys, bar + keys, over_the_floor), threads);
        EXPECT_TRUE(tool.run(0.8));
        return compute_hash(tool.world.state());
    };
    EXPECT_EQ(hash(1, "stiffness = 500\n"), hash(3, "stiffness = 500\n"));
    EXPECT_NE(hash(1, "stiffness = 500\n"), hash(1, "stiffness = 500\nwalls = false\n"));
}

}  // namespace
}  // namespace plica::testing::tool_walls_tests
