#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "scene/build.hpp"
#include "simulation/live/hand.hpp"
#include "simulation/live/live.hpp"
#include "tests/simulation/ball_scene.hpp"

// The user's hand and what is rigid: it steers instruments, and takes hold of none of their nodes.
namespace plica {
namespace {

SceneSource make_source(const std::string& text = testing::ball_scene) {
    return {"mine", "mine.toml", text, {}};
}

bool wait_for(Live& live, const std::function<bool(const Snapshot&)>& condition) {
    const double end = wall_seconds() + 60.0;
    while (wall_seconds() < end) {
        if (condition(live.look())) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

void step(Live& live, std::uint64_t number) {
    const std::uint64_t wanted = live.look().frame.step + number;
    for (std::uint64_t i = 0; i < number; ++i) live.step();
    ASSERT_TRUE(wait_for(live, [&](const Snapshot& s) { return s.frame.step >= wanted; }));
}

LiveOptions at_rest() {
    LiveOptions options;
    options.paused = true;
    return options;
}

TEST(RigidHand, SteersAToolAndItsTurnStays) {
    Live live(add_hand(make_source()).source, at_rest());
    const Vec3 start{0.3, 0, 0.1}, goal{0.3, 0.025, 0.1};
    live.steer(0, goal);
    step(live, 1);
    const ToolPose first = live.look().frame.tools.at(0);
    EXPECT_EQ(first.turn, (Vec3{0, 0.5, 0}));
    EXPECT_NEAR(distance(first.handle, start), 0.3 * live.model().dt, 1e-12) << "no faster than a hand";
    step(live, 5);
    const ToolPose last = live.look().frame.tools.at(0);
    EXPECT_LT(distance(last.handle, goal), 1e-12);
    EXPECT_EQ(last.turn, (Vec3{0, 0.5, 0}));
    // The whole of it went along.
    const RigidBody& ball = live.model().rigids.at(1);
    Vec3 middle{};
    for (std::size_t n = 0; n < ball.local.size(); ++n) {
        middle += live.look().frame.positions[static_cast<std::size_t>(ball.first_node) + n];
    }
    EXPECT_LT(distance(middle / static_cast<double>(ball.local.size()), goal), 1e-9);
    live.release(0);
    step(live, 2);
    EXPECT_LT(distance(live.look().frame.tools.at(0).handle, goal), 1e-12) << "it stays where it was left";
    live.reset();
    ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return s.frame.step == 0; }));
    step(live, 1);
    EXPECT_GT(live.look().frame.tools.at(0).turn.y, 0.5) << "the control: the script turns it";
}

TEST(RigidHand, OnlyRigidToolsAreSteered) {
    const OpenScene scene = add_hand(make_source());
    Live live(scene.source, at_rest());
    const std::size_t hand = live.model().tools.size() - 1;
    ASSERT_EQ(live.model().tools[hand].name, scene.hand);
    live.steer(hand, {1, 2, 3});
    step(live, 1);
    EXPECT_FALSE(live.look().frame.tools[hand].present);
}

TEST(RigidHand, TakesNoNodeOfWhatIsRigid) {
    Live live(add_hand(make_source()).source, at_rest());
    const std::size_t hand = live.model().tools.size() - 1;
    for (const RigidBody& rigid : live.model().rigids) {
        const std::int32_t last = rigid.first_node + static_cast<std::int32_t>(rigid.local.size()) - 1;
        for (const std::int32_t node : {rigid.first_node, last}) {
            live.hold(hand, node, {0, 0, 0});
            step(live, 1);
            EXPECT_FALSE(live.look().frame.tools[hand].present) << node;
        }
    }
    const Body& chain = live.model().bodies.at(1);
    live.hold(hand, chain.first_node, live.look().frame.positions[static_cast<std::size_t>(chain.first_node)]);
    step(live, 1);
    EXPECT_TRUE(live.look().frame.tools[hand].present) << "the control: a rope's";
    EXPECT_EQ(live.look().frame.tools[hand].node, chain.first_node);
}

TEST(RigidHand, IsAddedToScenesThatBeginWithABone) {
    const OpenScene scene = add_hand(make_source());
    EXPECT_EQ(build_scene(scene.source, 1).model.tools.back().name, "hand");
    std::string bones = testing::ball_scene;
    const std::size_t from = bones.find("[[body]]\nname = \"chain\""), to = bones.find("[[tool]]");
    bones.erase(from, to - from);
    try {
        add_hand(make_source(bones));
        FAIL() << "there is nothing to take hold of";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("all bodies are rigid"), std::string::npos) << error.what();
    }
}

TEST(RigidHand, AScriptCannotGrabABone) {
    std::string text = testing::ball_scene;
    text += "[[tool]]\nname = \"grasper\"\npath = [ { t = 0.5, at = \"bone:0.5\" } ]\n";
    try {
        read_scene(make_source(text));
        FAIL() << "a bone was grabbed";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("mine.toml:26: at: bone is rigid"), std::string::npos) << error.what();
    }
    text.replace(text.find("bone:0.5"), 8, "chain:0.5");
    EXPECT_NO_THROW(read_scene(make_source(text)));
}

}  // namespace
}  // namespace plica
