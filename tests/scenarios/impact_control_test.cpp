#include <gtest/gtest.h>

#include <string>

#include "tests/scenarios/scenarios.hpp"

// S5, the other way around: what lets ropes that fly at each other pass. (That none does is contact_impact_test's.)
namespace plica::testing {
namespace {

// One rope across another, thrown at it.
Outcome throw_rope(double speed, int substeps, bool contact, bool certify) {
    SceneDescription scene = rope_scene(0.4, 9);
    scene.bodies[0].rope.from = {-0.2, 0, 0.05};
    scene.bodies[0].rope.radius = 0.02;
    scene.bodies.push_back(scene.bodies[0]);
    scene.bodies[1].name = "other";
    scene.bodies[1].rope.from = {0.01, -0.2, 0};
    scene.bodies[1].rope.direction = {0, 1, 0};
    scene.dt = 0.033;
    scene.substeps = substeps;
    scene.gravity = {};
    scene.contact.enabled = contact;
    scene.certify = certify;
    Built built = build_scene(scene, 1);
    for (std::size_t n = 0; n < 10; ++n) built.state.v[n] = {0, 0, -speed};
    World world(std::move(built.model), std::move(built.state));
    audit::Audit audit(world.model().surface, world.model().rest, 2);
    world.keep_trail(true);
    Outcome o;
    const int steps = static_cast<int>(0.05 / speed / scene.dt) + 3;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(quiet_inputs(scene));
        o.pass_throughs += audit.examine(world.trail(), report.substeps).pass_throughs;
    }
    return o;
}

TEST(ThrownRope, PassesOnlyWithoutContact) {
    for (const int substeps : {1, 20}) {
        int through = 0;
        for (int k = 0; k < 40; ++k) {
            const double speed = 0.05 + 1.5 * k;  // to 58 m/s
            EXPECT_EQ(throw_rope(speed, substeps, true, true).pass_throughs, 0) << speed << " m/s";
            through += throw_rope(speed, substeps, false, true).pass_throughs > 0 ? 1 : 0;
        }
        EXPECT_EQ(through, 40) << substeps << " substeps";
    }
}

// The response by itself keeps them apart as well: certify is the last word, not the first.
TEST(ThrownRope, ResponseAloneHolds) {
    for (int k = 0; k < 40; ++k) {
        EXPECT_EQ(throw_rope(0.05 + 1.5 * k, 20, true, false).pass_throughs, 0) << 0.05 + 1.5 * k << " m/s";
    }
}

}  // namespace
}  // namespace plica::testing
