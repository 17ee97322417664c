#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/worlds.hpp"

// The model against theory.
namespace plica::testing {
namespace {

constexpr double g = 9.81;

// A hanging rope is longest at the top: total extension = rho g L^2 / (2 EA).
TEST(Mechanics, ExtensionUnderOwnWeight) {
    for (const int segments : {20, 100}) {
        for (const int substeps : {5, 20}) {
            SceneDescription scene = rope_scene(4.0, segments, {0, 0, -1});
            scene.bodies[0].fixed_start = true;
            scene.drag = 5.0;
            scene.substeps = substeps;
            World world = make_world(scene);
            run_for(world, quiet_inputs(scene), 8.0);
            const double extension = -world.state().x.back().z - 4.0;
            // Lumped end masses: half a segment hangs lower than in the continuum, which cancels in the sum.
            const double theory = 0.5 * g * 4.0 * 4.0 / (2.0 * 300.0);
            EXPECT_NEAR(extension / theory, 1.0, 0.02) << segments << " segments, " << substeps << " substeps";
            const double top = mass_spring::compute_max_stretch(world.model().of<Springs>(), world.state().x, 0);
            EXPECT_NEAR(top / (0.5 * g * 4.0 / 300.0), 1.0, 0.03);
        }
    }
}

// Catenary: span d, length L; sag from a (cosh(d / 2a) - 1) with L = 2 a sinh(d / 2a).
TEST(Mechanics, CatenarySag) {
    const double length = 1.2;
    const double span = 1.0;
    double lo = 0.05;
    double hi = 50.0;
    for (int i = 0; i < 200; ++i) {
        const double a = 0.5 * (lo + hi);
        (2.0 * a * std::sinh(span / (2.0 * a)) > length ? lo : hi) = a;
    }
    const double sag = lo * (std::cosh(span / (2.0 * lo)) - 1.0);

    SceneDescription scene = rope_scene(length, 60);
    scene.bodies[0].fixed_start = scene.bodies[0].fixed_end = true;
    scene.bodies[0].axial_stiffness = 1e5;  // as good as inextensible
    scene.drag = 4.0;
    Built built = build_scene(scene, 1);
    built.state.x.back() = {span, 0, 0};  // the far end is held closer than the rope is long
    for (std::size_t i = 1; i + 1 < built.state.x.size(); ++i) built.state.x[i] *= span / length;
    World world(std::move(built.model), std::move(built.state));
    run_for(world, quiet_inputs(scene), 10.0);
    double lowest = 0.0;
    for (const Vec3& p : world.state().x) lowest = std::min(lowest, p.z);
    EXPECT_NEAR(-lowest / sag, 1.0, 0.01);
}

// One stiff segment swinging by 5 degrees: all the mass that moves is at its end.
TEST(Mechanics, PendulumPeriod) {
    for (const double length : {0.25, 1.0}) {
        const double angle = 5.0 * M_PI / 180.0;
        SceneDescription scene = rope_scene(length, 1, {std::sin(angle), 0, -std::cos(angle)});
        scene.bodies[0].fixed_start = true;
        scene.bodies[0].axial_stiffness = 1e6;
        scene.dt = 1.0 / 600.0;
        World world = make_world(scene);
        const Inputs inputs = quiet_inputs(scene);
        double before = world.state().x.back().x;
        std::vector<double> crossings;
        for (int i = 0; i < 6000 && crossings.size() < 5; ++i) {
            world.step(inputs);
            const double now = world.state().x.back().x;
            if ((before > 0.0) != (now > 0.0)) crossings.push_back((i + before / (before - now)) * scene.dt);
            before = now;
        }
        ASSERT_EQ(crossings.size(), 5U);
        const double period = (crossings[4] - crossings[0]) / 2.0;
        const double theory = 2.0 * M_PI * std::sqrt(length / g) * (1.0 + angle * angle / 16.0);
        EXPECT_NEAR(period / theory, 1.0, 0.005);
    }
}

// A cantilever that hardly bends: tip deflection rho g L^4 / (8 EI).
TEST(Mechanics, CantileverDeflection) {
    SceneDescription scene = rope_scene(0.2, 40);
    scene.bodies[0].bending_stiffness = 0.02;
    scene.bodies[0].axial_stiffness = 1e5;
    scene.drag = 20.0;
    Built built = build_scene(scene, 1);
    built.model.inverse_mass[0] = built.model.inverse_mass[1] = 0.0;  // clamped: position and direction
    const double bending = built.model.of<Springs>().sheets[0].bending;
    built.model.of<Springs>().springs.clear();
    built.model.of<Springs>().sheets.clear();
    mass_spring::add_rope(built.model.of<Springs>(), {0, 41, 1e5 / 0.005, 0, 0.005}, built.model.rest,
                          built.model.inverse_mass);
    built.model.of<Springs>().sheets[0].bending = bending;
    World world(std::move(built.model), std::move(built.state));
    run_for(world, quiet_inputs(scene), 4.0);
    const double free_length = 0.2 - 0.005;
    const double theory = 0.5 * g * std::pow(free_length, 4) / (8.0 * 0.02);
    EXPECT_NEAR(-world.state().x.back().z / theory, 1.0, 0.05);
}

void set_random_velocities(State& state, std::uint64_t seed, double size) {
    Random random{seed};
    for (Vec3& v : state.v) v = {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

TEST(Mechanics, FreeFlightConservesLinearMomentum) {
    SceneDescription scene = rope_scene(1.0, 30);
    scene.bodies[0].bending_stiffness = 1e-3;
    scene.gravity = {};
    Built built = build_scene(scene, 1);
    set_random_velocities(built.state, 3, 1.0);
    World world(std::move(built.model), std::move(built.state));
    const Vec3 before = momentum(world);
    run_for(world, quiet_inputs(scene), 2.0);
    EXPECT_LT(norm(momentum(world) - before), 1e-10);
    // Negative control: drag takes momentum away, and the same check sees it.
    scene.drag = 0.1;
    World dragged = make_world(scene);
    State state = dragged.state();
    set_random_velocities(state, 3, 1.0);
    dragged.restore(state);
    run_for(dragged, quiet_inputs(scene), 2.0);
    EXPECT_GT(norm(momentum(dragged) - before), 1e-3);
}

// Free gut and mesentery (nothing held) conserve momentum too: the sheet's solve is symmetric.
TEST(Mechanics, FreeSheetConservesLinearMomentum) {
    SceneDescription scene;
    scene.gravity = {};
    BodyDescription body;
    body.name = "gut";
    body.intestine = intestine_preset("paper");
    body.mass_per_length = 0.5;
    body.axial_stiffness = 300;
    body.bending_stiffness = 1e-3;
    body.mesentery_stiffness = 5000;
    body.mesentery_compression = 0.01;
    body.mesentery_density = 1.9;
    body.viscosity = 0.005;
    scene.bodies.push_back(body);
    scene.contact.enabled = false;
    Built built = build_scene(scene, 1);
    // The root is let go as well: it becomes a light free row by holding nothing and weighing nothing in the sum.
    set_random_velocities(built.state, 5, 0.2);
    std::vector<double>& w = built.model.inverse_mass;
    for (std::size_t i = 0; i < w.size(); ++i) {
        if (w[i] == 0.0) built.state.v[i] = {};
    }
    // Springs to the held root are cut, so that what remains is a free body.
    auto& springs = built.model.of<Springs>().springs;
    for (auto& spring : springs) {
        if (spring.slot_a < 0 || spring.slot_b < 0) spring.stiffness = 1e-300;
    }
    World world(std::move(built.model), std::move(built.state));
    const Vec3 before = momentum(world);
    run_for(world, quiet_inputs(scene), 1.0);
    EXPECT_LT(norm(momentum(world) - before), 1e-10);
    EXPECT_GT(kinetic_energy(world), 1e-6);
}

// Loss of angular momentum in one second of a rope spinning at 1 rad/s.
double spin_loss(int substeps) {
    SceneDescription scene = rope_scene(0.5, 20);
    scene.bodies[0].bending_stiffness = 1e-3;
    scene.gravity = {};
    scene.substeps = substeps;
    Built built = build_scene(scene, 1);
    for (std::size_t i = 0; i < built.state.x.size(); ++i)
        built.state.v[i] = cross({0, 0, 1}, built.state.x[i] - Vec3{0.25, 0, 0});
    World world(std::move(built.model), std::move(built.state));
    const double before = norm(angular_momentum(world));
    run_for(world, quiet_inputs(scene), 1.0);
    return 1.0 - norm(angular_momentum(world)) / before;
}

TEST(Mechanics, AngularLossFallsInFirstOrder) {
    const double coarse = spin_loss(10);
    const double standard = spin_loss(20);
    const double fine = spin_loss(40);
    EXPECT_GT(standard, 0.0);
    EXPECT_LE(standard, 0.005);
    EXPECT_NEAR(coarse / standard, 2.0, 0.3);
    EXPECT_NEAR(standard / fine, 2.0, 0.3);
}

// Largest growth of the total energy from one step to the next, and above what there was at the start, as a share of
// weight times length: a rope held at one end falls and swings.
struct Growth {
    double step = -1e30, total = -1e30;
};

Growth energy_growth(double axial_stiffness, int substeps) {
    SceneDescription scene = rope_scene(1.0, 30);
    scene.bodies[0].fixed_start = true;
    scene.bodies[0].axial_stiffness = axial_stiffness;
    scene.bodies[0].bending_stiffness = 1e-3;
    scene.substeps = substeps;
    World world = make_world(scene);
    const Inputs inputs = quiet_inputs(scene);
    const double scale = 0.5 * 1.0 * g * 1.0;
    const auto energy = [&] {
        return (kinetic_energy(world) + elastic_energy(world) + gravity_energy(world, scene.gravity)) / scale;
    };
    const double first = energy();
    double before = first;
    Growth growth;
    for (int i = 0; i < 300; ++i) {
        world.step(inputs);
        const double now = energy();
        growth.step = std::max(growth.step, now - before);
        growth.total = std::max(growth.total, now - first);
        before = now;
    }
    return growth;
}

TEST(Mechanics, EnergyNeverGrowsWithoutInput) {
    for (const double stiffness : {10.0, 300.0, 1000.0}) {  // N; the gut has 300
        const Growth standard = energy_growth(stiffness, 20);
        EXPECT_LT(standard.step, 0.0) << "EA " << stiffness;
        EXPECT_LT(standard.total, 0.0) << "EA " << stiffness;
    }
    // A steel-like rope at coarse steps: one Newton iteration overshoots when it whips, and what it stored is lost
    // again.
    const Growth stiff = energy_growth(1e5, 20);
    EXPECT_LT(stiff.step, 1.0);
}

// Where a falling rope is after half a second, for halved steps: differences shrink in first order.
TEST(Mechanics, ConvergesWhenTheStepIsHalved) {
    const auto tip = [](int substeps) {
        SceneDescription scene = rope_scene(0.5, 10);
        scene.bodies[0].fixed_start = true;
        scene.bodies[0].bending_stiffness = 1e-3;
        scene.substeps = substeps;
        World world = make_world(scene);
        run_for(world, quiet_inputs(scene), 0.3);
        return world.state().x.back();
    };
    const Vec3 a = tip(20);
    const Vec3 b = tip(40);
    const Vec3 c = tip(80);
    const Vec3 d = tip(160);
    EXPECT_NEAR(distance(a, b) / distance(b, c), 2.0, 0.6);
    EXPECT_NEAR(distance(b, c) / distance(c, d), 2.0, 0.4);
}

TEST(Mechanics, TheBendLimitKeepsATubeFromFoldingOntoItself) {
    // A rope whose halves are thrown at each other: nodes a U-turn apart stay a tube's width apart.
    SceneDescription scene = rope_scene(0.4, 40);
    scene.bodies[0].rope.radius = 0.02;
    scene.gravity = {};
    scene.drag = 2.0;
    const auto closest = [&](bool limited) {
        Built built = build_scene(scene, 1);
        if (!limited) built.model.of<Springs>().limits.clear();
        for (std::size_t i = 0; i < built.state.v.size(); ++i)
            built.state.v[i] = {i < 20 ? 2.0 : -2.0, 1e-3 * static_cast<double>(i % 3), 0};
        World world(std::move(built.model), std::move(built.state));
        double least = 1.0;
        const Inputs inputs = quiet_inputs(scene);
        for (int step = 0; step < 60; ++step) {
            world.step(inputs);
            for (std::size_t i = 0; i + 7 < world.state().x.size(); ++i) {
                least = std::min(least, distance(world.state().x[i], world.state().x[i + 7]));
            }
        }
        return least;
    };
    EXPECT_GT(closest(true), 0.9 * 2 * 0.02 * 0.95);
    EXPECT_LT(closest(false), 0.8 * 2 * 0.02 * 0.95);
}

}  // namespace
}  // namespace plica::testing
