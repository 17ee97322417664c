#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/worlds.hpp"

// State, replay, flags: what later work stands on.
namespace plica::testing {
namespace {

SceneDescription pile_scene(int segments = 60) {
    return read_scene(find_scene("intestine-pile",
                                 {"gut.segments=" + std::to_string(segments), "gut.length=2.4", "gut.radius=0.02"}));
}

State run_pile(int steps, std::uint64_t seed) {
    const SceneDescription scene = pile_scene();
    World world = make_world(scene, seed);
    const Inputs inputs = quiet_inputs(scene);
    for (int i = 0; i < steps; ++i) world.step(inputs);
    return world.state();
}

TEST(State, HashChangesWithAnyBit) {
    State state = run_pile(25, 1);
    state.tools.push_back({});
    state.rigids.push_back({});
    state.joints.push_back({});
    state.active.push_back({1, 2});
    ASSERT_FALSE(state.candidates.pairs.empty());
    ASSERT_FALSE(state.wall_memory.empty());
    const std::uint64_t before = compute_hash(state);
    std::size_t arrays = 0;
    State::for_each_array(state, [&](auto values) {
        ++arrays;
        ASSERT_FALSE(values.empty());
        auto* bytes = reinterpret_cast<unsigned char*>(values.data());
        const std::size_t bits = 8 * values.size_bytes();
        const std::size_t stride =
            bits > 4096 ? bits / 4096 + 1 : 1;  // all bits of small arrays, a comb over large ones
        for (std::size_t bit = 0; bit < bits; bit += stride) {
            bytes[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
            ASSERT_NE(compute_hash(state), before) << "array " << arrays << " bit " << bit;
            bytes[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
        }
    });
    EXPECT_EQ(arrays, 13U);
    EXPECT_EQ(compute_hash(state), before);
    state.x.push_back({});
    EXPECT_NE(compute_hash(state), before);
}

// Every member of State is in the list that is hashed: its size accounts for all of it.
int count_arrays(const State& state) {
    int arrays = 0;
    State::for_each_array(state, [&](auto) { ++arrays; });
    return arrays;
}
State with_organ() {
    State state;
    state.of<Solids>().resize(1);
    return state;
}
// Eq. 22 remembers velocities of its own, which are left out where there are none.
State with_membrane(std::size_t ahead) {
    State state;
    state.of<HeatSurfaces>().resize(1);
    state.of<HeatSurfaces>()[0].ahead.resize(ahead);
    return state;
}

TEST(State, NoMemberIsForgotten) {
    State state;
    std::size_t accounted = 0;
    State::for_each_array(state, [&](auto values) {
        using Value = std::remove_reference_t<decltype(values[0])>;
        const auto is = [&](std::uint64_t& word) { return values.data() == reinterpret_cast<Value*>(&word); };
        accounted += is(state.random.state) || is(state.step) || is(state.substeps) ? sizeof(std::uint64_t)
                                                                                    : sizeof(std::vector<int>);
    });
    accounted += sizeof(std::vector<JointMemory>);          // none here: then it is left out
    accounted += sizeof(std::vector<tled::OrganState>);     // none here: each has three arrays and its numbers
    accounted += sizeof(std::vector<heat::MembraneState>);  // none here: four and its numbers
    accounted += sizeof(OwnTissues::States);                // none here: each has one array
    EXPECT_EQ(accounted, sizeof(State));
    EXPECT_EQ(sizeof(tled::OrganState), 3 * sizeof(std::vector<int>) + sizeof(tled::OrganState::Numbers));
    EXPECT_EQ(count_arrays(State{}) + 4, count_arrays(with_organ()));
    EXPECT_EQ(sizeof(heat::MembraneState), 4 * sizeof(std::vector<int>) + sizeof(heat::MembraneState::Numbers));
    EXPECT_EQ(count_arrays(State{}) + 4, count_arrays(with_membrane(0)));
    EXPECT_EQ(count_arrays(State{}) + 5, count_arrays(with_membrane(1)));
}

TEST(World, EqualSeedsGiveEqualBits) {
    EXPECT_EQ(compute_hash(run_pile(30, 1)), compute_hash(run_pile(30, 1)));
    EXPECT_NE(compute_hash(run_pile(30, 1)), compute_hash(run_pile(30, 2)));
}

TEST(World, ASavedStateContinuesBitForBit) {
    const SceneDescription scene = pile_scene();
    const Inputs inputs = quiet_inputs(scene);
    World whole = make_world(scene);
    for (int i = 0; i < 20; ++i) whole.step(inputs);
    const State saved = whole.state();
    std::uint64_t hash = 0;
    for (int i = 0; i < 20; ++i) hash = whole.step(inputs).hash;
    World resumed = make_world(scene, 99);
    resumed.restore(saved);
    std::uint64_t other = 0;
    for (int i = 0; i < 20; ++i) other = resumed.step(inputs).hash;
    EXPECT_EQ(hash, other);
    State broken = saved;  // negative control: what contact remembers matters
    for (Pair& pair : broken.candidates.pairs) pair.push = 0.0;
    resumed.restore(broken);
    for (int i = 0; i < 20; ++i) other = resumed.step(inputs).hash;
    EXPECT_NE(hash, other);
}

TEST(World, NotANumberIsFlaggedAndTheLastGoodStateKept) {
    const SceneDescription scene = pile_scene();
    World world = make_world(scene);
    const Inputs inputs = quiet_inputs(scene);
    EXPECT_TRUE(world.step(inputs).is_valid());
    State state = world.state();
    state.v[10].y = std::numeric_limits<double>::quiet_NaN();
    world.restore(state);
    const StepReport report = world.step(inputs);
    EXPECT_FALSE(report.is_valid());
    ASSERT_GT(report.flag_count, 0);
    EXPECT_EQ(report.flags[0].kind, FlagKind::non_finite);
    EXPECT_EQ(world.model().bodies[static_cast<std::size_t>(report.flags[0].body)].name, "gut");
    for (const Vec3& p : world.frame().positions) EXPECT_TRUE(is_finite(p));
    EXPECT_EQ(world.state().step, 1U);
}

TEST(World, OverflowIsFlaggedNotThrown) {
    SceneDescription scene = pile_scene();
    World world = make_world(scene);
    Inputs inputs = quiet_inputs(scene);
    inputs.gravity = {0, 0, -1e300};
    const StepReport report = world.step(inputs);
    EXPECT_FALSE(report.is_valid());
    for (const Vec3& p : world.frame().positions) EXPECT_TRUE(is_finite(p));
}

TEST(World, OverstretchIsFlaggedByName) {
    SceneDescription scene = rope_scene(1.0, 20, {0, 0, -1});
    scene.bodies[0].fixed_start = true;
    scene.bodies[0].axial_stiffness = 1.0;
    World world = make_world(scene);
    const Inputs inputs = quiet_inputs(scene);
    StepReport report;
    for (int i = 0; i < 60; ++i) report = world.step(inputs);
    EXPECT_TRUE(report.is_valid());
    ASSERT_EQ(report.flag_count, 1);
    EXPECT_EQ(report.flags[0].kind, FlagKind::overstretched);
    EXPECT_EQ(report.flags[0].body, 0);
}

TEST(World, ReportAddsUp) {
    const SceneDescription scene = pile_scene();
    World world = make_world(scene);
    const Inputs inputs = quiet_inputs(scene);
    StepReport report;
    for (int i = 0; i < 40; ++i) report = world.step(inputs);
    double stages = 0.0;
    for (const double s : report.stage_seconds) {
        EXPECT_GT(s, 0.0);
        stages += s;
    }
    EXPECT_GT(report.seconds, 0.0);
    EXPECT_GT(stages, 0.0);
    EXPECT_GT(report.distance_tests, 0);
    EXPECT_GT(report.contacts, 1.0);
    EXPECT_EQ(report.hash, compute_hash(world.state()));
    EXPECT_EQ(world.frame().step, 40U);
    EXPECT_NEAR(world.frame().time, 40.0 / 30.0, 1e-12);
}

TEST(World, TrailHoldsEverySubstep) {
    const SceneDescription scene = pile_scene();
    World world = make_world(scene);
    world.keep_trail(true);
    const State before = world.state();
    world.step(quiet_inputs(scene));
    const std::size_t nodes = world.model().nodes();
    ASSERT_EQ(world.trail().size(), 21 * nodes);
    EXPECT_EQ(world.trail()[5], before.x[5]);
    EXPECT_EQ(world.trail()[20 * nodes + 5], world.state().x[5]);
}

TEST(World, TrailHoldsEverySoManySubsteps) {
    const SceneDescription scene = pile_scene();
    World whole = make_world(scene), world = make_world(scene);
    whole.keep_trail(true);
    world.keep_trail(true, 8);
    whole.step(quiet_inputs(scene));
    world.step(quiet_inputs(scene));
    const std::size_t nodes = world.model().nodes();
    ASSERT_EQ(world.trail().size(), 4 * nodes);
    const std::size_t substeps[4] = {0, 8, 16, 20};
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t n = 0; n < nodes; ++n)
            ASSERT_EQ(world.trail()[row * nodes + n], whole.trail()[substeps[row] * nodes + n]);
    world.keep_trail(false);
    world.step(quiet_inputs(scene));
    EXPECT_TRUE(world.trail().empty());
}

// The cavity holds: gut and mesentery in a closed ellipsoid while gravity turns (S4, shortened).
TEST(World, NothingLeavesTheCavity) {
    SceneDescription scene = read_scene(find_scene(
        "intestine", {"gut.preset=corrected", "gut.segments=99", "environment.cavity.radii=[0.22,0.22,0.22]"}));
    World world = make_world(scene);
    Inputs inputs = quiet_inputs(scene);
    double deepest = 0.0;
    for (int step = 0; step < 90; ++step) {
        const int side = step / 30;
        inputs.gravity = side == 0 ? Vec3{0, 0, -9.81} : side == 1 ? Vec3{9.81, 0, 0} : Vec3{0, 9.81, 0};
        const StepReport report = world.step(inputs);
        ASSERT_TRUE(report.is_valid());
        for (std::size_t n = 0; n < world.model().nodes(); ++n) {
            if (world.model().inverse_mass[n] == 0.0) continue;
            const double gap =
                sample_wall(world.model().walls[0], world.state().x[n]).distance - world.model().contact_radius[n];
            deepest = std::max(deepest, -gap / 0.02);
        }
    }
    EXPECT_LE(deepest, 0.01);
}

}  // namespace
}  // namespace plica::testing
