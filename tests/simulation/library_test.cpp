#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <plica/plica.hpp>

#include "io/recording/record_world.hpp"
#include "simulation/inside.hpp"
#include "tests/support/temp_folder.hpp"

// The library as others see it: scenes in code, what is read from them, what is changed while they run.
namespace plica::testing {
namespace {

constexpr double g = 9.81;  // m/s^2

// A rope that lies on the floor.
Scene lying_rope() {
    Scene scene;
    scene.set("environment.plane", "{ friction = 0.3 }");
    scene.set("environment.drag", 4.0);
    scene.add_rope("rope", {.from = {0, 0, 0.011}, .length = 0.4, .radius = 0.01, .segments = 16},
                   {{"mass_per_length", "0.5"}});
    return scene;
}

void run(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.step().valid);
}

TEST(Library, HasAVersionAndOneErrorType) {
    const std::string number = version();
    EXPECT_EQ(std::count(number.begin(), number.end(), '.'), 2);
    try {
        Simulation::load("no-such-scene");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input);
    }
    EXPECT_THROW(Simulation::build(Scene()), Error) << "a scene without a body";
}

TEST(Library, TheFloorBearsTheWeight) {
    Simulation simulation = Simulation::build(lying_rope());
    EXPECT_TRUE(simulation.contacts().empty());
    run(simulation, 120);
    double up = 0.0;
    for (const ContactInfo& contact : simulation.contacts()) {
        EXPECT_EQ(contact.body_a, simulation.body("rope"));
        EXPECT_EQ(contact.body_b, no_index);
        EXPECT_NEAR(contact.normal[2], 1.0, 1e-12);
        EXPECT_NEAR(contact.point[2], 0.0, 1e-12);
        EXPECT_LE(std::hypot(contact.friction[0], contact.friction[1]), 0.3 * contact.force * 1.001);
        up += contact.force;
    }
    EXPECT_NEAR(up, 0.5 * 0.4 * g, 0.01 * 0.5 * 0.4 * g);
    for (const double v : simulation.velocities()) EXPECT_NEAR(v, 0.0, 1e-3);
}

TEST(Library, ContactsNameBothBodies) {
    Scene scene = lying_rope();
    scene.add_rope("upper",
                   {.from = {0.2, -0.1, 0.035}, .direction = {0, 1, 0}, .length = 0.2, .radius = 0.01, .segments = 8},
                   {{"mass_per_length", "0.5"}});
    Simulation simulation = Simulation::build(scene);
    run(simulation, 60);
    const std::size_t rope = simulation.body("rope"), upper = simulation.body("upper");
    bool met = false;
    for (const ContactInfo& contact : simulation.contacts()) {
        if (contact.body_b == no_index) continue;
        met = true;
        EXPECT_TRUE((contact.body_a == rope && contact.body_b == upper) ||
                    (contact.body_a == upper && contact.body_b == rope));
        // From b to a.
        EXPECT_GT(contact.normal[2] * (contact.body_a == upper ? 1.0 : -1.0), 0.5);
        EXPECT_GT(contact.force, 0.0);
    }
    EXPECT_TRUE(met);
}

// Two ropes that hang side by side: only the one that is made softer stretches.
TEST(Library, ABodyCanBeTunedAlone) {
    Scene scene;
    for (const char* name : {"left", "right"}) {
        const double x = name[0] == 'l' ? 0.0 : 0.5;
        scene.add_rope(name,
                       {.from = {x, 0, 0},
                        .direction = {0, 0, -1},
                        .length = 0.3,
                        .radius = 0.01,
                        .segments = 10,
                        .fixed_start = true},
                       {{"mass_per_length", "2.0"}});
    }
    Simulation simulation = Simulation::build(scene), control = simulation.fork();
    simulation.set_parameter("left.stiffness", 0.2);
    simulation.set_parameter("left.damping", 2.0);
    EXPECT_EQ(simulation.parameter("left.stiffness"), 0.2);
    EXPECT_EQ(simulation.parameter("right.stiffness"), 1.0);
    run(simulation, 30);
    run(control, 30);
    const auto lower_end = [](const Simulation& s, const char* body) { return s.position(s.node_at(body, 1.0))[2]; };
    EXPECT_LT(lower_end(simulation, "left"), lower_end(control, "left") - 1e-3);
    EXPECT_EQ(lower_end(simulation, "right"), lower_end(control, "right"));
    EXPECT_THROW(simulation.set_parameter("left.colour", 1.0), Error);
    EXPECT_THROW(simulation.set_parameter("middle.stiffness", 1.0), Error);
    EXPECT_THROW(simulation.set_parameter("stiffness", 0.0), Error);
    EXPECT_THROW(simulation.set_parameter("stiffness", std::nan("")), Error);
    EXPECT_THROW(simulation.set_detector("guess"), Error);
    EXPECT_NO_THROW(simulation.set_detector("brute"));
    for (const std::string& name : simulation.parameters()) EXPECT_NO_THROW((void)simulation.parameter(name)) << name;
}

