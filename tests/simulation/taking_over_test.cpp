#include <gtest/gtest.h>

#include <cmath>
#include <plica/plica.hpp>

#include "simulation/inside.hpp"
#include "simulation/live/hand.hpp"
#include "tests/simulation/ball_scene.hpp"

// What happens to a tool that a program takes from its script, the same under every driver.
namespace plica::testing {
namespace {

const std::string tools_scene = std::string(ball_scene) + R"([[tool]]
name = "grasper"
path = [ { t = 0, at = "chain:0.5" }, { t = 1, move = [0, 0, 0.05] } ]
[[tool]]
name = "sphere"
kind = "sphere"
radius = 0.01
path = [ { t = 1e6, at = [0.5, 0.5, 0.5] } ]
)";

class TakingOver : public ::testing::Test {
protected:
    Simulation simulation = Simulation::from_text(tools_scene);
    std::size_t ball = simulation.tool("ball"), grasper = simulation.tool("grasper"),
                sphere = simulation.tool("sphere");
};

TEST_F(TakingOver, ATurnedToolKeepsItsTurn) {
    for (int i = 0; i < 10; ++i) simulation.step();
    const Point turn = simulation.tool_info(ball).turn;
    EXPECT_GT(turn[1], 0.5);
    simulation.move(ball, {0.3, 0.02, 0.1});
    simulation.step();
    EXPECT_EQ(simulation.tool_info(ball).turn, turn);
    EXPECT_EQ(simulation.rigid(simulation.body("ball")).turn, turn);
    EXPECT_EQ(simulation.tool_info(ball).place, (Point{0.3, 0.02, 0.1}));
    simulation.turn(ball, {0, 0, 0.3});
    simulation.step();
    EXPECT_EQ(simulation.tool_info(ball).turn, (Point{0, 0, 0.3}));
    EXPECT_EQ(simulation.tool_info(ball).place, (Point{0.3, 0.02, 0.1}));
    simulation.release(ball);
    simulation.step();
    EXPECT_EQ(simulation.tool_info(ball).place, (Point{0.3, 0.02, 0.1})) << "it is always there";
    simulation.give_back(ball);
    simulation.step();
    EXPECT_GT(simulation.tool_info(ball).turn[1], 0.5) << "the script's again";
}

TEST_F(TakingOver, AGraspBeginsWithWhatItHolds) {
    for (int i = 0; i < 5; ++i) simulation.step();
    const ToolInfo before = simulation.tool_info(grasper);
    ASSERT_NE(before.node, no_index);
    simulation.move(grasper, before.place);
    simulation.step();
    EXPECT_EQ(simulation.tool_info(grasper).node, before.node);
    EXPECT_TRUE(simulation.tool_info(grasper).present);
    EXPECT_EQ(simulation.tool_info(grasper).place, before.place);
    simulation.release(grasper);
    simulation.step();
    EXPECT_FALSE(simulation.tool_info(grasper).present);
    EXPECT_EQ(simulation.tool_info(grasper).node, no_index);
}

TEST_F(TakingOver, ABallThatWaitsStaysWhereItIs) {
    simulation.release(sphere);
    simulation.step();
    EXPECT_EQ(simulation.tool_info(sphere).place, (Point{0.5, 0.5, 0.5}));
    EXPECT_FALSE(simulation.tool_info(sphere).present);
    simulation.move(sphere, {0.4, 0.5, 0.5});
    simulation.step();
    EXPECT_TRUE(simulation.tool_info(sphere).present);
}

TEST_F(TakingOver, WhatCannotBeIsAnError) {
    const std::size_t bone = simulation.bodies()[simulation.body("bone")].first_node;
    EXPECT_THROW(simulation.hold(grasper, bone), Error);
    EXPECT_THROW(simulation.hold(ball, simulation.node_at("chain", 0.5)), Error);
    EXPECT_THROW(simulation.hold(grasper, 1'000'000), Error);
    EXPECT_THROW(simulation.turn(grasper, {0, 0, 1}), Error);
    EXPECT_THROW(simulation.move(17, {0, 0, 0}), Error);
    EXPECT_THROW((void)simulation.tool("nobody"), Error);
    for (const double wrong : {std::nan(""), HUGE_VAL, -1e300}) {
        EXPECT_THROW(simulation.move(ball, {wrong, 0, 0}), Error);
        EXPECT_THROW(simulation.turn(ball, {0, wrong, 0}), Error);
        EXPECT_THROW(simulation.set_gravity({0, 0, wrong}), Error);
    }
    for (const int threads : {-1, 1'000'000'000}) EXPECT_THROW((void)simulation.fork(threads), Error);
    EXPECT_THROW(Simulation::load("chain", {.threads = 0}), Error);
    EXPECT_NO_THROW(simulation.move(ball, {0, 0, 0.3})) << "the control: a place";
    EXPECT_NO_THROW(simulation.hold(grasper, simulation.node_at("chain", 0.5)));
}

// The hand is added to what was read; its text gives the same world to a replay.
TEST(TakingOverByHand, TheTextBuildsTheSameWorld) {
    for (const std::vector<std::string>& overrides :
         {std::vector<std::string>{}, std::vector<std::string>{"hand.max_force=7", "chain.segments=6"}}) {
        const OpenScene read = add_hand({"mine", "mine.toml", tools_scene, overrides});
        Simulation live = make_simulation(read, {}), replayed = make_simulation(open_scene(read.source), {});
        EXPECT_EQ(live.inside().model().tools.back().max_force, replayed.inside().model().tools.back().max_force);
        EXPECT_EQ(live.inside().scenario().fingerprint, replayed.inside().scenario().fingerprint);
        const std::size_t hand = live.tool(read.hand);
        for (Simulation* each : {&live, &replayed}) each->hold(hand, each->node_at("chain", 1.0));
        for (int i = 0; i < 10; ++i) EXPECT_EQ(live.step().hash, replayed.step().hash);
    }
}

}  // namespace
}  // namespace plica::testing
