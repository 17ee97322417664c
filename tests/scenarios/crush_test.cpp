#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/scenarios/full_scenes.hpp"

// Cells survive what contact can do to them, in steps that do not cost much more than others.
namespace plica::testing {
namespace {

struct Crushing {
    bool valid = true;
    int fewest = 1 << 30, most = 0;  // substeps
    double force = 0.0;              // N, the most that a tool felt
};

Crushing run(FullScene& scene, double seconds) {
    Crushing found;
    while (found.valid && scene.world.frame().time < seconds - 1e-9) {
        const int before = scene.substeps;
        found.valid = scene.step();
        if (!found.valid) break;
        found.fewest = std::min(found.fewest, scene.substeps - before);
        found.most = std::max(found.most, scene.substeps - before);
        for (const Vec3& force : scene.world.frame().tool_force) found.force = std::max(found.force, norm(force));
    }
    return found;
}

const std::vector<std::string> from_a_metre{"liver.center=[0,0,1.03]", "liver.cell=0.02"};

TEST(Crush, ALiverFallsFromAMetre) {
    FullScene scene("liver-drop", from_a_metre);
    const Crushing found = run(scene, 1.5);
    ASSERT_TRUE(found.valid) << "at " << scene.world.frame().time;
    EXPECT_LT(scene.least_ratio, 0.3) << "it is hard on cells";
    EXPECT_LE(found.most, 16 * found.fewest);
    EXPECT_EQ(scene.intersections, 0);
    double least = 1.0;
    for (std::size_t c = 0; c < scene.organ().cells(); ++c) {
        least = std::min(least, tled::compute_volume_ratio(scene.organ(), c, scene.rest(), scene.x()));
    }
    EXPECT_GT(least, 0.3) << "and all of them came back";
}

// At 14 m/s cells would have to be pressed further than a step is tried for.
TEST(Crush, WhatFallsTooHardStopsWhereItHits) {
    FullScene scene("liver-drop", {"liver.center=[0,0,0.2]", "liver.cell=0.02", "liver.velocity=[0,0,-14]"});
    const Crushing found = run(scene, 0.3);
    ASSERT_TRUE(found.valid) << "at " << scene.world.frame().time;
    EXPECT_LE(found.most, 4.0 * std::ceil(scene.world.model().dt / scene.organ().shortest_step))
        << "its speed asks too";
    EXPECT_EQ(scene.intersections, 0);
}

// Its law lets cells turn inside out, and stay so.
TEST(Crush, AnotherLawLosesThem) {
    std::vector<std::string> other = from_a_metre;
    other.insert(other.end(), {"liver.element=t4", "liver.material.law=st_venant_kirchhoff"});
    FullScene scene("liver-drop", other);
    EXPECT_FALSE(run(scene, 0.8).valid);
}

TEST(Crush, JawsThatAreToShutStayOpenByWhatIsBetweenThem) {
    const std::vector<std::string> shut{"liver.cell=0.012",
                                        "upper.path=[{t=0,at=[0.11,0,0],turn=[0,0.30,0]},{t=0.4,turn=[0,-0.02,0]}]",
                                        "lower.path=[{t=0,at=[0.11,0,0],turn=[0,-0.30,0]},{t=0.4,turn=[0,0.02,0]}]"};
    FullScene scene("forceps-liver", shut);
    const Crushing found = run(scene, 0.7);
    ASSERT_TRUE(found.valid) << "at " << scene.world.frame().time;
    EXPECT_LE(found.most, 16 * found.fewest);
    EXPECT_EQ(scene.intersections, 0);
    EXPECT_GT(found.force, 1.0);
    EXPECT_LT(found.force, 1.1 * 50.0);
    for (const RigidState& jaw : scene.world.state().rigids) {
        EXPECT_TRUE(norm(jaw.turn) == 0.0 || std::abs(jaw.turn.y) > 0.0) << "not as far as it was sent";
    }
}

}  // namespace
}  // namespace plica::testing
