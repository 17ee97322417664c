#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reproduce/tled_trials.hpp"
#include "tissue/tled/fields.hpp"
#include "worlds.hpp"

// Organs in a world: fall, rest, care for the step's length, what happens to lost cells, restoring.
namespace plica::testing {
namespace {

using tled::ElementKind;

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

NodeSelection side(int axis, bool high) {
    NodeSelection where;
    where.kind = NodeSelection::Kind::side;
    where.axis = axis;
    where.towards_high = high;
    return where;
}

// A block of 0.1 m, no gravity, nothing to touch.
SceneDescription block_scene(ElementKind kind, double dt, int cells = 4) {
    SceneDescription scene;
    scene.dt = dt;
    scene.substeps = 1;
    scene.contact.enabled = false;
    scene.gravity = {};
    BodyDescription body;
    body.name = "block";
    body.tissue = "tled";
    body.organ.shape = "block";
    body.organ.cells = {cells, cells, cells};
    body.organ.hexahedra = kind == ElementKind::h8;
    if (!body.organ.hexahedra) body.organ.settings.tetrahedra = kind;
    body.organ.material = app::make_neo_hookean(3000.0, 0.45);
    scene.bodies.push_back(body);
    return scene;
}

void hold(SceneDescription& scene, const NodeSelection& where, const Vec3& by = {}, double until = 0.0,
          std::array<bool, 3> axes = {true, true, true}) {
    MotionDescription motion;
    motion.where = where;
    motion.motion.axes = axes;
    motion.motion.displacement = by;
    motion.motion.ramp = {tled::RampShape::linear, 0.0, until};
    scene.bodies[0].organ.motions.push_back(motion);
}

TEST(OrganWorld, FallsAsFarAtEveryStep) {
    for (const bool exact : {false, true}) {
        for (const double dt : {1e-3, 1e-4, 1e-5}) {
            EXPECT_NEAR(app::fall_freely(dt, exact), 0.02, 0.02 * 1e-4) << dt << " " << exact;
        }
    }
    EXPECT_NEAR(app::fall_freely_late(1e-3), 0.0201, 1e-8) << "a whole first increment instead of half of one";
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
        std::fill(forgetful.organs[0].history.single.begin(), forgetful.organs[0].history.single.end(), 0.0F);
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
    load.load.kind = tled::LoadKind::force;
    load.load.value = {0, 0, -0.01};
    load.load.ramp = {tled::RampShape::smooth, 5.0, 6.0};
    load.where = side(0, true);
    scene.bodies[0].organ.loads.push_back(load);
    World world = make_world(scene);
    const int rest = run_to_rest(world, quiet_inputs(scene), 1000);
    EXPECT_GE(rest * scene.dt, 5.9);
    EXPECT_LT(rest, 1000);
}

// A block pressed flat between two plates, which hold its sides: its cells become short and stiff.
SceneDescription press_scene(double by, double until, double dt = 0.01) {
    SceneDescription scene = block_scene(ElementKind::t4, dt);
    scene.bodies[0].organ.damping = 20.0;
    hold(scene, side(2, false));
    hold(scene, side(2, true), {0, 0, -by}, until);
    return scene;
}

TEST(OrganWorld, TakesMoreSubstepsWhenTheLimitShrinks) {
    const SceneDescription scene = press_scene(0.06, 1.0), calm = press_scene(0.0, 1.0);
    World pressed = make_world(scene), resting = make_world(calm);
    const double before = pressed.state().organs[0].numbers.limit;
    const int first = pressed.step(quiet_inputs(scene)).substeps;
    EXPECT_EQ(first, resting.step(quiet_inputs(calm)).substeps);
    StepReport last, calm_last;
    for (int i = 0; i < 120; ++i) {
        last = pressed.step(quiet_inputs(scene));
        ASSERT_TRUE(last.is_valid()) << i;
        calm_last = resting.step(quiet_inputs(calm));
    }
    EXPECT_LT(pressed.state().organs[0].numbers.limit, 0.8 * before);
    EXPECT_GT(last.substeps, first);
    EXPECT_LE(scene.dt / last.substeps, 0.9 * pressed.state().organs[0].numbers.limit * (1.0 + 1e-9));
    EXPECT_EQ(calm_last.substeps, first);
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
    const tled::Organ& organ = world.model().organs[0];
    double least = HUGE_VAL;
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        least = std::min(least, tled::compute_volume_ratio(organ, c, world.model().rest, state.x));
    }
    return least;
}

TEST(OrganWorld, ALostCellIsNamedAndTheStepUndone) {
    for (const double dt : {0.01, 0.001}) {
        const SceneDescription scene = press_scene(0.11, 1.0, dt);
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
    const SceneDescription mild = press_scene(0.03, 1.0);
    World world = make_world(mild);
    EXPECT_EQ(run_to_loss(world, quiet_inputs(mild), 120).steps, 120) << "a little pressing loses nothing";
}

TEST(OrganWorld, OnlyTheOrganThatIsLostIsFlagged) {
    SceneDescription scene = press_scene(0.11, 1.0);
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
TEST(OrganWorld, TheNumberOfALostCellIsTheMeshs) {
    SceneDescription scene = block_scene(ElementKind::t4, 0.01, 8);  // more than one block of cells
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
    const std::vector<std::int32_t>& source = world.model().organs[0].source;
    EXPECT_FALSE(std::is_sorted(source.begin(), source.end())) << "the organ's own order is another one";
    const auto own = std::find(source.begin(), source.end(), loss.report.flags[0].cell) - source.begin();
    EXPECT_NE(own, loss.report.flags[0].cell);
}

TEST(OrganWorld, ALoadThatIsNotANumberIsFlagged) {
    SceneDescription scene = block_scene(ElementKind::h8, 0.01);
    hold(scene, side(2, false));
    LoadDescription load;
    load.load.value = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    load.load.ramp = {tled::RampShape::step, 0.0, 0.055};
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

// What the last substeps left is looked at as well: a state with a lost cell is never kept as good.
TEST(OrganWorld, NoStateWithALostCellIsKept) {
    for (const ElementKind kind : {ElementKind::t4, ElementKind::t4anp, ElementKind::h8}) {
        SceneDescription scene = press_scene(0.2, 0.1, 0.002);  // through itself, at 2 m/s
        scene.bodies[0].organ.hexahedra = kind == ElementKind::h8;
        if (kind != ElementKind::h8) scene.bodies[0].organ.settings.tetrahedra = kind;
        World world = make_world(scene);
        for (int i = 0; i < 60; ++i) {
            world.step(quiet_inputs(scene));
            ASSERT_GT(least_ratio(world, world.state()), tled::least_volume_ratio) << element_name(kind) << " " << i;
        }
    }
}

TEST(OrganWorld, BlockStretchSceneFollowsTheScalarEquation) {
    const SceneDescription scene = read_scene(find_scene("block-stretch", {"solver.precision=double"}));
    World world = make_world(scene);
    run_for(world, quiet_inputs(scene), scene.seconds);
    const app::Stretching theory = app::solve_stretching(app::make_neo_hookean(3000.0, 0.45), 1.3);
    double widest = 0.0, force = 0.0;
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        widest = std::max(widest, world.state().x[n].y);
        if (world.model().rest[n].x > 0.1 - 1e-9) force += world.organ(0).force[n].x;
    }
    EXPECT_NEAR(widest / 0.1, theory.lateral, 1e-6);
    EXPECT_NEAR(force / theory.force, 1.0, 1e-5);
    EXPECT_GT(std::abs(theory.lateral - 1.0), 0.05);
}

}  // namespace
}  // namespace plica::testing
