#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/random.hpp"
#include "tests/scene/file/scene_texts.hpp"

namespace plica::testing {
namespace {

Texts builtin_mistakes(const std::string& name, const Texts& overrides) {
    try {
        read_scene(find_scene(name, overrides));
    } catch (const Error& error) {
        return scene_lines(error.what());
    }
    return {};
}

// Exactly one mistake, which names the override.
void expect_override_mistake(const std::string& text, const std::string& override_text, const Texts& words) {
    const Texts found = mistakes(text, {override_text});
    ASSERT_EQ(found.size(), 1U) << override_text << " gave\n" << join(found);
    EXPECT_EQ(found[0].rfind("--set " + override_text + ": ", 0), 0U) << found[0];
    for (const std::string& word : words) EXPECT_TRUE(contains(found[0], word)) << found[0] << "\nlacks " << word;
}

TEST(SceneFile, OverridesReachEveryTable) {
    const SceneDescription scene = read(
        every_table, {"seconds=3", "title=Hello", "solver.dt=0.01", "solver.substeps=5", "contact.friction=0.9",
                      "contact.enabled=false", "environment.drag=7", "environment.gravity=[1, 2, 3]",
                      "environment.cavity.radii=[1,2,3]", "environment.bowl.radius=0.5", "gut.segments=40",
                      "gut.fixed=both", "gut.from=[0,0,4]", "probe.max_force=8", "probe.path=[{t=0,at=\"gut:1\"}]"});
    EXPECT_EQ(scene.title, "Hello");
    EXPECT_DOUBLE_EQ(scene.seconds, 3.0);
    EXPECT_DOUBLE_EQ(scene.dt, 0.01);
    EXPECT_EQ(scene.substeps, 5);
    EXPECT_DOUBLE_EQ(scene.contact.friction, 0.9);
    EXPECT_FALSE(scene.contact.enabled);
    EXPECT_DOUBLE_EQ(scene.drag, 7.0);
    EXPECT_EQ(scene.gravity, (Vec3{1, 2, 3}));
    ASSERT_EQ(scene.walls.size(), 2U);
    EXPECT_DOUBLE_EQ(scene.walls[0].radii.x, 0.5);
    EXPECT_EQ(scene.walls[1].radii, (Vec3{1, 2, 3}));
    EXPECT_EQ(scene.bodies[0].rope.segments, 40);
    EXPECT_TRUE(scene.bodies[0].fixed_start && scene.bodies[0].fixed_end);
    EXPECT_EQ(scene.bodies[0].rope.from, (Vec3{0, 0, 4}));
    EXPECT_DOUBLE_EQ(scene.tools[0].tool.max_force, 8.0);
    ASSERT_EQ(scene.tools[0].path.size(), 1U);
    EXPECT_DOUBLE_EQ(scene.tools[0].path[0].fraction, 1.0);
}

TEST(SceneFile, OverridesMakeTablesThatAreNotThere) {
    EXPECT_EQ(read(rope, {"solver.substeps=5"}).substeps, 5);
    EXPECT_DOUBLE_EQ(read(rope, {"environment.plane.friction=0.5"}).walls.at(0).friction, 0.5);
    EXPECT_EQ(read(rope, {"environment.cavity={radii=[1,1,1]}"}).walls.at(0).radii, (Vec3{1, 1, 1}));
}

TEST(SceneFile, OverridesApplyInOrderAndCanMendAFile) {
    EXPECT_EQ(read(rope, {"gut.segments=10", "gut.segments=11"}).bodies.at(0).rope.segments, 11);
    EXPECT_EQ(read(rope, {"gut.segments=bad", "gut.segments=11"}).bodies.at(0).rope.segments, 11);
    EXPECT_EQ(mistakes(rope + "segments = -1\n", {"gut.segments=10"}), Texts{});
    EXPECT_EQ(read(rope, {"title=two words"}).title, "two words");
    EXPECT_EQ(read(rope, {"title=\"in quotes\""}).title, "in quotes");
    EXPECT_EQ(read(rope, {"title=a=b"}).title, "a=b");
}

TEST(SceneFile, OverridesOfBuiltInScenes) {
    EXPECT_EQ(read_scene(find_scene("intestine", {"gut.segments=400"})).bodies.at(0).intestine.segments, 400);
    EXPECT_EQ(read_scene(find_scene("intestine", {"environment.cavity.radii=[0.3,0.3,0.3]"})).walls.at(0).radii,
              (Vec3{0.3, 0.3, 0.3}));
    EXPECT_FALSE(read_scene(find_scene("intestine-pile", {"contact.enabled=false"})).contact.enabled);
}

const std::string shaped = R"(plica = 1
[[body]]
name = "liver"
tissue = "tled"
shape = "liver"
size = [0.2, 0.15, 0.03]
cell = 0.02
[[body]]
name = "cube"
tissue = "tled"
mesh = "cube.msh"
scale = 0.001
[[body]]
name = "bars"
tissue = "rigid"
shape = "bars"
radius = 0.01
apart = 0.06
)";

TEST(SceneFile, AMeshThatIsSetTakesTheShapesPlace) {
    const SceneDescription scene = read(shaped, {"liver.mesh=/a/liver.stl", "liver.scale=0.001", "bars.mesh=/a/b.obj"});
    EXPECT_EQ(scene.bodies.at(0).organ.mesh, "/a/liver.stl");
    EXPECT_EQ(scene.bodies.at(0).organ.shape, "");
    EXPECT_DOUBLE_EQ(scene.bodies.at(0).organ.scale, 0.001);
    EXPECT_DOUBLE_EQ(scene.bodies.at(0).organ.cell, 0.02);
    EXPECT_EQ(scene.bodies.at(2).rigid.mesh, "/a/b.obj");
    // The other way round, too.
    const SceneDescription other = read(shaped, {"cube.shape=ball"});
    EXPECT_EQ(other.bodies.at(1).organ.mesh, "");
    EXPECT_EQ(other.bodies.at(1).organ.shape, "ball");
}

TEST(SceneFile, AMeshAndAShapeThatAreBothSetAreAMistake) {
    for (const Texts& both :
         {Texts{"liver.mesh=/a.stl", "liver.shape=ball"}, Texts{"liver.shape=ball", "liver.mesh=/a.stl"}}) {
        const Texts found = mistakes(shaped, both);
        ASSERT_EQ(found.size(), 1U) << join(found);
        EXPECT_TRUE(contains(found[0], "together with mesh")) << found[0];
    }
    // A key that only shapes have is told where it was set from here.
    const Texts found = mistakes(shaped, {"liver.size=[1,1,1]", "liver.mesh=/a.stl"});
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_TRUE(contains(found[0], "size")) << found[0];
    // In a file they stay a mistake.
    EXPECT_EQ(mistakes(shaped + "mesh = \"a.stl\"\n").size(), 3U) << join(mistakes(shaped + "mesh = \"a.stl\"\n"));
}

TEST(SceneFile, AMeshThatIsSetIsWhereTheProgramRuns) {
    const std::string here = std::filesystem::current_path().string();
    const SceneDescription scene = read_scene(find_scene("liver-diaphragm", {"liver.mesh=a/../my liver.stl"}));
    EXPECT_EQ(scene.bodies.at(0).organ.mesh, (std::filesystem::path(here) / "my liver.stl").string());
    EXPECT_EQ(read_scene(find_scene("liver-diaphragm", {"liver.mesh=\"b.stl\""})).bodies.at(0).organ.mesh,
              (std::filesystem::path(here) / "b.stl").string());
    EXPECT_EQ(read_scene(find_scene("liver-diaphragm", {"liver.mesh=/c.stl"})).bodies.at(0).organ.mesh, "/c.stl");
}

TEST(SceneFile, UnknownOverridePathsNameTheNearest) {
    expect_override_mistake(every_table, "gt.segments=3", {"\"gt\"", "did you mean \"gut\"?"});
    expect_override_mistake(every_table, "solvr.dt=3", {"did you mean \"solver\"?"});
    expect_override_mistake(every_table, "prob.max_force=3", {"did you mean \"probe\"?"});
    expect_override_mistake(every_table, "zzzzzzzzzz.dt=3",
                            {"expected", "solver", "contact", "environment", "gut", "probe"});
    expect_override_mistake(every_table, "gut.segmnts=3", {"unknown key", "gut.segments?"});
    expect_override_mistake(every_table, "solver.substep=3", {"unknown key", "solver.substeps?"});
    expect_override_mistake(every_table, "contact.enable=false", {"unknown key", "contact.enabled?"});
    expect_override_mistake(every_table, "environment.gravty=3", {"unknown key", "environment.gravity?"});
    expect_override_mistake(every_table, "environment.cavity.radi=3", {"unknown key", "environment.cavity.radii?"});
    expect_override_mistake(every_table, "probe.max_froce=3", {"unknown key", "probe.max_force?"});
    expect_override_mistake(every_table, "secnds=3", {"unknown key", "seconds?"});
}

TEST(SceneFile, MalformedOverrides) {
    for (const char* text : {"", "=", "=3", "gut", "gut.segments"}) {
        expect_override_mistake(every_table, text, {"expected path=value"});
    }
    for (const char* text :
         {"gut.segments=", "gut.segments=[1,", "gut.segments=\"", "gut.segments=3\nplica=2", "gut.=3",
          "gut..segments=3", ".=3", "..=3", "gut.segments=\"a\"b\"", "gut.segments=3\"\nx=\"4"}) {
        try {
            read(every_table, {text});
            ADD_FAILURE() << text << " was taken";
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).rfind("--set " + std::string(text) + ": ", 0), 0U) << error.what();
        }
    }
}

