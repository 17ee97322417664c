#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "geometry/mesh/mass.hpp"
#include "geometry/rotation.hpp"
#include "tests/engine/tools/spring_tools.hpp"

// A rigid tool on a spring by itself: how it follows its hand.
namespace plica::testing {
namespace {

constexpr double mass_of_tool = 0.2, stiffness = 80.0;  // kg, N/m: 20 rad/s

// A tool far from a rope, which is out of its way.
std::string text_with(const std::string& shape, const std::string& keys, int substeps = 8) {
    return fmt::format(
        "plica = 1\n[solver]\ndt = 0.01\nsubsteps = {}\n[environment]\ngravity = [0, 0, 0]\n[contact]\nenabled = "
        "false\n[[body]]\nname = \"rope\"\nanatomy = \"rope\"\nsegments = 2\nfrom = [0, 1, 0]\n[[tool]]\nname = "
        "\"probe\"\nkind = \"rigid\"\n{}\n{}\npath = [ {{ t = 0, at = [0.1, 0.2, 0.3], turn = [0, 0, 0.4] }} ]\n",
        substeps, shape, keys);
}
const std::string brick = "shape = \"block\"\nsize = [0.02, 0.05, 0.09]\ncenter = [0.01, 0, 0.03]";
const std::string plain = "shape = \"ball\"\nradius = 0.02";
const std::string sprung = fmt::format("stiffness = {}\nmass = {}", stiffness, mass_of_tool);

SpringWorld make(const std::string& text, const RigidState& start) {
    const SceneDescription scene = read_text(text);
    Built built = build_scene(scene, 1);
    built.state.rigids.back() = start;
    return {scene, std::move(built), 1};
}

// Of a critically damped oscillator that starts at rest, as a share of where it started.
double left_after(double t) {
    const double w = std::sqrt(stiffness / mass_of_tool);
    return (1.0 + w * t) * std::exp(-w * t);
}

struct Errors {
    double place = 0.0, turn = 0.0;
};
// Largest ones over 0.3 s, as shares of where it started.
Errors find_errors(int substeps) {
    const Vec3 away{0.03, -0.01, 0.02};
    const double turned = 0.5;
    // A ball turns like it moves; the hand is turned about the same axis.
    SpringWorld tool = make(text_with(plain, sprung, substeps), {Vec3{0.1, 0.2, 0.3} + away, {0, 0, 0.4 + turned}});
    Errors most;
    for (int k = 1; k <= 30; ++k) {
        EXPECT_TRUE(tool.step());
        const double left = left_after(0.01 * k);
        const Vec3 expected = Vec3{0.1, 0.2, 0.3} + away * left;
        most.place = std::max(most.place, distance(tool.tool().position, expected) / norm(away));
        most.turn = std::max(most.turn, norm(tool.tool().turn - Vec3{0, 0, 0.4 + turned * left}) / turned);
    }
    return most;
}

TEST(SpringTool, ComesToItsHandLikeACriticallyDampedOscillator) {
    const Errors coarse = find_errors(4), fine = find_errors(8), finest = find_errors(16);
    printf("errors %g %g %g, of the turn %g %g %g\n", coarse.place, fine.place, finest.place, coarse.turn, fine.turn,
           finest.turn);
    EXPECT_LT(finest.place, 0.005);
    EXPECT_LT(finest.turn, 0.005);
    for (const double ratio : {coarse.place / fine.place, fine.place / finest.place, coarse.turn / fine.turn}) {
        EXPECT_NEAR(ratio, 2.0, 0.1);
    }
}

// The damper is between tool and hand: behind a hand that moves evenly nothing lags.
TEST(SpringTool, KeepsUpWithAHandThatMovesEvenly) {
    SpringWorld tool(text_with(plain, sprung));
    Inputs inputs = quiet_inputs(tool.scene);
    const Vec3 velocity{0.1, 0.05, -0.02}, spin{0, 0, 1.0};
    for (int k = 1; k <= 100; ++k) {
        const double t = 0.01 * k;
        inputs.tools[0] = {Vec3{0.1, 0.2, 0.3} + velocity * t, -1, 1, Vec3{0, 0, 0.4} + spin * t};
        tool.world.step(inputs);
    }
    EXPECT_LT(distance(tool.tool().position, tool.world.state().tools[0].handle), 1e-9);
    EXPECT_LT(distance(tool.tool().turn, tool.world.state().tools[0].turn), 1e-8);
    EXPECT_LT(distance(tool.tool().velocity, velocity), 1e-7);
    EXPECT_LT(distance(tool.tool().spin, spin), 1e-6);
    EXPECT_LT(norm(tool.hand()), 1e-6);
}

// Its nodes are where its pose says.
void expect_whole(const SpringWorld& tool) {
    const Pose pose = make_pose(tool.tool().turn, tool.tool().position);
    for (std::size_t n = 0; n < tool.body().local.size(); ++n) {
        const auto node = static_cast<std::size_t>(tool.body().first_node) + n;
        EXPECT_LT(distance(tool.world.state().x[node], apply(pose, tool.body().local[n])), 1e-14);
    }
}

TEST(SpringTool, KeepsItsMomentaWithoutASpring) {
    RigidState start{{0.1, 0.2, 0.3}, {0, 0, 0.4}, {0.3, 0.2, -0.1}, {2.0, 8.0, 1.0}};
    SpringWorld tool = make(text_with(brick, "stiffness = 1e-12\ndamping = 0\nturn_damping = 0", 64), start);
    const Vec3 momentum = tool.momentum_of_all();
    const Vec3 before = tool.turning_of_all();
    const auto energy = [&] {
        return dot(tool.tool().spin, turn(make_pose(tool.tool().turn, {}), tool.body().inertia) * tool.tool().spin);
    };
    const double first = energy();
    double furthest = 0.0;
    for (int k = 0; k < 100; ++k) {
        ASSERT_TRUE(tool.step());
        furthest = std::max(furthest, norm(tool.tool().spin - start.spin));
    }
    printf("tumbles by %g rad/s, energy %g\n", furthest, energy() / first);
    EXPECT_LT(norm(tool.momentum_of_all() - momentum), 1e-10 * norm(momentum));
    EXPECT_LT(norm(tool.turning_of_all() - before), 1e-9 * norm(before));
    EXPECT_GT(furthest, 4.0) << "the middle axis is unstable";
    EXPECT_NEAR(energy() / first, 1.0, 0.02);
    expect_whole(tool);
}

TEST(SpringTool, StaysWithAHandThatStays) {
    SpringWorld tool(text_with(brick, sprung));
    const std::vector<Vec3> before = tool.world.frame().positions;
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(tool.step());
    for (std::size_t n = 3; n < before.size(); ++n)
        EXPECT_LT(distance(before[n], tool.world.frame().positions[n]), 1e-14);
    EXPECT_EQ(tool.tool().velocity, Vec3{});
}

TEST(SpringTool, AForceThatIsLimitedAcceleratesEvenly) {
    const std::string limited = sprung + "\nmax_force = 0.5";
    SpringWorld tool = make(text_with(plain, limited), {{0.9, 0.2, 0.3}, {0, 0, 0.4}});
    for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(tool.step());
        EXPECT_NEAR(tool.hand().x, -0.5, 1e-12);
    }
    EXPECT_NEAR(tool.tool().velocity.x, -0.5 * 0.2 / mass_of_tool, 1e-12);
    for (int k = 0; k < 400; ++k) {
        ASSERT_TRUE(tool.step());
        ASSERT_LE(norm(tool.hand()), 0.5 + 1e-12);
    }
    EXPECT_LT(distance(tool.tool().position, {0.1, 0.2, 0.3}), 1e-6);
    SpringWorld free = make(text_with(plain, sprung), {{0.9, 0.2, 0.3}, {0, 0, 0.4}});
    ASSERT_TRUE(free.step());
    EXPECT_GT(norm(free.hand()), 10.0) << "the control";
}

TEST(SpringTool, HasTheInertiaOfItsMesh) {
    const SpringWorld tool(text_with(brick, "stiffness = 100\nmass = 3"));
    EXPECT_LT(distance(tool.body().centre, {0.01, 0, 0.03}), 1e-15);
    const Symmetric& i = tool.body().inertia;
    EXPECT_NEAR(i.xx, 0.25 * (0.05 * 0.05 + 0.09 * 0.09), 1e-12);
    EXPECT_NEAR(i.yy, 0.25 * (0.02 * 0.02 + 0.09 * 0.09), 1e-12);
    EXPECT_NEAR(i.zz, 0.25 * (0.02 * 0.02 + 0.05 * 0.05), 1e-12);
    EXPECT_NEAR(i.xy + i.xz + i.yz, 0.0, 1e-12);
    const Coupling& c = tool.body().coupling;
    EXPECT_NEAR(c.damping, 2.0 * std::sqrt(300.0), 1e-9);
    EXPECT_NEAR(c.turn_stiffness, 100.0 * trace(i) / 9.0, 1e-12);
    EXPECT_NEAR(c.turn_damping, 2.0 * std::sqrt(c.turn_stiffness * trace(i) / 3.0), 1e-12);
}

TEST(SpringTool, RotationsAreComposedAtAnyAngle) {
    const Vec3 axis = normalized(Vec3{1, -2, 3});
    for (const double a : {1e-9, 0.3, 3.14159, 3.1416, 6.2}) {
        const Vec3 whole = compose_rotations(axis * a, axis * 0.05);
        const Pose expected = compose(make_pose(axis * a, {}), make_pose(axis * 0.05, {}));
        const Pose found = make_pose(whole, {});
        for (int i = 0; i < 3; ++i) EXPECT_LT(distance(expected.row[i], found.row[i]), 1e-15) << a;
        EXPECT_LE(norm(whole), 3.1415926535897932 + 1e-12);
        EXPECT_LT(distance(rotation_between(axis * a, whole), axis * 0.05), 1e-15) << a;
    }
}

void expect_refused(const std::string& text, const std::string& what) {
    try {
        read_text(text);
        ADD_FAILURE() << "accepted: " << what;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
}

TEST(SpringTool, MistakesAreNamed) {
    expect_refused(text_with(plain, "stiffness = 100\nmass = -1"), "mine.toml:20: probe.mass: found -1");
    expect_refused(text_with(plain, "stiffness = 100\nmass = 0"), "probe.mass: found 0");
    expect_refused(text_with(plain, "stiffness = 0"), "probe.stiffness: found 0");
    expect_refused(text_with(plain, "stiffness = -5"), "probe.stiffness: found -5");
    expect_refused(text_with(plain, "stiffness = nan"), "probe.stiffness: found nan");
    expect_refused(text_with(plain, "stiffness = \"hard\""), "expected a number");
    expect_refused(text_with(plain, "stiffness = 5\ndamping = -1"), "probe.damping: found -1");
    expect_refused(text_with(plain, "stiffness = 5\nturn_damping = -1"), "probe.turn_damping: found -1");
    expect_refused(text_with(plain, "stiffness = 5\nturn_stiffness = -1"), "probe.turn_stiffness: found -1");
    expect_refused(text_with(plain, "stiffness = 5\nmax_force = 0"), "probe.max_force: found 0");
    expect_refused(text_with(plain, "turn_stiffness = 1"),
                   "mine.toml:19: probe.turn_stiffness: found without stiffness");
    for (const char* key : {"mass", "damping", "turn_damping"}) {
        expect_refused(text_with(plain, fmt::format("{} = 1", key)), fmt::format("{}: found without stiffness", key));
    }
    std::string other = text_with(plain, "stiffness = 5");
    other.insert(other.find("dt ="), "response = \"johnsen\"\n");
    expect_refused(other, "probe.stiffness: found with another solver.response");
    EXPECT_NO_THROW(read_text(text_with(plain, "stiffness = 5\nmass = 1\nturn_stiffness = 0\nmax_force = 3")));
}

}  // namespace
}  // namespace plica::testing
