#include <gtest/gtest.h>

#include <cmath>

#include "scene/audit/audit.hpp"
#include "worlds.hpp"

// Whole scenes under the independent audit.
namespace plica::testing {
namespace {

struct Outcome {
    double worst = 0.0, settled = 0.0, stretch = 0.0, peak_stretch = 0.0, rms = 0.0, touching = 0.0;
    int pass_throughs = 0;
    bool flagged = false;
};

Outcome run_scene(const SceneDescription& scene, std::uint64_t seed, double seconds) {
    World world = make_world(scene, seed);
    Script script(scene);
    audit::Audit audit(world.model().surface, world.model().rest, static_cast<int>(world.model().bodies.size()));
    world.keep_trail(true);
    Outcome o;
    const auto steps = static_cast<int>(std::lround(seconds / world.model().dt));
    const int last = static_cast<int>(std::lround(2.0 / world.model().dt));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(script.next(world));
        o.flagged = o.flagged || report.flag_count > 0;
        const audit::StepFindings& found = audit.examine(world.trail(), report.substeps);
        o.worst = std::max(o.worst, found.worst);
        o.pass_throughs += found.pass_throughs;
        o.stretch = mass_spring::compute_max_stretch(world.model().network, world.state().x, 0);
        o.peak_stretch = std::max(o.peak_stretch, o.stretch);
        if (i < steps - last) continue;
        o.settled = std::max(o.settled, found.worst);
        o.touching += static_cast<double>(found.touching) / last;
    }
    double square = 0.0;
    for (const Vec3& v : world.state().v) square += squared_norm(v);
    o.rms = std::sqrt(square / static_cast<double>(world.state().v.size()));
    return o;
}

// S1, all six seeds.
TEST(Pile, SettlesWithoutPenetration) {
    const SceneDescription scene = read_scene(find_scene("intestine-pile"));
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Outcome o = run_scene(scene, seed, 8.0);
        EXPECT_LE(o.worst, 0.12) << "seed " << seed;
        EXPECT_LE(o.settled, 0.03) << "seed " << seed;
        EXPECT_EQ(o.pass_throughs, 0) << "seed " << seed;
        EXPECT_LE(o.rms, 0.01) << "seed " << seed;
        EXPECT_LE(o.stretch, 0.02) << "seed " << seed;
        EXPECT_LE(o.peak_stretch, 0.05) << "seed " << seed;  // a few springs, in the substep of the impact
        EXPECT_GE(o.touching, 60.0) << "seed " << seed;
        EXPECT_FALSE(o.flagged) << "seed " << seed;
    }
}

TEST(Pile, WithoutContactTheSameAuditFails) {
    SceneDescription scene = read_scene(find_scene("intestine-pile", {"contact.enabled=false"}));
    const Outcome o = run_scene(scene, 1, 4.0);
    EXPECT_GT(o.pass_throughs, 10);
    EXPECT_GT(o.worst, 1.0);
}

// The papers' response keeps the pile apart in small steps, less well than ours.
TEST(Pile, PaperResponseWorksInSmallSteps) {
    SceneDescription scene =
        read_scene(find_scene("intestine-pile", {"solver.response=raghupathi", "contact.sweeps=4"}));
    const Outcome paper = run_scene(scene, 1, 5.0);
    EXPECT_EQ(paper.pass_throughs, 0);
    EXPECT_LT(paper.worst, 0.5);
}

TEST(Intestine, GutAndMesenteryTouchAndStaySound) {
    const SceneDescription scene = read_scene(find_scene("intestine"));
    const Outcome o = run_scene(scene, 1, 3.0);
    EXPECT_FALSE(o.flagged);
    EXPECT_EQ(o.pass_throughs, 0);
    EXPECT_LE(o.worst, 0.5);
    EXPECT_LE(o.settled, 0.1);
    EXPECT_LE(o.stretch, 0.05);
}

}  // namespace
}  // namespace plica::testing