class LibraryRecording : public TempFolderTest {};

TEST_F(LibraryRecording, IsReplayedWithEverythingThatWasTuned) {
    Simulation simulation = Simulation::build(lying_rope());
    simulation.record(file());
    run(simulation, 5);
    simulation.set_parameter("rope.stiffness", 0.5);
    simulation.set_parameter("gravity.x", 2.0);
    run(simulation, 10);
    simulation.set_parameter("rope.damping", 3.0);
    run(simulation, 10);
    simulation.stop_recording();
    EXPECT_THROW(simulation.record(file()), Error) << "not from the start";
    Simulation other = Simulation::build(lying_rope());
    const ReplayInfo replayed = other.replay(file());
    EXPECT_EQ(replayed.steps, 25U);
    EXPECT_TRUE(replayed.matches());
    Scene heavier = lying_rope();
    heavier.set("rope.mass_per_length", 0.6);
    Simulation control = Simulation::build(heavier);
    EXPECT_FALSE(control.replay(file()).matches()) << "the control";
    Scene longer = lying_rope();
    longer.set("rope.segments", 20);
    Simulation wrong = Simulation::build(longer);
    EXPECT_THROW(wrong.replay(file()), Error);
}

// What the clock decided is in the recording: a program that looks at none replays it.
TEST_F(LibraryRecording, OfStepsThatWereLateReplays) {
    LoadOptions options;
    options.overrides = {"liver.cell=0.02", "solver.dt=0.01"};
    Simulation simulation = Simulation::load("liver-bars", options);
    EXPECT_THROW(simulation.set_budget(-1.0), Error);
    EXPECT_THROW(simulation.set_budget(std::nan("")), Error);
    simulation.record(file());
    int late = 0;
    for (int i = 0; i < 25; ++i) {
        simulation.set_budget(i % 2 == 0 ? 1e-9 : 0.0);
        late += simulation.step().late_substeps;
    }
    simulation.stop_recording();
    EXPECT_GT(late, 0);
    Simulation other = Simulation::load("liver-bars", options);
    other.set_budget(1e-9);
    EXPECT_TRUE(other.replay(file()).matches());
    Simulation free = Simulation::load("liver-bars", options);
    for (int i = 0; i < 25; ++i) free.step();
    EXPECT_NE(free.step().hash, simulation.step().hash);
}

MeshShape tetrahedron(double size, const Point& at) {
    MeshShape mesh;
    mesh.nodes = {at, {at[0] + size, at[1], at[2]}, {at[0], at[1] + size, at[2]}, {at[0], at[1], at[2] + size}};
    return mesh;
}