TEST(SceneFile, WrongValuesOfOverridesAreLocatedAsTheOverride) {
    expect_override_mistake(every_table, "gut.segments=many",
                            {"gut.segments", "found the text \"many\"", "whole number"});
    expect_override_mistake(every_table, "gut.segments=-1", {"found -1"});
    expect_override_mistake(every_table, "solver.dt=nan", {"solver.dt", "finite"});
    expect_override_mistake(every_table, "contact.friction=true", {"found true", "expected a number"});
    expect_override_mistake(every_table, "contact.enabled=no", {"found the text \"no\"", "true or false"});
    expect_override_mistake(every_table, "environment.gravity=[0,0]", {"three numbers"});
    expect_override_mistake(every_table, "environment.gravity=[0,0,-2000]", {"found -2000"});
    expect_override_mistake(every_table, "environment.cavity.radii=[1,-1,1]", {"found -1"});
    expect_override_mistake(every_table, "environment.cavity=5", {"expected a table"});
    expect_override_mistake(every_table, "probe.kind=spoon", {"spoon", "expected grab"});
    expect_override_mistake(every_table, "probe.max_force=-3", {"found -3"});
    expect_override_mistake(every_table, "probe.path=[]", {"path"});
    expect_override_mistake(every_table, "probe.path=[{t=0,at=\"gutt:0\"}]", {"gutt"});
    expect_override_mistake(every_table, "seconds=long", {"seconds", "expected a number"});
    expect_override_mistake(every_table, "plica=2", {"plica", "found 2"});
    expect_override_mistake(every_table, "solver=3", {"expected a table"});
}

