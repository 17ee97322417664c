#include <gtest/gtest.h>

#include "tests/engine/tools/spring_tools.hpp"

// Rigid tools on springs against what they touch: both give way.
namespace plica::testing {
namespace {

// A soft slab, its top at z = 0, held at its bottom.
const char* const slab = R"(plica = 1
[solver]
dt = 0.01
substeps = 1
precision = "double"
[environment]
gravity = [0, 0, 0]
[[body]]
name = "slab"
tissue = "tled"
shape = "block"
size = [0.12, 0.12, 0.04]
cells = [6, 6, 2]
center = [0, 0, -0.02]
element = "h8"
material = { young = 3000, poisson = 0.4, density = 1000 }
damping = 40
fixed = [ { side = "-z" } ]
)";

// A steel ball over its middle that is to go 12 mm deep.
std::string ball(const std::string& keys, const std::string& path) {
    return fmt::format(
        "{}[[tool]]\nname = \"probe\"\nkind = \"rigid\"\nshape = \"ball\"\nradius = 0.02\nfineness = 2\n"
        "{}path = [ {} ]\n",
        slab, keys, path);
}
std::string at(const Vec3& p, const Vec3& turn = {}) {
    return fmt::format("{{ t = 0, at = [{}, {}, {}], turn = [{}, {}, {}] }}", p.x, p.y, p.z, turn.x, turn.y, turn.z);
}
const char* const press = "{ t = 0, at = [0, 0, 0.023] }, { t = 0.5, to = [0, 0, 0.008] }";

TEST(SpringContact, RestsWhereSpringAndTissueAgree) {
    SpringWorld pressed(ball("stiffness = 300\n", press));
    ASSERT_TRUE(pressed.run(2.0));
    const Vec3 force = pressed.force(), hand = pressed.hand();
    const double depth = 0.02 - pressed.tool().position.z;
    printf("force %.6g hand %.6g side %.3g depth %g mm, speed %g, held %lld, passes %g\n", force.z, hand.z,
           norm(force - Vec3{0, 0, force.z}), 1e3 * depth, norm(pressed.tool().velocity),
           static_cast<long long>(pressed.held), pressed.sweeps / pressed.substeps);
    EXPECT_GT(force.z, 0.3);
    EXPECT_LT(norm(force + hand), 0.01 * force.z);
    EXPECT_NEAR(hand.z, 300.0 * (0.008 - pressed.centre().z), 1e-3 * force.z);
    EXPECT_EQ(pressed.intersections, 0);
    EXPECT_GT(pressed.looks, 100);
    EXPECT_EQ(pressed.held, 0);
    // What is led to the same place whatever it takes feels the same.
    const RigidState there = pressed.tool();
    SpringWorld led(ball("", fmt::format("{}, {{ t = 0.5, to = [{}, {}, {}], turn = [{}, {}, {}] }}", at({0, 0, 0.023}),
                                         there.position.x, there.position.y, there.position.z, there.turn.x,
                                         there.turn.y, there.turn.z)));
    ASSERT_TRUE(led.run(2.0));
    printf("led there: %.6g\n", led.force().z);
    EXPECT_LT(norm(led.force() - force), 0.02 * force.z);
    EXPECT_EQ(norm(led.hand()), 0.0);
}

// A bar across the slab's rim: its inner end rests on it, and it turns until its spring holds it.
TEST(SpringContact, APushOffTheCentreTurnsIt) {
    const std::string bar = fmt::format(
        "{}[[tool]]\nname = \"probe\"\nkind = \"rigid\"\nshape = \"block\"\nsize = [0.1, 0.02, "
        "0.01]\nstiffness = 300\nturn_stiffness = 0.3\npath = [ {{ t = 0, at = [0.08, "
        "0.001, 0.007] }}, {{ t = 0.5, to = [0.08, 0.001, 0] }} ]\n",
        slab);
    SpringWorld tool(bar);
    ASSERT_TRUE(tool.run(2.0));
    const Vec3 torque = tool.torque(), hand = tool.world.frame().hand_torque[0];
    printf("force %g torque %g hand %g, turned %g, held %lld\n", tool.force().z, torque.y, hand.y, tool.tool().turn.y,
           static_cast<long long>(tool.held));
    EXPECT_GT(tool.force().z, 0.1);
    EXPECT_LT(norm(tool.force() + tool.hand()), 0.01 * norm(tool.force()));
    EXPECT_GT(torque.y, 0.03 * tool.force().z);
    EXPECT_LT(norm(torque + hand), 0.01 * norm(torque));
    EXPECT_NEAR(tool.tool().turn.y, torque.y / 0.3, 0.01 * tool.tool().turn.y);
    EXPECT_EQ(tool.intersections, 0);
}

// A free tool hits a free block off its middle.
struct Hit {
    double momentum = 0.0, turning = 0.0;  // largest changes, as shares of what the tool brought
    double tissue = 0.0;                   // the same of the tissue's momentum alone
    double given = 0.0;                    // of the tool's momentum
    int intersections = 0;
};
Hit hit(const std::string& keys, int substeps = 40, const std::string& friction = "0.2") {
    std::string text = ball(keys, at({0.025, -0.01, 0.0225}));
    replace(text, "damping = 40\nfixed = [ { side = \"-z\" } ]\n", "");
    text.insert(text.find("[environment]"), fmt::format("[contact]\nfriction = {}\n", friction));
    replace(text, "substeps = 1", fmt::format("substeps = {}", substeps));
    const SceneDescription scene = read_text(text);
    Built built = build_scene(scene, 1);
    built.state.rigids.back().velocity = {0.1, 0.05, -0.5};
    SpringWorld tool(scene, std::move(built), 1);
    const Vec3 before = tool.momentum_of_all(), turning = tool.turning_of_all(), own = tool.tool().velocity;
    Hit most;
    for (int k = 0; k < 20; ++k) {
        EXPECT_TRUE(tool.step());
        most.momentum = std::max(most.momentum, norm(tool.momentum_of_all() - before) / norm(before));
        most.turning = std::max(most.turning, norm(tool.turning_of_all() - turning) / norm(turning));
        most.tissue = std::max(most.tissue, norm(momentum(tool.world)) / norm(before));
        most.given = std::max(most.given, norm(tool.tool().velocity - own) / norm(own));
    }
    most.intersections = tool.intersections;
    EXPECT_EQ(tool.held, 0);
    printf("hit: momentum %g angular %g, tissue's %g, given %g, spin %g passes %g\n", most.momentum, most.turning,
           most.tissue, most.given, norm(tool.tool().spin), tool.sweeps / tool.substeps);
    return most;
}
const char* const loose = "stiffness = 1e-12\ndamping = 0\nturn_damping = 0\n";

TEST(SpringContact, ToolAndTissueExchangeMomentumAndLoseNone) {
    for (const char* mass : {"mass = 0.01\n", "mass = 0.1\n", "mass = 2\n"}) {
        for (const char* friction : {"0", "0.3"}) {
            // Friction acts on the axes, which are a contact distance apart.
            const double turning = std::string(friction) == "0" ? 1e-4 : 3e-3;
            const Hit found = hit(fmt::format("{}{}", loose, mass), 40, friction);
            EXPECT_LT(found.momentum, 1e-10);
            EXPECT_LT(found.turning, turning);
            EXPECT_GT(found.given, 0.1);
            EXPECT_EQ(found.intersections, 0);
            // The controls: one side alone does not keep it.
            EXPECT_GT(found.tissue, 0.1);
        }
    }
}

// A coupling takes momentum to the hand, and is seen to.
TEST(SpringContact, AHandTakesMomentum) {
    EXPECT_GT(hit("stiffness = 50\ndamping = 0\nturn_damping = 0\n").momentum, 0.1);
}

// The other direction: tissue that rises lifts the tool off its hand.
TEST(SpringContact, TissueThatMovesPushesTheTool) {
    std::string text = ball("stiffness = 300\n", at({0, 0, 0.0225}));
    replace(text, "fixed = [ { side = \"-z\" } ]", "motion = [ { side = \"-z\", by = [0, 0, 0.012], until = 0.5 } ]");
    SpringWorld tool(text);
    ASSERT_TRUE(tool.run(2.0));
    printf("lifted %g mm, force %g hand %g\n", 1e3 * (tool.centre().z - 0.0225), tool.force().z, tool.hand().z);
    EXPECT_GT(tool.centre().z, 0.0225 + 1e-3);
    EXPECT_LT(norm(tool.force() + tool.hand()), 0.01 * norm(tool.force()));
    EXPECT_NEAR(tool.force().z, 300.0 * (tool.centre().z - 0.0225), 0.01 * tool.force().z);
    EXPECT_EQ(tool.intersections, 0);
}

// 10 g against a kilogram.
TEST(SpringContact, ALightToolHoldsOnAHeavyLiver) {
    std::string text =
        ball("stiffness = 1000\nmass = 0.01\n",
             "{ t = 0, at = [0, 0, 0.023] }, { t = 0.3, to = [0, 0, 0] }, { t = 0.6, move = [0.01, 0, 0] }");
    replace(text, "size = [0.12, 0.12, 0.04]\ncells = [6, 6, 2]\ncenter = [0, 0, -0.02]",
            "size = [0.12, 0.12, 0.07]\ncells = [6, 6, 3]\ncenter = [0, 0, -0.035]");
    SpringWorld tool(text);
    double mass = 0.0, fastest = 0.0;
    for (const double w : tool.world.model().inverse_mass) mass += w > 0.0 ? 1.0 / w : 0.0;
    while (tool.world.frame().time < 1.2) {
        ASSERT_TRUE(tool.step());
        fastest = std::max(fastest, norm(tool.tool().velocity));
    }
    printf("liver %g kg, force %g, fastest %g m/s, at the end %g, held %lld passes %g\n", mass, norm(tool.force()),
           fastest, norm(tool.tool().velocity), static_cast<long long>(tool.held), tool.sweeps / tool.substeps);
    EXPECT_GT(mass, 0.6);
    EXPECT_GT(norm(tool.force()), 1.0);
    EXPECT_LT(norm(tool.force() + tool.hand()), 0.01 * norm(tool.force()));
    EXPECT_LT(fastest, 0.3);
    EXPECT_LT(norm(tool.tool().velocity), 1e-3);
    EXPECT_EQ(tool.intersections, 0);
}

// What stands has no give: the spring alone holds the tool, on its thickness.
TEST(SpringContact, RestsOnWhatStands) {
    std::string text =
        ball("stiffness = 300\nmax_force = 2\n", "{ t = 0, at = [0.2, 0, 0.03] }, { t = 0.5, to = [0.2, 0, 0.015] }");
    text.insert(text.find("[[tool]]"),
                "[[body]]\nname = \"table\"\ntissue = \"rigid\"\nshape = \"block\"\nsize = [0.1, 0.1, "
                "0.04]\ncenter = [0.2, 0, -0.02]\n");
    SpringWorld tool(text);
    ASSERT_TRUE(tool.run(1.5));
    double lowest = 1.0;
    for (std::size_t n = 0; n < tool.body().local.size(); ++n) {
        lowest = std::min(lowest, tool.world.state().x[static_cast<std::size_t>(tool.body().first_node) + n].z);
    }
    printf("force %g hand %g, %g mm over the table, held %lld passes %g speed %g\n", tool.force().z, tool.hand().z,
           1e3 * lowest, static_cast<long long>(tool.held), tool.sweeps / tool.substeps, norm(tool.tool().velocity));
    EXPECT_NEAR(lowest, 1e-3, 2e-6);
    EXPECT_LT(norm(tool.force() + tool.hand()), 0.01 * norm(tool.force()));
    EXPECT_NEAR(tool.force().z, 300.0 * (tool.centre().z - 0.015), 0.01 * tool.force().z);
    EXPECT_LT(norm(tool.tool().velocity), 1e-4);
    EXPECT_EQ(tool.intersections, 0);
}

// 0.5 N is all the hand gives, however deep it wants to go.
TEST(SpringContact, PressesNoHarderThanItsLimit) {
    SpringWorld tool(ball("stiffness = 300\nmax_force = 0.5\n", press));
    ASSERT_TRUE(tool.run(1.5));
    printf("limited: force %g hand %g\n", tool.force().z, tool.hand().z);
    EXPECT_NEAR(tool.force().z, 0.5, 0.005);
    EXPECT_NEAR(tool.hand().z, -0.5, 1e-6);
}

TEST(SpringContact, SameBitsForAnyNumberOfThreads) {
    SpringWorld one(ball("stiffness = 300\n", press), 1), two(ball("stiffness = 300\n", press), 2);
    ASSERT_TRUE(one.run(0.6));
    ASSERT_TRUE(two.run(0.6));
    EXPECT_GT(norm(one.force()), 0.1);
    EXPECT_EQ(compute_hash(one.world.state()), compute_hash(two.world.state()));
    // A state that was saved goes on as it would have.
    const State saved = one.world.state();
    const Inputs inputs = one.script.next(one.world);
    const std::uint64_t after = one.world.step(inputs).hash;
    one.world.restore(saved);
    EXPECT_EQ(one.world.step(inputs).hash, after);
    State other = saved;
    other.rigids.back().velocity.x += 1e-9;
    one.world.restore(other);
    EXPECT_NE(one.world.step(inputs).hash, after) << "the control: velocities are part of the state";
}

// Bricks and bars on the slab and on a bone beside it, fast, tumbling, wedged in: nothing enters anything.
const char* const bone =
    "[[body]]\nname = \"bone\"\ntissue = \"rigid\"\nshape = \"block\"\nsize = [0.04, 0.12, 0.02]\ncenter = [0.09, 0, "
    "0]\n";
struct Case {
    const char* name;
    const char* keys;
    Vec3 spin{};
};
const Case cases[] = {{"fast",
                       "shape = \"ball\"\nradius = 0.015\nfineness = 2\nstiffness = 1000\nmass = 0.01\n"
                       "path = [{ t = 0, at = [0, 0, 0.05] }, { t = 0.06, to = [0, 0, 0] }]\n"},
                      {"tumbling",
                       "shape = \"block\"\nsize = [0.02, 0.03, 0.05]\nstiffness = 200\nturn_stiffness = 0.001\n"
                       "path = [{ t = 0, at = [0.03, 0, 0.045] }, { t = 0.3, to = [0.03, 0, 0.01] }]\n",
                       {20, 5, 3}},
                      {"wedged",
                       "shape = \"block\"\nsize = [0.02, 0.03, 0.02]\nstiffness = 500\n"
                       "path = [{ t = 0, at = [0.04, 0, 0.015] }, { t = 0.3, to = [0.06, 0, 0.005] }]\n"},
                      {"across",
                       "shape = \"block\"\nsize = [0.2, 0.005, 0.005]\nstiffness = 500\nturn_stiffness = 1\n"
                       "path = [{ t = 0, at = [0, 0, 0.018] }, { t = 0.3, to = [0, 0, -0.01] }]\n"}};

SpringWorld make(const Case& given, bool enabled) {
    std::string text = fmt::format("{}{}[[tool]]\nname = \"probe\"\nkind = \"rigid\"\n{}", slab, bone, given.keys);
    if (!enabled) text.insert(text.find("[environment]"), "[contact]\nenabled = false\n");
    const SceneDescription scene = read_text(text);
    Built built = build_scene(scene, 1);
    built.state.rigids.back().spin = given.spin;
    return {scene, std::move(built), 1};
}

TEST(SpringContact, EntersNothing) {
    for (const Case& each : cases) {
        SpringWorld tool = make(each, true);
        ASSERT_TRUE(tool.run(1.0)) << each.name;
        printf("%s: force %g hand %g speed %g held %lld passes %g\n", each.name, norm(tool.force()), norm(tool.hand()),
               norm(tool.tool().velocity), static_cast<long long>(tool.held), tool.sweeps / tool.substeps);
        EXPECT_EQ(tool.intersections, 0) << each.name;
        EXPECT_GT(norm(tool.force()), 0.3) << each.name;
        EXPECT_LT(norm(tool.force() + tool.hand()), 0.01 * norm(tool.force())) << each.name;
        EXPECT_LT(norm(tool.tool().velocity), 1e-3) << each.name;
        SpringWorld control = make(each, false);
        ASSERT_TRUE(control.run(1.0));
        EXPECT_GT(control.intersections, 0) << each.name << ": the control, without contact";
    }
}

}  // namespace
}  // namespace plica::testing
