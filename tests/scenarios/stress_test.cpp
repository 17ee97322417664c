#include <gtest/gtest.h>

#include "tests/scenarios/scenarios.hpp"

// The first seconds of intestine-stress: the probe has pulled at one place and gravity has turned once.
namespace plica::testing {
namespace {

TEST(Stress, NothingPassesThroughAnything) {
    const SceneDescription scene = read_scene(find_scene("intestine-stress"));
    double fastest = 0.0;
    const Outcome o =
        run_scene(scene, 1, 2.6, [&](const World& world) { fastest = std::max(fastest, compute_fastest(world)); });
    EXPECT_EQ(o.pass_throughs, 0);
    EXPECT_LE(o.worst, 0.5);
    EXPECT_LE(o.tool_force, 3.0 * (1.0 + 1e-9));
    EXPECT_GT(fastest, 1.0) << "m/s: this is no stress";
}

TEST(Stress, WithoutContactTheyDo) {
    const Outcome o = run_scene(read_scene(find_scene("intestine-stress", {"contact.enabled=false"})), 1, 1.5);
    EXPECT_GT(o.pass_throughs, 10);
    EXPECT_GT(o.worst, 0.5);
}

}  // namespace
}  // namespace plica::testing
