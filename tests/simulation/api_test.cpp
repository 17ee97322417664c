#include <gtest/gtest.h>

#include <cmath>
#include <plica/plica.hpp>

// The library as others see it: places and temperatures of heat tissue.
namespace plica::testing {
namespace {

const char* const scene = R"(plica = 1
[solver]
dt = 0.01
substeps = 1
[environment]
gravity = [0, 0, 0]
[[body]]
name = "organ"
tissue = "heat"
fixed = [ { box = [[-2, -2, -2], [2, 2, -0.8]] } ]
[[body]]
name = "thread"
anatomy = "rope"
from = [5, 0, 0]
[[tool]]
name = "finger"
max_force = 8
path = [ { t = 1e6, at = "organ", near = [0, 0, 1] } ]
)";

TEST(Api, APulledNodeOfHeatTissueWarms) {
    Simulation simulation = Simulation::from_text(scene);
    const std::size_t top = simulation.nearest_node("organ", {0, 0, 1}), finger = simulation.tool("finger");
    EXPECT_NEAR(simulation.position(top)[2], 1.0, 0.1);
    EXPECT_EQ(simulation.temperature(top), 0.0);
    EXPECT_TRUE(std::isnan(simulation.temperature(simulation.node_at("thread", 0.5))));
    simulation.hold(finger, top);
    Point hand = simulation.position(top);
    for (int i = 0; i < 100; ++i) {
        hand[2] += 0.002;
        simulation.move(finger, hand);
        EXPECT_TRUE(simulation.step().valid);
    }
    EXPECT_LT(simulation.tool_force(finger)[2], -0.5);
    EXPECT_GT(simulation.temperature(top), 0.05);
    EXPECT_GT(simulation.temperature(top), simulation.temperature(simulation.nearest_node("organ", {1, 0, 0})));
    EXPECT_THROW((void)simulation.nearest_node("nobody", {0, 0, 0}), std::runtime_error);
}

}  // namespace
}  // namespace plica::testing
