#include <gtest/gtest.h>

#include <plica/plica.hpp>

#include "audit/audit.hpp"
#include "experiments/zhong/heat_body.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/smooth_normals.hpp"
#include "tests/collision/tree/tree_motion.hpp"
#include "tests/engine/worlds.hpp"
#include "tests/support/allocations.hpp"

// A warm step allocates nothing: every operator new of this program is counted.
namespace plica::testing {
namespace {

// Allocations in `measured` steps after `warm` steps.
long count(const char* name, int threads, int warm, int measured, const std::vector<std::string>& overrides = {}) {
    const SceneDescription scene = read_scene(find_scene(name, overrides));
    World world = make_world(scene, 1, threads);
    Script script(scene);
    for (int i = 0; i < warm; ++i) world.step(script.next(world));
    const long before = allocations;
    for (int i = 0; i < measured; ++i) world.step(script.next(world));
    return allocations - before;
}

TEST(Allocation, AWarmStepAllocatesNothing) {
    EXPECT_EQ(count("intestine-pile", 1, 60, 180), 0);
    EXPECT_EQ(count("intestine-pile", 2, 60, 180), 0);
    EXPECT_EQ(count("intestine", 1, 60, 60), 0);
    EXPECT_EQ(count("intestine", 1, 30, 60, {"gut.mesentery_self_contact=true"}), 0);
    EXPECT_EQ(count("chain", 1, 5, 100), 0);
    EXPECT_EQ(count("heat-poke", 1, 180, 120), 0);
    const std::vector<std::string> sprung{"liver.cell=0.016", "upper.stiffness=500", "lower.stiffness=500"};
    EXPECT_EQ(count("forceps-liver", 1, 110, 60, sprung), 0);
    EXPECT_EQ(count("intestine-pile", 1, 30, 90, {"solver.detector=tracked", "solver.tracked_pairs=1000"}), 0);
    EXPECT_EQ(count("intestine-plane", 1, 10, 30,
                    {"solver.detector=tracked", "solver.tracked_pairs=1000", "gut.mesentery_contact=edges"}),
              0);
}

// The library's step with a tool taken over, told of by flags and times without strings.
// Jaws on a shaft that close on each other over a floor, with friction of their own: walls, pairs of tools, joints.
TEST(Allocation, AWarmStepOfJoinedToolsAllocatesNothing) {
    std::string text =
        "plica = 1\n[solver]\ndt = 0.01\nsubsteps = 4\n[environment]\ngravity = [0, 0, 0]\n"
        "plane = { point = [0, 0, -0.02], normal = [0, 0, 1] }\n"
        "[[body]]\nname = \"rope\"\nanatomy = \"rope\"\nlength = 0.1\nsegments = 2\nfixed = \"both\"\nfrom = [0, 0.5, "
        "0.1]\n"
        "[[tool]]\nname = \"shaft\"\nkind = \"rigid\"\nshape = \"block\"\nsize = [0.1, 0.012, 0.012]\ncenter = [-0.06, "
        "0, 0]\n"
        "stiffness = 500\nfriction = 0.1\npath = [ { t = 0, at = [0, 0, 0] }, { t = 3, to = [0, 0, -0.05] } ]\n";
    for (const auto& [name, side] : {std::pair{"upper", "1"}, {"lower", "-1"}}) {
        text += std::string("[[tool]]\nname = \"") + name +
                "\"\nkind = \"rigid\"\nshape = \"block\"\nsize = [0.06, 0.02, 0.004]\ncenter = [0.035, 0, " + side +
                "e-2]\nmass = 0.02\nstiffness = 0\npath = [ { t = 0, at = [0, 0, 0] }, { t = 0.5, turn = [0, " + side +
                ", 0] } ]\n[[joint]]\nbodies = [\"shaft\", \"" + name +
                "\"]\nat = [0, 0, 0]\nstiffness = 1\nmax_torque = 0.05\n";
    }
    const SceneDescription scene = read_scene({"t", "t.toml", text, {}});
    World world = make_world(scene);
    Script script(scene);
    for (int i = 0; i < 200; ++i) world.step(script.next(world));
    const long before = allocations;
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(script.next(world)).is_valid());
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(norm(world.frame().tool_force[0]), 0.1);  // on the floor
    EXPECT_GT(norm(world.frame().tool_force[1]), 0.1);  // on the other jaw, or the floor
}

TEST(Allocation, AWarmStepOfTheLibraryAllocatesNothing) {
    Simulation simulation = Simulation::load("intestine-pile");
    for (int i = 0; i < 60; ++i) simulation.step();
    const long before = allocations;
    for (int i = 0; i < 60; ++i) {
        const StepInfo info = simulation.step();
        ASSERT_TRUE(info.valid && info.flags.empty());
    }
    EXPECT_EQ(allocations - before, 0);
    const SavedState saved = simulation.save();
    EXPECT_GT(allocations - before, 0) << "the control";
    EXPECT_FALSE(saved.bytes().empty());
}

TEST(Allocation, AWarmTreeAllocatesNothing) {
    Random random{1};
    const TreeScene scene = make_mixed_scene(random);
    const Motion motion(scene, random, 0.1, 0.01, 0.02);
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, {});
    constexpr int steps = 60;
    std::vector<std::vector<Vec3>> x(steps + 1);
    std::vector<std::vector<Pose>> poses(steps + 1);
    for (int i = 0; i <= steps; ++i) {
        motion.place(scene, 0.01 * i, x[static_cast<std::size_t>(i)], poses[static_cast<std::size_t>(i)]);
    }
    const auto go = [&] {
        const long before = allocations;
        for (std::size_t i = 0; i < steps; ++i) tree.update(x[i], x[i + 1], poses[i], poses[i + 1]);
        return allocations - before;
    };
    go();
    tree.forget();
    const std::int64_t searches = tree.counts().searches;
    EXPECT_EQ(go(), 0);
    EXPECT_GT(tree.counts().searches - searches, 20);
    EXPECT_GT(tree.pairs().size(), 100u);
}

