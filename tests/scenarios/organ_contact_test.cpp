#include <gtest/gtest.h>

#include "tests/scenarios/scenarios.hpp"
#include "tests/scene/file/scene_texts.hpp"

// Solids meet what there was before them: walls, tubes, probes.
namespace plica::testing {
namespace {

const std::string liver_and_bowel = R"(plica = 1
[solver]
substeps = 10
[[body]]
name = "liver"
tissue = "tled"
shape = "liver"
cell = 0.016
element = "t4anp"
damping = 4.0
center = [0, 0, 0.07]
[[body]]
name = "bowel"
anatomy = "rope"
length = 0.4
radius = 0.012
segments = 25
from = [-0.2, 0.0, 0.16]
[environment]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[[tool]]
name = "probe"
kind = "sphere"
radius = 0.01
path = [ { t = 1.0, at = [0.0, -0.12, 0.06] }, { t = 2.0, to = [0.0, -0.04, 0.06] }, { t = 2.8, to = [0.0, -0.12, 0.06] } ]
)";

TEST(OrganContact, ARopeAndAProbeTouchALiverOnAPlane) {
    const Outcome found = run_scene(read(liver_and_bowel), 1, 3.0);
    EXPECT_FALSE(found.flagged);
    EXPECT_EQ(found.pass_throughs, 0);
    EXPECT_LT(found.worst, 0.12);
    EXPECT_LT(found.outside, 1e-4);
    EXPECT_GT(found.tool_force, 0.3);
}

TEST(OrganContact, WithoutContactTheyPassThrough) {
    const Outcome found = run_scene(read(liver_and_bowel, {"contact.enabled=false"}), 1, 1.0);
    EXPECT_GT(found.pass_throughs, 10);
    EXPECT_GT(found.worst, 1.0);
}

// A ball presses on a block that stands on a held side: what it feels is what holds the block.
TEST(OrganContact, AProbeFeelsWhatHoldsTheBlock) {
    const SceneDescription scene = read(R"(plica = 1
[solver]
substeps = 1
[[body]]
name = "block"
tissue = "tled"
shape = "block"
cells = [6, 6, 6]
damping = 30.0
fixed = [ { side = "-z" } ]
[environment]
gravity = [0, 0, 0]
[[tool]]
name = "probe"
kind = "sphere"
radius = 0.02
path = [ { t = 0.1, at = [0.003, 0.002, 0.08] }, { t = 0.8, to = [0.003, 0.002, 0.062] } ]
)");
    World world = make_world(scene);
    Script script(scene);
    for (int i = 0; i < 90; ++i) ASSERT_TRUE(world.step(script.next(world)).is_valid());
    const tled::Organ& organ = world.model().of<Solids>()[0];
    Vec3 held;
    for (std::size_t n = 0; n < organ.held.size(); ++n) {
        if (organ.held[n] == 7) held += world.work<Solids>().organs[0].force[n];
    }
    const Vec3 felt = world.frame().tool_force[0];
    EXPECT_GT(felt.z, 0.05);
    EXPECT_NEAR(felt.z, held.z, 0.002 * felt.z);
    EXPECT_NEAR(felt.x, held.x, 0.002 * felt.z);
}

TEST(OrganContact, ABallStaysInABowlAndComesToRest) {
    const Outcome found = run_scene(read(R"(plica = 1
[solver]
substeps = 1
[[body]]
name = "ball"
tissue = "tled"
shape = "ball"
radius = 0.04
cell = 0.012
damping = 6.0
center = [0.05, 0, 0.02]
[environment]
bowl = { radius = 0.15, center = [0, 0, 0.1] }
)"),
                                    1, 4.0);
    EXPECT_FALSE(found.flagged);
    EXPECT_LT(found.outside, 1e-4);
    EXPECT_LT(found.rms, 0.01);
}

}  // namespace
}  // namespace plica::testing
