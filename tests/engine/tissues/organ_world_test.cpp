#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/tissues/organ_worlds.hpp"

// Organs in a world: fall, rest, restoring, the same bits everywhere.
namespace plica::testing {
namespace {

using tled::ElementKind;

TEST(OrganWorld, FallsAsFarAtEveryStep) {
    for (const bool exact : {false, true}) {
        for (const double dt : {1e-3, 1e-4, 1e-5}) {
            EXPECT_NEAR(experiments::fall_freely(dt, exact), 0.02, 0.02 * 1e-4) << dt << " " << exact;
        }
    }
    EXPECT_NEAR(experiments::fall_freely_late(1e-3), 0.0201, 1e-8) << "a whole first increment instead of half of one";
}

SceneDescription viscous_scene(ElementKind kind) {
    SceneDescription scene = block_scene(kind, 0.01, 6);
    tled::Material& material = scene.bodies[0].organ.material;
    material.relaxation[0] = {0.5, 0.05};
    material.relaxations = 1;
    hold(scene, side(0, false));
    scene.gravity = {0, 0, -2};
    return scene;
}

std::uint64_t hash_after(const SceneDescription& scene, int steps, int threads, Isa isa) {
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state), threads, isa);
    std::uint64_t hash = 0;
    for (int i = 0; i < steps; ++i) hash = world.step(quiet_inputs(scene)).hash;
    return hash;
}

TEST(OrganWorld, DependsOnNeitherInstructionsNorThreads) {
    for (const ElementKind kind : {ElementKind::t4, ElementKind::t4anp, ElementKind::h8}) {
        for (const bool exact : {false, true}) {
            SceneDescription scene = viscous_scene(kind);
            scene.exact = exact;
            const std::uint64_t first = hash_after(scene, 10, 1, Isa::base);
            for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
                if (!is_available(isa)) continue;
                for (const int threads : {1, 2, 4}) {
                    EXPECT_EQ(hash_after(scene, 10, threads, isa), first)
                        << element_name(kind) << " " << isa_name(isa) << " " << threads;
                }
            }
            scene.bodies[0].organ.material.shear *= 1.0 + 1e-6;
            EXPECT_NE(hash_after(scene, 10, 1, Isa::base), first) << "a little stiffer";
        }
    }
}

// Saved in mid-run and restored, in the same world and in a new one, a run goes on bit for bit.
TEST(OrganWorld, RestoringGoesOnBitForBit) {
    for (const bool relax : {false, true}) {
        SceneDescription scene = viscous_scene(ElementKind::t4anp);
        scene.bodies[0].organ.relax = relax;
        scene.dt = 0.05;
        World world = make_world(scene);
        const Inputs inputs = quiet_inputs(scene);
        for (int i = 0; i < 7; ++i) world.step(inputs);
        const State saved = world.state();
        std::vector<std::uint64_t> hashes;
        for (int i = 0; i < 20; ++i) hashes.push_back(world.step(inputs).hash);
        world.restore(saved);
        for (const std::uint64_t hash : hashes) EXPECT_EQ(world.step(inputs).hash, hash);
        Built built = build_scene(scene, 1);
        World other(std::move(built.model), saved, 2);
        for (const std::uint64_t hash : hashes) EXPECT_EQ(other.step(inputs).hash, hash);
        // Without what it remembers it is another run.
        State forgetful = saved;
        std::fill(forgetful.of<Solids>()[0].history.single.begin(), forgetful.of<Solids>()[0].history.single.end(),
                  0.0F);
        world.restore(forgetful);
        for (std::size_t i = 0; i + 1 < hashes.size(); ++i) world.step(inputs);
        EXPECT_NE(world.step(inputs).hash, hashes.back());
    }
}

double tip_of(const World& world) {
    double lowest = HUGE_VAL;
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        if (world.model().rest[n].x > 0.125 - 1e-9) lowest = std::min(lowest, world.state().x[n].z);
    }
    return lowest;
}

// Steps until the report says that all is at rest, or `most`.
int run_to_rest(World& world, const Inputs& inputs, int most) {
    for (int i = 0; i < most; ++i) {
        if (world.step(inputs).at_rest) return i;
    }
    return most;
}

SceneDescription bar_scene() {
    return read_scene(find_scene("cantilever", {"bar.cells=[10,2,2]"}));
}

TEST(OrganWorld, RelaxationComesToRestWhereDampingDoes) {
    SceneDescription scene = bar_scene();
    const Inputs inputs = quiet_inputs(scene);
    World relaxed = make_world(scene);
    EXPECT_LT(run_to_rest(relaxed, inputs, 1000), 1000);
    scene.bodies[0].organ.relax = false;
    World swinging = make_world(scene);
    EXPECT_EQ(run_to_rest(swinging, inputs, 300), 300) << "nothing relaxes";
    scene.bodies[0].organ.damping = 15.0;
    World damped = make_world(scene);
    run_for(damped, inputs, 10.0);
    const double fallen = tip_of(damped) + 0.025;
    EXPECT_LT(fallen, -0.005);
    EXPECT_NEAR(tip_of(relaxed), tip_of(damped), 5e-3 * std::abs(fallen)) << "as near as the stopping rule asks for";
    EXPECT_GT(std::abs(tip_of(swinging) - tip_of(damped)), 2e-2 * std::abs(fallen)) << "an undamped one still swings";
}

// However few substeps a step has.
TEST(OrganWorld, RelaxationWorksWithShortSteps) {
    for (const double dt : {0.005, 0.001}) {
        SceneDescription scene = bar_scene();
        scene.dt = dt;
        World world = make_world(scene);
        EXPECT_LT(run_to_rest(world, quiet_inputs(scene), static_cast<int>(10.0 / dt)), static_cast<int>(10.0 / dt))
            << dt;
    }
}

TEST(OrganWorld, NothingIsAtRestWhileALoadGrows) {
    SceneDescription scene = bar_scene();
    LoadDescription load;
    load.load.kind = LoadKind::force;
    load.load.value = {0, 0, -0.01};
    load.load.ramp = {RampShape::smooth, 5.0, 6.0};
    load.where = side(0, true);
    scene.bodies[0].organ.loads.push_back(load);
    World world = make_world(scene);
    const int rest = run_to_rest(world, quiet_inputs(scene), 1000);
    EXPECT_GE(rest * scene.dt, 5.9);
    EXPECT_LT(rest, 1000);
}

TEST(OrganWorld, BlockStretchSceneFollowsTheScalarEquation) {
    const SceneDescription scene = read_scene(find_scene("block-stretch", {"solver.precision=double"}));
    World world = make_world(scene);
    run_for(world, quiet_inputs(scene), scene.seconds);
    const experiments::Stretching theory =
        experiments::solve_stretching(experiments::make_neo_hookean(3000.0, 0.45), 1.3);
    double widest = 0.0, force = 0.0;
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        widest = std::max(widest, world.state().x[n].y);
        if (world.model().rest[n].x > 0.1 - 1e-9) force += world.work<Solids>().organs[0].force[n].x;
    }
    EXPECT_NEAR(widest / 0.1, theory.lateral, 1e-6);
    EXPECT_NEAR(force / theory.force, 1.0, 1e-5);
    EXPECT_GT(std::abs(theory.lateral - 1.0), 0.05);
}

}  // namespace
}  // namespace plica::testing
