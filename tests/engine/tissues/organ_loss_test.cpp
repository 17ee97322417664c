#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/index.hpp"
#include "core/random.hpp"
#include "tests/engine/tissues/organ_worlds.hpp"
#include "tissue/tled/fields.hpp"

// Organs that are pressed, crushed and torn: more substeps, and what happens to lost cells.
namespace plica::testing {
namespace {

using tled::ElementKind;

// A block pressed flat between two plates, which hold its sides: its cells become short and stiff.
SceneDescription press_scene(double by, double until, double dt = 0.01) {
    SceneDescription scene = block_scene(ElementKind::t4, dt);
    scene.bodies[0].organ.damping = 20.0;
    hold(scene, side(2, false));
    hold(scene, side(2, true), {0, 0, -by}, until);
    return scene;
}

TEST(OrganLoss, TakesMoreSubstepsWhenTheLimitShrinks) {
    const SceneDescription scene = press_scene(0.06, 1.0), calm = press_scene(0.0, 1.0);
    World pressed = make_world(scene), resting = make_world(calm);
    const double before = pressed.state().of<Solids>()[0].numbers.limit;
    const int first = pressed.step(quiet_inputs(scene)).substeps;
    EXPECT_EQ(first, resting.step(quiet_inputs(calm)).substeps);
    StepReport last, calm_last;
    for (int i = 0; i < 120; ++i) {
        last = pressed.step(quiet_inputs(scene));
        ASSERT_TRUE(last.is_valid()) << i;
        calm_last = resting.step(quiet_inputs(calm));
    }
    EXPECT_LT(pressed.state().of<Solids>()[0].numbers.limit, 0.8 * before);
    EXPECT_GT(last.substeps, first);
    EXPECT_LE(scene.dt / last.substeps, 0.9 * pressed.state().of<Solids>()[0].numbers.limit * (1.0 + 1e-9));
    EXPECT_EQ(calm_last.substeps, first);
}

// The law whose cells do not come back.
SceneDescription lose(SceneDescription scene) {
    scene.bodies[0].organ.material.law = tled::Law::st_venant_kirchhoff;
    return scene;
}

bool same(const State& a, const State& b) {
    return a.x == b.x && a.v == b.v && a.step == b.step;
}

struct Loss {
    StepReport report;
    State before, after;
    int steps = 0;
};

// Steps until something is lost.
Loss run_to_loss(World& world, const Inputs& inputs, int most) {
    Loss loss;
    for (; loss.steps < most; ++loss.steps) {
        loss.before = world.state();
        loss.report = world.step(inputs);
        loss.after = world.state();
        if (!loss.report.is_valid()) break;
    }
    return loss;
}

double least_ratio(const World& world, const State& state) {
    const tled::Organ& organ = world.model().of<Solids>()[0];
    double least = HUGE_VAL;
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        least = std::min(least, tled::compute_volume_ratio(organ, c, world.model().rest, state.x));
    }
    return least;
}

TEST(OrganLoss, ALostCellIsNamedAndTheStepUndone) {
    for (const double dt : {0.01, 0.001}) {
        const SceneDescription scene = lose(press_scene(0.11, 1.0, dt));
        World world = make_world(scene);
        const Loss loss = run_to_loss(world, quiet_inputs(scene), static_cast<int>(1.2 / dt));
        ASSERT_GT(loss.report.flag_count, 0);
        const Flag& flag = loss.report.flags[0];
        EXPECT_EQ(flag.kind, FlagKind::inverted);
        EXPECT_EQ(flag.body, 0);
        EXPECT_GT(loss.report.retries, 0);
        EXPECT_TRUE(same(loss.before, loss.after));
        EXPECT_EQ(loss.report.hash, compute_hash(loss.after));
        EXPECT_GT(least_ratio(world, loss.after), tled::least_volume_ratio) << "the state that is kept is good " << dt;
        // The number is the mesh's: all cells of the scene's own mesh, as make_organ_mesh() gives them.
        const VolumeMesh mesh = make_organ_mesh(scene.bodies[0].organ, nullptr);
        ASSERT_GE(flag.cell, 0);
        ASSERT_LT(at(flag.cell), mesh.cells());
    }
    const SceneDescription mild = lose(press_scene(0.02, 1.0));
    World world = make_world(mild);
    EXPECT_EQ(run_to_loss(world, quiet_inputs(mild), 120).steps, 120) << "a little pressing loses nothing";
}

TEST(OrganLoss, OnlyTheOrganThatIsLostIsFlagged) {
    SceneDescription scene = lose(press_scene(0.11, 1.0));
    BodyDescription other = block_scene(ElementKind::t4, 0.01).bodies[0];
    other.name = "other";
    other.organ.center = {0.5, 0, 0};
    scene.bodies.insert(scene.bodies.begin(), other);
    World world = make_world(scene);
    const Loss loss = run_to_loss(world, quiet_inputs(scene), 120);
    ASSERT_EQ(loss.report.flag_count, 1);
    EXPECT_EQ(loss.report.flags[0].kind, FlagKind::inverted);
    EXPECT_EQ(loss.report.flags[0].body, 1);
}

// One node is pushed through its cells: the cell is one of those at that node, in the mesh's numbering.
TEST(OrganLoss, TheNumberOfALostCellIsTheMeshs) {
    SceneDescription scene = lose(block_scene(ElementKind::t4, 0.01, 8));  // more than one block of cells
    hold(scene, side(2, false));
    NodeSelection corner;
    corner.kind = NodeSelection::Kind::ball;
    corner.center = {0.05, -0.05, 0.05};
    corner.radius = 1e-4;
    hold(scene, corner, {-0.09, 0.09, -0.09}, 0.1);
    World world = make_world(scene);
    const Loss loss = run_to_loss(world, quiet_inputs(scene), 100);
    ASSERT_GT(loss.report.flag_count, 0);
    EXPECT_EQ(loss.report.flags[0].kind, FlagKind::inverted);
    const VolumeMesh mesh = make_organ_mesh(scene.bodies[0].organ, nullptr);
    const auto& cell = mesh.tetrahedra.at(at(loss.report.flags[0].cell));
    double nearest = HUGE_VAL;
    for (const std::int32_t n : cell) nearest = std::min(nearest, distance(mesh.nodes[at(n)], corner.center));
    EXPECT_LT(nearest, 0.03) << "not at the other end of the block";
    const std::vector<std::int32_t>& source = world.model().of<Solids>()[0].source;
    EXPECT_FALSE(std::is_sorted(source.begin(), source.end())) << "the organ's own order is another one";
    const auto own = std::find(source.begin(), source.end(), loss.report.flags[0].cell) - source.begin();
    EXPECT_NE(own, loss.report.flags[0].cell);
}

TEST(OrganLoss, ALoadThatIsNotANumberIsFlagged) {
    SceneDescription scene = block_scene(ElementKind::h8, 0.01);
    hold(scene, side(2, false));
    LoadDescription load;
    load.load.value = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    load.load.ramp = {RampShape::step, 0.0, 0.055};
    load.where = side(2, true);
    scene.bodies[0].organ.loads.push_back(load);
    World world = make_world(scene);
    const Loss loss = run_to_loss(world, quiet_inputs(scene), 20);
    EXPECT_GE(loss.steps, 4);
    EXPECT_LT(loss.steps, 8);
    EXPECT_FALSE(loss.report.is_valid());
    EXPECT_TRUE(same(loss.before, loss.after));
    for (const Vec3& x : world.state().x) ASSERT_TRUE(is_finite(x));
}

// Nodes thrown about until cells are inside out: they come back, and the organ says what it went through.
TEST(OrganLoss, CrushedCellsComeBack) {
    for (const ElementKind kind : {ElementKind::t4, ElementKind::t4anp, ElementKind::h8}) {
        SceneDescription scene = press_scene(0.0, 1.0);
        scene.bodies[0].organ.hexahedra = kind == ElementKind::h8;
        if (kind != ElementKind::h8) scene.bodies[0].organ.settings.tetrahedra = kind;
        World world = make_world(scene);
        State state = world.state();
        Random random;
        for (std::size_t n = 0; n < state.x.size(); ++n) {
            const Vec3 by{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            if (std::abs(state.x[n].z) < 0.04) state.x[n] += by * 0.014;  // not what is held
        }
        world.restore(state);
        const bool inside_out = kind != ElementKind::h8;  // they are five times as large, and only crushed
        EXPECT_LT(least_ratio(world, state), inside_out ? 0.0 : 0.25) << element_name(kind);
        EXPECT_EQ(world.step(quiet_inputs(scene)).has(FlagKind::crushed, 0), inside_out) << element_name(kind);
        StepReport last;
        for (int i = 0; i < 300; ++i) {
            last = world.step(quiet_inputs(scene));
            ASSERT_TRUE(last.is_valid()) << element_name(kind) << " " << i;
        }
        EXPECT_GT(least_ratio(world, world.state()), 0.99) << element_name(kind);
        EXPECT_FALSE(last.has(FlagKind::crushed, 0)) << element_name(kind);
    }
}

// What the last substeps left is looked at as well: a state with a lost cell is never kept as good.
TEST(OrganLoss, NoStateWithALostCellIsKept) {
    for (const ElementKind kind : {ElementKind::t4, ElementKind::t4anp, ElementKind::h8}) {
        SceneDescription scene = lose(press_scene(0.2, 0.1, 0.002));  // through itself, at 2 m/s
        scene.bodies[0].organ.hexahedra = kind == ElementKind::h8;
        if (kind != ElementKind::h8) scene.bodies[0].organ.settings.tetrahedra = kind;
        World world = make_world(scene);
        for (int i = 0; i < 60; ++i) {
            world.step(quiet_inputs(scene));
            ASSERT_GT(least_ratio(world, world.state()), tled::least_volume_ratio) << element_name(kind) << " " << i;
        }
    }
}

}  // namespace
}  // namespace plica::testing
