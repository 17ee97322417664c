#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "tests/engine/worlds.hpp"
#include "tests/io/recording/recordings.hpp"

// Parameters changed while a scene runs: they do what they say, leave no trace when they are not used, and are inputs.
namespace plica::testing {
namespace {

class TuningTest : public TempFolderTest {};

SceneDescription pile(const std::vector<std::string>& overrides = {}) {
    std::vector<std::string> all{"gut.segments=60", "gut.length=2.4", "gut.radius=0.02"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return read_scene(find_scene("intestine-pile", all));
}

Tuning detected_by(DetectorKind kind) {
    Tuning tuning;
    tuning.detector = static_cast<std::int32_t>(kind);
    return tuning;
}

// Hashes of `steps` steps, with `tuning` from step `from` up to `to`.
std::vector<std::uint64_t> hashes(const SceneDescription& scene, const Tuning& tuning, int from, int to, int steps) {
    World world = make_world(scene);
    Inputs inputs = quiet_inputs(scene);
    std::vector<std::uint64_t> list;
    for (int i = 0; i < steps; ++i) {
        inputs.tuning = i >= from && i < to ? tuning : Tuning{};
        list.push_back(world.step(inputs).hash);
    }
    return list;
}

TEST(Tuning, WhatTheSceneSaysChangesNothing) {
    const SceneDescription scene = pile();
    const auto plain = hashes(scene, {}, 0, 0, 40);
    Tuning same;
    same.friction = scene.contact.friction;
    EXPECT_EQ(plain, hashes(scene, same, 5, 40, 40));
    Tuning other = same;
    other.friction += 1e-3;
    EXPECT_NE(plain, hashes(scene, other, 5, 40, 40));
}

// A block drawn to a given length pulls back with the modulus.
TEST(Tuning, StiffnessActsOnSolids) {
    const SceneDescription scene = read_scene(find_scene("block-stretch", {"block.cells=[2,2,2]"}));
    const auto pull = [&](double stiffness) {
        World world = make_world(scene);
        Inputs inputs = quiet_inputs(scene);
        inputs.tuning.stiffness = stiffness;
        for (int i = 0; i < 180; ++i) EXPECT_TRUE(world.step(inputs).is_valid());
        double sum = 0.0;
        for (const Vec3& force : world.work<Solids>().organs[0].force) sum += std::abs(force.x);
        return sum;
    };
    EXPECT_NEAR(pull(2.0) / pull(1.0), 2.0, 0.01);
}

// After a change the scene's own values are back to the last bit: a world tuned before its first step differs from one
// that never was only in what happened meanwhile.
TEST(Tuning, GoesBackExactly) {
    const SceneDescription scene = pile();
    World tuned = make_world(scene);
    const State start = tuned.state();
    Inputs inputs = quiet_inputs(scene);
    inputs.tuning = {3.0, 0.3, 0.9, -1};
    for (int i = 0; i < 10; ++i) tuned.step(inputs);
    tuned.restore(start);
    World plain = make_world(scene);
    for (int i = 0; i < 30; ++i) {
        inputs.tuning = {};
        ASSERT_EQ(tuned.step(inputs).hash, plain.step(inputs).hash) << i;
    }
}

double hanging_stretch(double stiffness) {
    SceneDescription scene = rope_scene(1.0, 20, {0, 0, -1});
    scene.bodies[0].fixed_start = true;
    scene.drag = 5.0;
    World world = make_world(scene);
    Inputs inputs = quiet_inputs(scene);
    inputs.tuning.stiffness = stiffness;
    run_for(world, inputs, 6.0);
    return world.state().x[0].z - world.state().x[20].z - 1.0;
}

TEST(Tuning, StiffnessScalesTheSprings) {
    const double once = hanging_stretch(1.0);
    EXPECT_NEAR(once, 0.5 * 0.5 * 9.81 / 300.0, 1e-4);  // rho g L^2 / (2 EA)
    EXPECT_NEAR(hanging_stretch(4.0), once / 4.0, 0.02 * once);
}

double swing_left(double damping) {
    SceneDescription scene = rope_scene(1.0, 20, {0, 0, -1});
    scene.bodies[0].fixed_start = true;
    World world = make_world(scene);
    Inputs inputs = quiet_inputs(scene);
    inputs.tuning.damping = damping;
    run_for(world, inputs, 0.5);  // it bounces on its own springs
    return kinetic_energy(world);
}

TEST(Tuning, DampingScalesTheViscosity) {
    EXPECT_LT(swing_left(10.0), 0.2 * swing_left(0.1));
}

// A rope on a plane that leans by 20 degrees: slides below tan 20 = 0.36, holds above.
double slid(double friction) {
    SceneDescription scene = rope_scene(0.4, 10);
    Wall plane;
    plane.kind = WallKind::plane;
    plane.normal = {0, 0, 1};
    plane.center = {0, 0, -0.0051};
    plane.friction = 0.2;
    scene.walls.push_back(plane);
    World world = make_world(scene);
    Inputs inputs = quiet_inputs(scene);
    inputs.gravity = {0.0, 9.81 * std::sin(0.349), -9.81 * std::cos(0.349)};
    inputs.tuning.friction = friction;
    const double before = world.state().x[5].y;
    run_for(world, inputs, 1.0);
    return world.state().x[5].y - before;
}

TEST(Tuning, FrictionHoldsAgainstWallsToo) {
    EXPECT_GT(slid(-1.0), 0.5);  // the scene's own
    EXPECT_GT(slid(0.25), 0.3);
    EXPECT_LT(slid(0.6), 0.01);
}

TEST(Tuning, ExactDetectorsGiveWayToEachOtherUnnoticed) {
    const SceneDescription scene = pile({"solver.detector=grid"});
    const auto grid = hashes(scene, {}, 0, 0, 60);
    EXPECT_EQ(grid, hashes(scene, detected_by(DetectorKind::brute), 10, 40, 60));
    EXPECT_EQ(grid, hashes(scene, detected_by(DetectorKind::bvh), 3, 60, 60));
    EXPECT_NE(grid, hashes(scene, detected_by(DetectorKind::tracked), 10, 40, 60));  // which may miss pairs
}

TEST(Tuning, TheTrackedDetectorIsTheSceneFilesOwn) {
    EXPECT_EQ(hashes(pile({"solver.detector=tracked"}), {}, 0, 0, 40),
              hashes(pile({"solver.detector=grid"}), detected_by(DetectorKind::tracked), 0, 40, 40));
}

TEST(Tuning, DetectorsThatCannotBeArePassedOver) {
    const SceneDescription sheet = read_scene(find_scene("intestine"));
    const auto plain = hashes(sheet, {}, 0, 0, 3);
    EXPECT_EQ(plain, hashes(sheet, detected_by(DetectorKind::tracked), 0, 3, 3));  // it has triangles
    Tuning unknown;
    unknown.detector = 17;
    EXPECT_EQ(plain, hashes(sheet, unknown, 0, 3, 3));
}

// State and inputs are all that counts, not what the world was tuned to before.
TEST(Tuning, ASavedStateContinuesBitForBit) {
    const SceneDescription scene = pile();
    for (const DetectorKind kind : {DetectorKind::brute, DetectorKind::tracked}) {
        Inputs inputs = quiet_inputs(scene);
        inputs.tuning = detected_by(kind);
        inputs.tuning.stiffness = 2.0;
        World whole = make_world(scene);
        for (int i = 0; i < 20; ++i) whole.step(inputs);
        World resumed = make_world(scene, 99);
        resumed.restore(whole.state());
        for (int i = 0; i < 40; ++i) {
            if (i == 20) inputs.tuning = {};
            ASSERT_EQ(whole.step(inputs).hash, resumed.step(inputs).hash) << detector_name(kind) << " " << i;
        }
    }
}

Inputs changing_inputs(const SceneDescription& scene, int step) {
    Inputs inputs = quiet_inputs(scene);
    if (step >= 10) inputs.tuning.friction = 0.7;
    if (step >= 15) inputs.tuning.stiffness = 2.5;
    if (step >= 20) inputs.tuning.damping = 3.0;
    if (step >= 25 && step < 45) inputs.tuning.detector = static_cast<std::int32_t>(DetectorKind::tracked);
    if (step >= 30) inputs.gravity = {9.81, 0, 0};
    return inputs;
}

void record_changes(const std::string& path, const SceneDescription& scene) {
    World world = make_world(scene);
    const RecordingHeader header{"pile",          "", {}, 1, static_cast<std::int32_t>(world.model().nodes()), 0,
                                 world.model().dt};
    RecordingWriter writer(path, header, world.state().x);
    for (int i = 0; i < 60; ++i) {
        const Inputs inputs = changing_inputs(scene, i);
        const StepReport report = world.step(inputs);
        writer.append(inputs, report.hash, world.frame().tool_force, world.frame().tool_torque,
                      world.frame().positions);
    }
    writer.close();
}

// Steps that repeat what is recorded, when `forget` has been at the inputs.
int repeated(const std::string& path, const SceneDescription& scene, const std::function<void(Inputs&)>& forget) {
    RecordingReader reader(path);
    World world = make_world(scene);
    RecordedStep step;
    int count = 0;
    while (reader.next(step)) {
        forget(step.inputs);
        if (world.step(step.inputs).hash != step.hash) break;
        ++count;
    }
    return count;
}

TEST_F(TuningTest, ChangesAreRecordedAndReplayed) {
    const SceneDescription scene = pile();
    record_changes(file("changes.plica"), scene);
    EXPECT_EQ(repeated(file("changes.plica"), scene, [](Inputs&) {}), 60);
    EXPECT_LT(repeated(file("changes.plica"), scene, [](Inputs& i) { i.tuning.friction = -1.0; }), 30);
    EXPECT_LT(repeated(file("changes.plica"), scene, [](Inputs& i) { i.tuning.stiffness = 1.0; }), 30);
    EXPECT_LT(repeated(file("changes.plica"), scene, [](Inputs& i) { i.tuning.damping = 1.0; }), 30);
    EXPECT_LT(repeated(file("changes.plica"), scene, [](Inputs& i) { i.tuning.detector = -1; }), 45);
    EXPECT_LT(repeated(file("changes.plica"), scene, [](Inputs& i) { i.gravity = {0, 0, -9.81}; }), 45);
}

}  // namespace
}  // namespace plica::testing
