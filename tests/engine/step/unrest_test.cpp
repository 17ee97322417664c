#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "scene/apparent_gravity.hpp"
#include "tests/engine/worlds.hpp"
#include "tests/scene/file/scene_texts.hpp"

// What keeps a scene from coming to rest: gravity that turns, a cavity that is shaken, tools that start over.
namespace plica::testing {
namespace {

const std::string environment = plica::testing::rope + "[environment]\n";  // next line: 6

Vec3 gravity_at(const SceneDescription& scene, double t) {
    return compute_apparent_gravity(scene, t, t + 1e-4);
}

TEST(GravityTurn, IsReadWithItsDefaults) {
    const SceneDescription scene = read(environment + "gravity_turn = { every = 1.5 }\n");
    ASSERT_TRUE(scene.gravity_turn.has_value());
    EXPECT_DOUBLE_EQ(scene.gravity_turn->every, 1.5);
    EXPECT_EQ(scene.gravity_turn->axes, (std::vector<Vec3>{{1, 0, 0}}));
    EXPECT_FALSE(read(environment).gravity_turn.has_value());
    const SceneDescription two = read(environment + "gravity_turn = { every = 1, axes = [[0, 0, 2], [0, -3, 0]] }\n");
    EXPECT_EQ(two.gravity_turn->axes, (std::vector<Vec3>{{0, 0, 1}, {0, -1, 0}}));
}

TEST(GravityTurn, Mistakes) {
    const auto turn = [](const std::string& inside) { return environment + "gravity_turn = { " + inside + " }\n"; };
    expect_mistake(turn("axes = [[1, 0, 0]]"), 6, {"every", "found none", "expected"});
    expect_mistake(turn("every = 0"), 6, {"every", "found 0", "0.001"});
    expect_mistake(turn("every = nan"), 6, {"every", "finite"});
    expect_mistake(turn("every = \"2 s\""), 6, {"every", "2 s", "expected a number"});
    expect_mistake(turn("every = 2, axes = []"), 6, {"axes", "empty", "expected"});
    expect_mistake(turn("every = 2, axes = 3"), 6, {"axes", "found 3", "expected"});
    expect_mistake(turn("every = 2, axes = [1, 0, 0]"), 6, {"axes", "one vector", "[[1, 0, 0]"});
    expect_mistake(turn("every = 2, axes = [[1, 0]]"), 6, {"axes", "three numbers"});
    expect_mistake(turn("every = 2, axes = [[1, 0, 0], [0, 0, 0]]"), 6, {"axes", "zero vector"});
    expect_mistake(turn("every = 2, axis = [1, 0, 0]"), 6, {"unknown key", "gravity_turn.axes?"});
    expect_mistake(environment + "gravity_turn = 2.0\n", 6, {"found 2.0", "expected a table"});
}

// Sudden, by a right angle, and after a round through all axes exactly where it was: nothing drifts in ten minutes.
TEST(GravityTurn, GoesAroundForEver) {
    const SceneDescription scene =
        read(environment + "gravity_turn = { every = 2, axes = [[1, 0, 0], [0, 0, 1], [0, 1, 0]] }\n");
    const double g = 9.81;
    const Vec3 round[6] = {{0, 0, -g}, {0, g, 0}, {-g, 0, 0}, {0, 0, g}, {0, -g, 0}, {g, 0, 0}};
    for (int turn = 0; turn < 300; ++turn) {
        EXPECT_EQ(gravity_at(scene, 2.0 * turn), round[turn % 6]) << turn;
        EXPECT_EQ(gravity_at(scene, 2.0 * turn + 1.99), round[turn % 6]) << turn;
    }
}

TEST(Shake, IsReadWithItsDefaults) {
    const SceneDescription scene = read(environment + "shake = { amplitude = 0.1, frequency = 3 }\n");
    ASSERT_TRUE(scene.shake.has_value());
    EXPECT_DOUBLE_EQ(scene.shake->amplitude, 0.1);
    EXPECT_DOUBLE_EQ(scene.shake->frequency, 3.0);
    EXPECT_EQ(scene.shake->direction, (Vec3{1, 0, 0}));
}

TEST(Shake, Mistakes) {
    const auto shake = [](const std::string& inside) { return environment + "shake = { " + inside + " }\n"; };
    expect_mistake(shake("amplitude = 0.1"), 6, {"frequency", "found none", "expected"});
    expect_mistake(shake("frequency = 3"), 6, {"amplitude", "found none", "expected"});
    expect_mistake(shake("amplitude = -0.1, frequency = 3"), 6, {"amplitude", "found -0.1", "from 0"});
    expect_mistake(shake("amplitude = 0.1, frequency = 0"), 6, {"frequency", "found 0", "above 0"});
    expect_mistake(shake("amplitude = inf, frequency = 1"), 6, {"amplitude", "finite"});
    expect_mistake(shake("amplitude = 1, frequency = 1, direction = [0, 0, 0]"), 6, {"direction", "zero vector"});
    expect_mistake(shake("amplitude = 1, frequency = 1, directon = [1, 0, 0]"), 6, {"unknown key", "direction?"});
}

// The opposite of the cavity's second derivative; over whole swings nothing is left, however coarse the steps.
TEST(Shake, IsTheCavitysAcceleration) {
    SceneDescription scene = read(environment + "shake = { amplitude = 0.02, frequency = 3, direction = [0, 3, 0] }\n");
    scene.gravity = {};
    const double rate = 2.0 * 3.14159265358979 * 3.0;
    for (const double t : {0.0, 0.05, 0.1, 0.3, 100.07}) {
        const Vec3 g = gravity_at(scene, t - 0.5e-4);
        EXPECT_NEAR(g.y, 0.02 * rate * rate * std::sin(rate * t), 1e-5) << t;
        EXPECT_EQ(norm(Vec3{g.x, 0, g.z}), 0.0);
    }
    for (const double frequency : {3.0, 7.0, 15.0, 30.0, 100.0}) {
        scene.shake->frequency = frequency;
        Vec3 gained;
        for (int step = 0; step < 30; ++step) gained += compute_apparent_gravity(scene, step / 30.0, (step + 1) / 30.0);
        EXPECT_LT(norm(gained), 1e-9) << frequency;
    }
}

// Seen from inside: a free rope moves against the cavity as the cavity moves against the room.
TEST(Shake, AFreeRopeStaysInTheRoom) {
    SceneDescription scene = rope_scene(0.2, 5);
    scene.gravity = {};
    scene.shake = Shake{0.02, 3.0, {1, 0, 0}};
    World world = make_world(scene);
    // At rest in the room while the cavity passes at its fastest.
    const double rate = 2.0 * 3.14159265358979 * 3.0;
    State state = world.state();
    for (Vec3& v : state.v) v = {-0.02 * rate, 0, 0};
    world.restore(state);
    Script script(scene);
    double furthest = 0.0, wrong = 0.0;
    const Vec3 start = state.x[2];
    for (int i = 1; i <= 60; ++i) {
        world.step(script.next(world));
        const double moved = world.state().x[2].x - start.x;
        furthest = std::max(furthest, std::abs(moved));
        wrong = std::max(wrong, std::abs(moved + 0.02 * std::sin(rate * i / 30.0)));
    }
    EXPECT_GT(furthest, 0.018);
    EXPECT_LT(wrong, 0.002);  // force is constant within a frame, a tenth of a swing
}

TEST(Repeat, Mistakes) {
    const std::string path = "path = [{ t = 1, at = \"gut:0.5\" }, { t = 3, release = true }]\n";
    EXPECT_DOUBLE_EQ(read(probe + path).tools[0].repeat, 0.0);
    EXPECT_DOUBLE_EQ(read(probe + "repeat = 2.5\n" + path).tools[0].repeat, 2.5);
    expect_mistake(probe + "repeat = 2\n" + path, 7, {"probe.repeat", "found 2", "expected more than", "2 s"});
    expect_mistake(probe + "repeat = 0\n" + path, 7, {"probe.repeat", "found 0", "above 0"});
    expect_mistake(probe + "repeat = true\n" + path, 7, {"probe.repeat", "found true"});
    expect_mistake(probe + "repeet = 3\n" + path, 7, {"unknown key", "probe.repeat?"});
}

// What the tool does from 1 to 3.5 s it does again from 3.5 to 6 s and so on; without the key it does it once.
TEST(Repeat, StartsOver) {
    const auto heights = [](const std::string& repeat) {
        const SceneDescription scene =
            read(probe + "kind = \"sphere\"\n" + repeat +
                     "path = [{ t = 1, at = [0, 0, 1] }, { t = 2, move = [0, 0, 0.3] }, { t = 3, release = true }]\n",
                 {"gut.segments=1", "solver.substeps=1"});
        World world = make_world(scene);
        Script script(scene);
        std::vector<std::pair<double, int>> list;
        for (int i = 0; i < 30 * 27; ++i) {
            const ToolInput input = script.next(world).tools[0];
            list.emplace_back(input.target.z, input.present);
            Inputs away = quiet_inputs(scene);
            world.step(away);
        }
        return list;
    };
    const auto once = heights(""), again = heights("repeat = 2.5\n");
    for (std::size_t i = 0; i < again.size(); ++i) {
        const std::size_t first = i < 30 ? i : 30 + (i - 30) % 75;
        ASSERT_EQ(again[i].second, once[first].second) << i;
        if (again[i].second != 0) {
            ASSERT_NEAR(again[i].first, once[first].first, 1e-12) << i;
        }
    }
    EXPECT_NE(again[120].second, once[120].second);
}

}  // namespace
}  // namespace plica::testing
