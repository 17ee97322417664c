#include <gtest/gtest.h>

#include "tests/engine/tools/spring_tools.hpp"

// Rigid tools on each other.
namespace plica::testing::tool_pairs_tests {
namespace {

std::string tool(const std::string& name, const std::string& keys, const std::string& path) {
    return fmt::format("[[tool]]\nname = \"{}\"\nkind = \"rigid\"\n{}path = [ {} ]\n", name, keys, path);
}
std::string scene_of(const std::string& tools, const std::string& solver = "") {
    return "plica = 1\n[solver]\ndt = 0.01\nsubsteps = 8\n" + solver +
           "[environment]\ngravity = [0, 0, 0]\n"
           "[[body]]\nname = \"rope\"\nanatomy = \"rope\"\nlength = 0.1\nsegments = 2\nfixed = \"both\"\nfrom = [0, 0, "
           "0.5]\n" +
           tools;
}
const std::string ball = "shape = \"ball\"\nradius = 0.02\nfineness = 2\n";
const std::string block = "shape = \"block\"\nsize = [0.06, 0.06, 0.03]\n";

const Vec3& felt(const SpringWorld& world, std::size_t i) {
    return world.world.frame().tool_force[i];
}

// Two hands press their instruments on each other.
TEST(ToolPairs, TwoOnSpringsPressAlike) {
    SpringWorld both(scene_of(
        tool("anvil", block + "stiffness = 400\n", "{ t = 0, at = [0, 0, -0.017] }") +
        tool("probe", ball + "stiffness = 200\n", "{ t = 0, at = [0, 0, 0.0205] }, { t = 0.4, to = [0, 0, 0.008] }")));
    ASSERT_TRUE(both.run(1.5));
    const Vec3 on_anvil = felt(both, 0), on_probe = felt(both, 1);
    EXPECT_GT(on_probe.z, 1.0);
    EXPECT_LT(norm(on_probe + on_anvil), 1e-9 * norm(on_probe));
    EXPECT_LT(norm(on_probe + both.hand()), 0.01 * norm(on_probe));
    EXPECT_LT(norm(on_anvil + both.world.frame().hand_force[0]), 0.01 * norm(on_anvil));
    EXPECT_EQ(both.intersections, 0);
    EXPECT_EQ(both.held, 0);
}

// On one whose way is given the same, and that one feels it.
TEST(ToolPairs, OneOnASpringPressesOnOneThatIsLed) {
    SpringWorld both(scene_of(tool("anvil", block, "{ t = 0, at = [0, 0, -0.017] }, { t = 0.4, to = [0, 0, -0.01] }") +
                              tool("probe", ball + "stiffness = 200\n", "{ t = 0, at = [0, 0, 0.0205] }")));
    ASSERT_TRUE(both.run(1.5));
    EXPECT_GT(felt(both, 1).z, 0.5);
    EXPECT_LT(norm(felt(both, 1) + felt(both, 0)), 1e-9 * norm(felt(both, 1)));
    EXPECT_LT(norm(felt(both, 1) + both.hand()), 0.01 * norm(felt(both, 1)));
    EXPECT_EQ(both.world.state().rigids[0].position.z, -0.01);
    EXPECT_EQ(both.intersections, 0);
    EXPECT_EQ(both.held, 0);
}

// Two that fly into each other, off the middle.
TEST(ToolPairs, MomentumIsKept) {
    const std::string loose = "stiffness = 1e-12\ndamping = 0\nturn_damping = 0\n";
    for (const char* friction : {"0", "0.3"}) {
        const std::string contact = fmt::format("[contact]\nfriction = {}\n", friction);
        std::string text =
            (scene_of(contact + tool("anvil", block + loose + "mass = 0.3\n", "{ t = 0, at = [0, 0, -0.02] }") +
                      tool("probe", ball + loose, "{ t = 0, at = [0.015, 0.01, 0.03] }")));
        replace(text, "substeps = 8", "substeps = 40");
        const SceneDescription scene = read_text(text);
        Built built = build_scene(scene, 1);
        built.state.rigids.back().velocity = {0.05, 0.0, -0.5};
        SpringWorld both(scene, std::move(built), 1);
        const auto sums = [&](std::size_t first) {
            std::pair<Vec3, Vec3> sum{};
            for (std::size_t i = first; i < 2; ++i) {
                const RigidBody& rigid = both.world.model().rigids[i];
                const RigidState& now = both.world.state().rigids[i];
                const Pose pose = make_pose(now.turn, now.position);
                sum.first += now.velocity * rigid.coupling.mass;
                sum.second += cross(apply(pose, rigid.centre), now.velocity) * rigid.coupling.mass +
                              turn(make_pose(now.turn, {}), rigid.inertia) * now.spin;
            }
            return sum;
        };
        const auto before = sums(0), alone = sums(1);
        ASSERT_TRUE(both.run(0.2));
        EXPECT_LT(norm(sums(0).first - before.first), 1e-10 * norm(before.first));
        EXPECT_LT(norm(sums(0).second - before.second), 2e-3 * norm(before.second));
        // The control: one of them alone does not keep it.
        EXPECT_GT(norm(sums(1).first - alone.first), 0.1 * norm(alone.first));
        EXPECT_EQ(both.intersections, 0);
    }
}

// Two whose ways are given and cross: they stay apart, and neither feels anything.
TEST(ToolPairs, TwoThatAreLedDoNotIntersect) {
    const std::string tools =
        tool("anvil", block, "{ t = 0, at = [0, 0, -0.017] }") +
        tool("probe", "shape = \"ball\"\nradius = 0.02\nfineness = 1\n",
             "{ t = 0, at = [0, 0, 0.03] }, { t = 0.4, to = [0, 0, -0.02] }, { t = 0.8, to = [0.1, 0, 0.03] }");
    SpringWorld both(scene_of(tools));
    ASSERT_TRUE(both.run(0.4));
    EXPECT_EQ(both.intersections, 0);
    EXPECT_GT(both.held, 0);
    EXPECT_GT(both.tool().position.z, 0.015);  // behind its way
    EXPECT_EQ(both.world.state().rigids[0].position.z, -0.017);
    ASSERT_TRUE(both.run(1.0));
    EXPECT_EQ(both.intersections, 0);
    EXPECT_NEAR(both.tool().position.z, 0.03, 1e-9);
    EXPECT_EQ(norm(felt(both, 0)) + norm(felt(both, 1)), 0.0);
    SpringWorld through(scene_of(tools, "certify = false\n"));
    ASSERT_TRUE(through.run(1.0));
    EXPECT_GT(through.intersections, 0);
}

}  // namespace
}  // namespace plica::testing::tool_pairs_tests