// An audit of two balls that go through each other and back.
TEST(Allocation, AWarmLookAtSolidsAllocatesNothing) {
    const SurfaceMesh ball = make_icosphere(3, 0.1);
    Surface surface;
    std::vector<Vec3> x;
    for (const std::int32_t body : {0, 1}) {
        const auto first = static_cast<std::int32_t>(x.size());
        x.insert(x.end(), ball.nodes.begin(), ball.nodes.end());
        for (const auto& t : ball.triangles)
            surface.triangles.push_back({first + t[0], first + t[1], first + t[2], 0.001, body, -1, -1, -1});
    }
    audit::Audit audit(surface, x, 2);
    std::vector<Vec3> trail(2 * x.size());
    const auto pass = [&] {
        int most = 0;
        for (int i = -30; i <= 30; ++i) {
            for (std::size_t n = 0; n < x.size(); ++n)
                trail[n] = trail[x.size() + n] = x[n] + (n < ball.nodes.size() ? Vec3{} : Vec3{0.01 * i, 0.02, 0.01});
            most = std::max(most, audit.examine(trail, 1).intersections);
        }
        return most;
    };
    EXPECT_GT(pass(), 100);
    const long before = allocations;
    EXPECT_GT(pass(), 100);
    EXPECT_EQ(allocations - before, 0);
}

TEST(Allocation, TheCounterCounts) {
    const long before = allocations;
    const std::vector<int> something(10);
    EXPECT_EQ(something.size(), 10U);
    EXPECT_GE(allocations - before, 1);
    EXPECT_GT(count("intestine-pile", 1, 0, 1), 0);  // a cold step does allocate
}

TEST(Allocation, NormalsOfAMovingSurfaceAllocateNothing) {
    SurfaceMesh liver = make_liver_surface(2);
    SmoothNormals normals(liver.triangles, liver.nodes);
    const long before = allocations;
    for (Vec3& x : liver.nodes) x *= 1.1;
    normals.update(liver.nodes);
    normals.update(liver.nodes, NormalWeight::angle_and_area);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(allocations, 0);  // they are counted
}

// Steps of another length and other holds refactor where the first factor lies.
TEST(Allocation, AMembraneNeedsNoneOnceItIsPrepared) {
    experiments::HeatBody body(experiments::paper_superquadric(), experiments::paper_setup({}));
    body.push(body.nearest(experiments::paper_top), {0, 0, -10});
    body.step(0.01);
    const long before = allocations;
    body.run(0.5, 0.01);
    body.w[body.nearest({1, 0, 0})] = 0.0;
    body.run(0.1, 0.004);
    EXPECT_EQ(allocations - before, 0);
    heat::prepare(body.membrane, 0.01, body.work, body.state);
    EXPECT_GT(allocations - before, 0) << "the control";
}

}  // namespace
}  // namespace plica::testing