// The path goes on below a value that has nothing below it.
TEST(SceneFile, OverridesBelowAValueAreLocatedAsTheOverride) {
    for (const char* text : {"environment.gravity.z=-3", "solver.dt.x=1", "gut.segments.x=1", "probe.path.t=1"}) {
        const Texts found = mistakes(every_table, {text});
        EXPECT_FALSE(found.empty()) << text;
        for (const std::string& line : found) EXPECT_EQ(line.rfind("--set " + std::string(text) + ": ", 0), 0U) << line;
    }
}

TEST(SceneFile, NamesCannotBeOverridden) {
    const Texts found = mistakes(rope, {"gut.segments=-1", "gut.name=tube"});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rfind("--set gut.name=tube: ", 0), 0U) << found[0];
}

TEST(SceneFile, MistakesInOverridesAndFileAreToldTogether) {
    const Texts found = mistakes(rope + "radius = -1\n", {"gut.segments=0", "contact.frction=1"});
    ASSERT_EQ(found.size(), 3U) << join(found);
    EXPECT_TRUE(contains(join(found), "--set gut.segments=0: "));
    EXPECT_TRUE(contains(join(found), "--set contact.frction=1: "));
    EXPECT_TRUE(contains(join(found), "t.toml:5: gut.radius"));
}

TEST(SceneFile, AnInfeasibleOverrideIsLocatedAsTheOverride) {
    const Texts segments = builtin_mistakes("intestine", {"gut.segments=40"});
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0].rfind("--set gut.segments=40: ", 0), 0U) << segments[0];
    const Texts radius = builtin_mistakes("intestine", {"gut.cylinder_radius=0.01"});
    ASSERT_EQ(radius.size(), 1U);
    EXPECT_EQ(radius[0].rfind("--set gut.cylinder_radius=0.01: ", 0), 0U) << radius[0];
}

TEST(SceneFile, MutatedOverridesNeverCrash) {
    Random random{13};
    const std::array<std::string, 6> seeds{"gut.segments=400",
                                           "environment.cavity.radii=[0.3,0.3,0.3]",
                                           "probe.path=[{t=0,at=\"gut:1\"}]",
                                           "title=a word",
                                           "body=[]",
                                           "tool=[{name=\"x\"}]"};
    for (int round = 0; round < 3000; ++round) {
        std::string text = seeds[random.next() % seeds.size()];
        for (std::uint64_t c = 0; c <= random.next() % 3; ++c) {
            const std::size_t at = random.next() % text.size();
            if (random.next() % 2 == 0) {
                text[at] = " \n=[]{}\"'.,#ab09-+_:\\\x01\xFF"[random.next() % 23];
            } else {
                text.insert(at, 1, "=.[]{}\"\n"[random.next() % 8]);
            }
        }
        try {
            read(every_table, {text});
        } catch (const Error&) {
        }
    }
}

}  // namespace
}  // namespace plica::testing
