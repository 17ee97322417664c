#include <gtest/gtest.h>

#include "tests/engine/tools/spring_tools.hpp"

// Hinges between rigid bodies: what they hold, how they turn, how hard they close.
namespace plica::testing::joint_tests {
namespace {

const std::string head =
    "plica = 1\n[solver]\ndt = 0.01\nsubsteps = 10\n[environment]\ngravity = [0, 0, 0]\n"
    "[[body]]\nname = \"rope\"\nanatomy = \"rope\"\nlength = 0.1\nsegments = 2\nfixed = \"both\"\nfrom = [0, 0.5, 0]\n";
std::string tool(const std::string& name, const std::string& keys, const std::string& path) {
    return fmt::format("[[tool]]\nname = \"{}\"\nkind = \"rigid\"\n{}path = [ {} ]\n", name, keys, path);
}
// A bar that begins 5 mm beside the axis, which is y through the origin.
std::string door(const std::string& keys, const std::string& more = "") {
    return tool("door", "shape = \"block\"\nsize = [0.06, 0.02, 0.01]\ncenter = [0.035, 0, 0]\nmass = 0.05\n" + keys,
                "{ t = 0, at = [0, 0, 0] }" + more);
}
const std::string free_of_hands = "stiffness = 0\n", hardly_led = "stiffness = 1e-12\ndamping = 0\nturn_damping = 0\n";
const std::string post =
    "[[body]]\nname = \"post\"\ntissue = \"rigid\"\nshape = \"block\"\nsize = [0.02, 0.02, 0.02]\ncenter = [-0.06, 0, "
    "0]\n";
std::string joint(const std::string& keys, const std::string& first = "post", const std::string& second = "door") {
    return fmt::format("[[joint]]\nbodies = [\"{}\", \"{}\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n{}", first, second,
                       keys);
}

Built turning(const SceneDescription& scene, double spin) {
    Built built = build_scene(scene, 1);
    RigidState& last = built.state.rigids.back();
    last.spin = {0, spin, 0};
    last.velocity = cross(last.spin, apply(make_pose(last.turn, last.position), built.model.rigids.back().centre));
    return built;
}

// m and rad: how far a joint is open, in place and axis.
std::pair<double, double> errors(const World& world, std::size_t i = 0) {
    const Hinge& hinge = world.model().hinges[i];
    Vec3 place[2], axis[2];
    for (std::size_t s = 0; s < 2; ++s) {
        const RigidState& now = world.state().rigids[static_cast<std::size_t>(hinge.rigid[s])];
        const Pose pose = make_pose(now.turn, now.position);
        place[s] = apply(pose, hinge.joint.side[s].place);
        axis[s] = turn(pose, hinge.joint.side[s].axis);
    }
    return {distance(place[0], place[1]), norm(cross(axis[0], axis[1]))};
}
double angle(const SpringWorld& world, std::size_t i = 0) {
    return world.world.frame().joints[i].angle;
}

TEST(Joint, ADoorTurnsOnItsPost) {
    const SceneDescription scene = read_text(head + post + door(free_of_hands) + joint(""));
    SpringWorld world(scene, turning(scene, -4.0), 1);
    double open = 0.0, lean = 0.0;
    while (world.world.frame().time < 0.5 - 1e-9) {
        ASSERT_TRUE(world.step());
        open = std::max(open, errors(world.world).first);
        lean = std::max(lean, errors(world.world).second);
    }
    EXPECT_LT(open, 1e-6);
    EXPECT_LT(lean, 1e-5);
    EXPECT_NEAR(angle(world), -2.0, 0.02);
    EXPECT_NEAR(world.tool().spin.y, -4.0, 0.04);
    // The control: without a joint it flies away.
    const SceneDescription loose = read_text(head + post + door(hardly_led));
    SpringWorld flies(loose, turning(loose, -4.0), 1);
    ASSERT_TRUE(flies.run(0.5));
    EXPECT_GT(distance(flies.centre(), world.centre()), 0.05);
}

TEST(Joint, LimitsStopIt) {
    const SceneDescription scene = read_text(head + post + door(free_of_hands) + joint("limits = [-0.6, 0.3]\n"));
    for (const double spin : {-4.0, 4.0}) {
        SpringWorld world(scene, turning(scene, spin), 1);
        double least = 0.0, most = 0.0;
        while (world.world.frame().time < 0.5 - 1e-9) {
            ASSERT_TRUE(world.step());
            least = std::min(least, angle(world));
            most = std::max(most, angle(world));
        }
        EXPECT_GT(least, -0.6 - 1e-5);
        EXPECT_LT(most, 0.3 + 1e-5);
        EXPECT_NEAR(spin < 0.0 ? least : most, spin < 0.0 ? -0.6 : 0.3, 1e-3);
    }
}

// Two that only the joint holds together, as thrown: linear and angular momentum.
TEST(Joint, GivesAndTakesAlike) {
    const std::string frame =
        tool("frame", "shape = \"block\"\nsize = [0.06, 0.03, 0.02]\ncenter = [-0.04, 0, 0]\nmass = 0.1\n" + hardly_led,
             "{ t = 0, at = [0, 0, 0] }");
    const auto lost = [&](const std::string& keys, std::size_t first) {
        const SceneDescription scene =
            read_text(head + frame + door(free_of_hands, ", { t = 0.3, turn = [0, -0.5, 0] }") + keys);
        Built built = build_scene(scene, 1);
        built.state.rigids[1].velocity = {0.1, 0.05, -0.5};
        SpringWorld world(scene, std::move(built), 1);
        const auto sums = [&] {
            std::pair<Vec3, Vec3> sum{};
            for (std::size_t i = first; i < 2; ++i) {
                const RigidBody& rigid = world.world.model().rigids[i];
                const RigidState& now = world.world.state().rigids[i];
                const Pose pose = make_pose(now.turn, now.position);
                sum.first += now.velocity * rigid.coupling.mass;
                sum.second += cross(apply(pose, rigid.centre), now.velocity) * rigid.coupling.mass +
                              turn(make_pose(now.turn, {}), rigid.inertia) * now.spin;
            }
            return sum;
        };
        const auto before = sums();
        EXPECT_TRUE(world.run(0.3));
        return std::pair{norm(sums().first - before.first) / norm(before.first),
                         norm(sums().second - before.second) / norm(before.second)};
    };
    const std::string driven = joint("stiffness = 0.5\nlimits = [-0.3, 0.3]\n", "frame");
    for (const std::string& keys : {joint("", "frame"), driven}) {
        const auto both = lost(keys, 0);
        EXPECT_LT(both.first, 1e-10);
        EXPECT_LT(both.second, 1e-3);
        EXPECT_GT(lost(keys, 1).first, 0.1);  // the door alone
    }
}

// The drive follows the path's turn, as an oscillator that is critically damped, and no harder than it may.
TEST(Joint, ADriveTurnsIt) {
    const std::string way = ", { t = 0.2, turn = [0, -0.8, 0] }";
    SpringWorld world(head + post + door(free_of_hands, way) + joint("stiffness = 0.5\n"));
    ASSERT_TRUE(world.run(1.5));
    EXPECT_NEAR(angle(world), -0.8, 1e-4);
    EXPECT_NEAR(world.world.frame().joints[0].drive, 0.0, 1e-4);
    SpringWorld weak(head + post + door(free_of_hands, way) + joint("stiffness = 0.5\nmax_torque = 1e-4\n"));
    ASSERT_TRUE(weak.run(0.1));
    // 1e-4 N m on the door's inertia about the axis for 0.1 s.
    const double inertia = 0.05 * ((0.06 * 0.06 + 0.01 * 0.01) / 12.0 + 0.035 * 0.035);
    EXPECT_NEAR(angle(weak), -0.5 * 1e-4 / inertia * 0.01, 0.1 * 1e-4 / inertia * 0.01);
    EXPECT_NEAR(weak.world.frame().joints[0].drive, -1e-4, 1e-9);
}

// What it closes on feels the torque over the lever, and no more than the drive's limit.
TEST(Joint, ADriveClosesNoHarderThanItMay) {
    const std::string anvil =
        "[[body]]\nname = \"anvil\"\ntissue = \"rigid\"\nshape = \"ball\"\nradius = 0.01\ncenter = [0.05, 0, 0.03]\n";
    const auto felt = [&](const std::string& keys) {
        SpringWorld world(head + post + anvil + door(free_of_hands, ", { t = 0.2, turn = [0, -1.5, 0] }") +
                          joint("stiffness = 2\n" + keys));
        EXPECT_TRUE(world.run(2.0));
        EXPECT_EQ(world.intersections, 0);
        EXPECT_EQ(world.held, 0);
        EXPECT_LT(norm(world.tool().velocity), 1e-4);
        // The tool's frame is at the axis.
        return std::pair{world.world.frame().tool_torque.back().y, world.world.frame().joints[0].drive};
    };
    const auto limited = felt("max_torque = 0.02\n"), unlimited = felt("");
    EXPECT_NEAR(limited.second, -0.02, 1e-6);
    EXPECT_NEAR(limited.first, 0.02, 2e-4);
    EXPECT_GT(-unlimited.second, 0.5);
    EXPECT_NEAR(unlimited.first, -unlimited.second, 0.01 * unlimited.first);
}

// A shaft on a hand's spring with two jaws that close on a block of tissue and lift it.
std::string grasper(const std::string& jaw_keys) {
    const std::string tissue =
        "[[body]]\nname = \"block\"\ntissue = \"tled\"\nshape = \"block\"\nsize = [0.04, 0.03, 0.02]\ncells = [4, 3, "
        "2]\n"
        "center = [0.05, 0, 0]\nelement = \"h8\"\nmaterial = { young = 5000, poisson = 0.4, density = 1000 }\ndamping "
        "= 20\n";
    const std::string shaft = tool("shaft",
                                   "shape = \"block\"\nsize = [0.1, 0.012, 0.012]\ncenter = [-0.06, 0, 0]\nstiffness = "
                                   "1000\nturn_stiffness = 20\n",
                                   "{ t = 0, at = [0, 0, 0] }, { t = 0.6 }, { t = 1.2, to = [0, 0, 0.03] }");
    const auto jaw = [&](const char* name, double side) {
        return tool(
            name,
            fmt::format(
                "shape = \"block\"\nsize = [0.06, 0.02, 0.004]\ncenter = [0.035, 0, {}]\nmass = 0.02\nstiffness = 0\n",
                0.016 * side),
            fmt::format("{{ t = 0, at = [0, 0, 0] }}, {{ t = 0.4, turn = [0, {}, 0] }}", 0.4 * side));
    };
    return head + "[contact]\nfriction = 0.8\n" + tissue + shaft + jaw("upper", 1.0) + jaw("lower", -1.0) +
           joint(jaw_keys, "shaft", "upper") + joint("stiffness = 5\n", "shaft", "lower");
}

TEST(Joint, AGrasperHoldsTissue) {
    const SceneDescription scene = read_text(grasper("stiffness = 1\nmax_torque = 0.05\n"));
    SpringWorld world(scene, 1);
    double open = 0.0;
    while (world.world.frame().time < 1.5 - 1e-9) {
        ASSERT_TRUE(world.step());
        for (std::size_t i = 0; i < 2; ++i) open = std::max(open, errors(world.world, i).first);
    }
    const Frame& frame = world.world.frame();
    printf("open %g, torques %g %g, angles %g %g, forces %g %g, held %lld passes %g\n", open, frame.joints[0].drive,
           frame.joints[1].drive, angle(world, 0), angle(world, 1), frame.tool_force[1].z, frame.tool_force[2].z,
           static_cast<long long>(world.held), world.sweeps / world.substeps);
    EXPECT_EQ(world.intersections, 0);
    EXPECT_LT(open, 1e-5);
    EXPECT_NEAR(frame.joints[0].drive, 0.05, 0.002);
    EXPECT_NEAR(frame.joints[1].drive, -0.05, 0.005);
    EXPECT_NEAR(angle(world, 1), -0.4, 0.02);
    EXPECT_GT(frame.tool_force[1].z, 0.5);
    EXPECT_LT(frame.tool_force[2].z, -0.5);
    const Body& block = world.world.model().bodies[1];
    EXPECT_GT(world.world.state().x[static_cast<std::size_t>(block.first_node)].z, 0.01);  // lifted, from -0.01
    // No gravity and at rest: what the jaws feel is what the hand gives.
    EXPECT_LT(norm(frame.tool_force[0] + frame.tool_force[1] + frame.tool_force[2] + frame.hand_force[0]),
              0.02 * frame.tool_force[1].z);
}

TEST(Joint, SameBitsForThreadsAndFromASavedState) {
    const SceneDescription scene = read_text(grasper("stiffness = 1\nmax_torque = 0.05\n"));
    const auto hash = [&](int threads, bool restored) {
        World world = make_world(scene, 1, threads);
        Script script(scene);
        std::vector<Inputs> inputs;
        State middle;
        std::uint64_t last = 0;
        for (int k = 0; k < 50; ++k) {
            if (k == 40) middle = world.state();
            inputs.push_back(script.next(world));
            last = world.step(inputs.back()).hash;
        }
        if (restored) world.restore(middle);
        for (std::size_t k = 40; restored && k < 50; ++k) last = world.step(inputs[k]).hash;
        return last;
    };
    const std::uint64_t plain = hash(1, false);
    EXPECT_EQ(plain, hash(3, false));
    EXPECT_EQ(plain, hash(1, true));
}

// A state that has forgotten what the joints gave goes on otherwise.
TEST(Joint, WhatJointsGaveIsState) {
    const SceneDescription scene = read_text(grasper("stiffness = 1\nmax_torque = 0.05\n"));
    const auto hash = [&](bool forgets) {
        World world = make_world(scene);
        Script script(scene);
        for (int k = 0; k < 40; ++k) world.step(script.next(world));
        State state = world.state();
        for (JointMemory& joint : state.joints) joint = forgets ? JointMemory{} : joint;
        world.restore(state);
        return world.step(script.next(world)).hash;
    };
    EXPECT_NE(hash(true), hash(false));
}

}  // namespace
}  // namespace plica::testing::joint_tests