TEST_F(LibraryRecording, MeshesInCodeAreBodiesLikeOthers) {
    MeshShape solid = tetrahedron(0.1, {0, 0, 0.02}), bone = tetrahedron(0.1, {0.3, 0, 0.02});
    solid.tetrahedra = {{0, 1, 2, 3}};
    bone.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    Scene scene;
    scene.set("environment.plane", "{ friction = 0.3 }");
    scene.add_mesh("solid", "tled", solid).add_mesh("bone", "rigid", bone);
    Simulation simulation = Simulation::build(scene);
    simulation.record(file());
    run(simulation, 10);
    simulation.stop_recording();
    EXPECT_EQ(simulation.cells(simulation.body("solid")).tetrahedra.size(), 1U);
    EXPECT_TRUE(simulation.cells(simulation.body("bone")).tetrahedra.empty());
    for (const char* name : {"solid", "bone"}) {
        const BodySurface surface = simulation.surface(simulation.body(name));
        EXPECT_EQ(surface.triangles.size(), 4U) << name;
        for (const auto& t : surface.triangles) {
            for (const std::size_t n : t.nodes) EXPECT_LT(n, simulation.node_count());
        }
    }
    EXPECT_EQ(simulation.bodies()[0].tissue, "tled");
    ASSERT_FALSE(simulation.fields().empty());
    EXPECT_EQ(simulation.field("stress").size(), simulation.node_count());
    EXPECT_TRUE(std::isfinite(simulation.field("stretch")[0]));
    EXPECT_TRUE(std::isnan(simulation.field("stretch")[simulation.bodies()[1].first_node]));
    EXPECT_THROW((void)simulation.field("temperature"), Error);
    EXPECT_THROW((void)simulation.rigid(simulation.body("solid")), Error);
    EXPECT_TRUE(simulation.replay(file()).matches());
    solid.tetrahedra = {{0, 1, 2, 9}};
    EXPECT_THROW(scene.add_mesh("wrong", "tled", solid), Error);
}

TEST(Library, TheAuditSeesWhatGoesThrough) {
    const std::vector<std::string> small{"gut.segments=40", "gut.length=1.6", "gut.radius=0.02"};
    Simulation sound = Simulation::load("intestine-pile", {.overrides = small});
    std::vector<std::string> broken = small;
    broken.emplace_back("contact.enabled=false");
    Simulation control = Simulation::load("intestine-pile", {.overrides = broken});
    for (Simulation* each : {&sound, &control}) {
        each->start_audit();
        run(*each, 60);
    }
    EXPECT_TRUE(sound.audit().passed);
    EXPECT_FALSE(control.audit().passed) << "the control";
}

TEST(Library, FlagsHaveNamesWithoutStrings) {
    Simulation simulation = Simulation::build(lying_rope());
    simulation.inside().set_gravity(Vec3{0, 0, std::numeric_limits<double>::infinity()});  // behind the checks
    const StepInfo info = simulation.step();
    EXPECT_FALSE(info.valid);
    ASSERT_FALSE(info.flags.empty());
    EXPECT_EQ(info.flags[0].kind, FlagInfo::Kind::non_finite);
    EXPECT_EQ(simulation.name_of(info.flags[0]), "non_finite:rope");
}

TEST(Library, ANodeNearNoPlaceIsToldAsSuch) {
    const Simulation simulation = Simulation::load("ball-slab");
    const std::string body = simulation.bodies()[0].name;
    const auto told = [&](const std::string& name, const Point& place) -> std::string {
        try {
            (void)simulation.nearest_node(name, place);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        EXPECT_NE(told(body, {0, wrong, 0}).find("found a number that is none"), std::string::npos);
    }
    EXPECT_EQ(told(body, {0, 0, 0}), "") << "the control";
    EXPECT_NE(told("nobody", {0, 0, 0}).find("no body with a surface"), std::string::npos);
}

TEST_F(LibraryRecording, WithImpossibleInputsIsRefused) {
    Simulation simulation = Simulation::build(lying_rope());
    const World& world = simulation.inside().world();
    const RecordingHeader header = describe_world(world.model(), world.frame());
    const auto forge = [&](double stiffness) {
        RecordingHeader own = header;
        own.seed = 1;
        RecordingWriter writer(file(), own, world.state().x);
        Inputs inputs;
        inputs.tuning.stiffness = stiffness;
        writer.append(inputs, 0, {}, {}, world.state().x);
        writer.close();
    };
    forge(std::nan(""));
    EXPECT_THROW(simulation.replay(file()), Error);
    forge(1.0);
    EXPECT_EQ(simulation.replay(file()).verified, 0U) << "the control: read, and not what happens";
}

TEST(Library, StagesAddUpToNoMoreThanTheStep) {
    Simulation simulation = Simulation::load("intestine-pile");
    const StepInfo info = simulation.step();
    EXPECT_GT(info.substeps, 0);
    EXPECT_GT(info.tissue_seconds + info.detect_seconds + info.respond_seconds + info.certify_seconds, 0.0);
}

}  // namespace
}  // namespace plica::testing
