#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "scene/build.hpp"
#include "scene/description.hpp"
#include "scene/script.hpp"
#include "scene/world.hpp"

namespace plica {
namespace {

using Texts = std::vector<std::string>;

SceneDescription read(const std::string& text, const Texts& overrides = {}) {
    return read_scene({"t", "t.toml", text, overrides});
}

Texts lines_of(const std::string& text) {
    Texts lines{""};
    for (const char c : text) {
        if (c == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += c;
        }
    }
    return lines;
}

// The lines of the error that reading throws; empty when it throws none.
Texts mistakes(const std::string& text, const Texts& overrides = {}) {
    try {
        read(text, overrides);
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input);
        return lines_of(error.what());
    }
    return {};
}

Texts builtin_mistakes(const std::string& name, const Texts& overrides) {
    try {
        read_scene(find_scene(name, overrides));
    } catch (const Error& error) {
        return lines_of(error.what());
    }
    return {};
}

std::string join(const Texts& texts) {
    std::string all;
    for (const std::string& text : texts) all += text + "\n";
    return all;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Exactly one mistake, at that line of the file, with all these words in its message.
void expect_mistake(const std::string& text, int line, const Texts& words) {
    const Texts found = mistakes(text);
    ASSERT_EQ(found.size(), 1U) << text << "\ngave\n" << join(found);
    EXPECT_EQ(found[0].rfind("t.toml:" + std::to_string(line) + ": ", 0), 0U) << found[0];
    for (const std::string& word : words) EXPECT_TRUE(contains(found[0], word)) << found[0] << "\nlacks " << word;
}

// Exactly one mistake, which names the override.
void expect_override_mistake(const std::string& text, const std::string& override_text, const Texts& words) {
    const Texts found = mistakes(text, {override_text});
    ASSERT_EQ(found.size(), 1U) << override_text << " gave\n" << join(found);
    EXPECT_EQ(found[0].rfind("--set " + override_text + ": ", 0), 0U) << found[0];
    for (const std::string& word : words) EXPECT_TRUE(contains(found[0], word)) << found[0] << "\nlacks " << word;
}

std::vector<int> line_numbers(const Texts& found) {
    std::vector<int> numbers;
    for (const std::string& line : found) {
        EXPECT_EQ(line.rfind("t.toml:", 0), 0U) << line;
        numbers.push_back(std::atoi(line.c_str() + 7));
    }
    return numbers;
}

const std::string rope = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n";            // next line: 5
const std::string intestine = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"intestine\"\n";  // next line: 5
const std::string probe = rope + "[[tool]]\nname = \"probe\"\n";                                 // next line: 7
const std::string every_table =
    "plica = 1\n"
    "[solver]\n"
    "dt = 0.02\n"
    "[contact]\n"
    "friction = 0.3\n"
    "[environment]\n"
    "drag = 1.0\n"
    "cavity = { radii = [0.3, 0.3, 0.3] }\n"
    "[[body]]\n"
    "name = \"gut\"\n"
    "anatomy = \"rope\"\n"
    "[[tool]]\n"
    "name = \"probe\"\n"
    "path = [{ t = 1.0, at = \"gut:0.5\" }, { t = 2.0, move = [0, 0, 1] }]\n";

// What a scene says when nobody says anything.

TEST(SceneFile, ValidScenesGiveNoMistake) {
    EXPECT_EQ(mistakes(rope), Texts{});
    EXPECT_EQ(mistakes(intestine), Texts{});
    EXPECT_EQ(mistakes(every_table), Texts{});
    EXPECT_EQ(mistakes(probe + "path = [{ t = 0, at = \"gut:0\" }, { t = 1 }, { t = 2, to = [1, 1, 1] }, "
                               "{ t = 3, move = [0, 0, 1] }, { t = 4, release = true }]\n"),
              Texts{});
}

TEST(SceneFile, EveryBuiltInSceneReadsBuildsAndSteps) {
    ASSERT_GE(builtin_scenes().size(), 4U);
    for (const BuiltinScene& builtin : builtin_scenes()) {
        SCOPED_TRACE(builtin.name);
        const SceneSource source = find_scene(builtin.name);
        EXPECT_EQ(source.text, builtin.text);
        const SceneDescription scene = read_scene(source);
        EXPECT_FALSE(scene.bodies.empty());
        Built built = build_scene(scene, 1);
        EXPECT_GT(built.model.nodes(), 0U);
        EXPECT_EQ(built.state.x.size(), built.model.nodes());
        for (const Vec3& x : built.state.x) ASSERT_TRUE(is_finite(x));
        World world(std::move(built.model), std::move(built.state));
        Script script(scene);
        EXPECT_TRUE(world.step(script.next(world)).is_valid());
    }
}

TEST(SceneFile, EveryBuiltInSceneSaysWhatItIs) {
    for (const BuiltinScene& builtin : builtin_scenes()) {
        EXPECT_FALSE(read_scene(find_scene(builtin.name)).title.empty()) << builtin.name;
    }
}

TEST(SceneFile, ASceneOfFiveLinesRuns) {
    const std::string text = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\nfixed = \"both\"\n";
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
    const SceneDescription scene = read(text);
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state));
    Script script(scene);
    const Vec3 middle = world.state().x[12];
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(script.next(world)).is_valid());
    EXPECT_LT(world.state().x[12].z, middle.z - 0.001);
    EXPECT_EQ(world.state().x[0], world.model().rest[0]);
    EXPECT_EQ(world.state().x[25], world.model().rest[25]);
}

TEST(SceneFile, DefaultsOfTheScene) {
    const SceneDescription scene = read(rope);
    EXPECT_EQ(scene.title, "");
    EXPECT_DOUBLE_EQ(scene.seconds, 10.0);
    EXPECT_DOUBLE_EQ(scene.dt, 1.0 / 30.0);
    EXPECT_EQ(scene.substeps, 20);
    EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
    EXPECT_DOUBLE_EQ(scene.drag, 0.0);
    EXPECT_TRUE(scene.contact.enabled);
    EXPECT_EQ(scene.contact.response, ResponseKind::consistent);
    EXPECT_TRUE(scene.solids.empty());
    EXPECT_TRUE(scene.tools.empty());
}

TEST(SceneFile, DefaultsOfARope) {
    const SceneDescription scene = read(rope);
    ASSERT_EQ(scene.bodies.size(), 1U);
    const BodyDescription& body = scene.bodies[0];
    EXPECT_EQ(body.name, "gut");
    EXPECT_EQ(body.rope.layout, "line");
    EXPECT_DOUBLE_EQ(body.rope.length, 1.0);
    EXPECT_DOUBLE_EQ(body.rope.radius, 0.02);
    EXPECT_EQ(body.rope.segments, 25);
    EXPECT_EQ(body.rope.direction, (Vec3{1, 0, 0}));
    EXPECT_FALSE(body.fixed_start);
    EXPECT_FALSE(body.fixed_end);
    EXPECT_GT(body.mass_per_length, 0.0);
    EXPECT_GT(body.axial_stiffness, 0.0);
    EXPECT_GT(body.bending_stiffness, 0.0);
    EXPECT_DOUBLE_EQ(body.noise, 0.0);
}

TEST(SceneFile, DefaultsOfAnIntestineAreTheHumanPreset) {
    const BodyDescription body = read("plica = 1\n[[body]]\nname = \"gut\"\n").bodies.at(0);
    const IntestineParameters human = intestine_preset("human");
    EXPECT_EQ(body.anatomy, "intestine");
    EXPECT_EQ(body.mesentery_name, "mesentery");
    EXPECT_EQ(body.intestine.segments, human.segments);
    EXPECT_EQ(body.intestine.rows, human.rows);
    EXPECT_EQ(body.intestine.mesentery, human.mesentery);
    EXPECT_DOUBLE_EQ(body.intestine.length, human.length);
    EXPECT_DOUBLE_EQ(body.intestine.radius_start, human.radius_start);
    EXPECT_DOUBLE_EQ(body.intestine.radius_end, human.radius_end);
    EXPECT_DOUBLE_EQ(body.intestine.half_thickness, human.half_thickness);
    EXPECT_EQ(body.axis, (Vec3{0, 0, 1}));
}

TEST(SceneFile, DefaultsOfATool) {
    const SceneDescription scene = read(probe + "path = [{ t = 0, at = \"gut:0.5\" }]\n");
    ASSERT_EQ(scene.tools.size(), 1U);
    EXPECT_EQ(scene.tools[0].tool.kind, ToolKind::grab);
    EXPECT_DOUBLE_EQ(scene.tools[0].tool.max_force, 3.0);
    const SceneDescription ball = read(probe + "kind = \"sphere\"\npath = [{ t = 0, at = [0, 0, 1] }]\n");
    EXPECT_EQ(ball.tools[0].tool.kind, ToolKind::sphere);
    EXPECT_DOUBLE_EQ(ball.tools[0].tool.radius, 0.01);
    EXPECT_DOUBLE_EQ(ball.tools[0].mass, 0.05);
}

TEST(SceneFile, WhatAFileSaysIsWhatIsRead) {
    const SceneDescription scene = read(
        "plica = 1\ntitle = \"T\"\nseconds = 3\n"
        "[solver]\ndt = 0.01\nsubsteps = 7\nresponse = \"raghupathi\"\n"
        "[contact]\nenabled = false\nfriction = 0.7\n"
        "[environment]\ngravity = [1, 2.5, -3]\ndrag = 4\nplane = { point = [0, 0, -1], normal = [0, 0, 2] }\n"
        "bowl = { radius = 0.3 }\ncavity = { radii = [1, 2, 3], friction = 0.9 }\n"
        "[[body]]\nname = \"a\"\nanatomy = \"rope\"\nfixed = \"end\"\nsegments = 10\nfrom = [1, 0, 0]\n"
        "[[body]]\nname = \"b\"\nanatomy = \"rope\"\nfrom = [0, 5, 0]\n"
        "[[tool]]\nname = \"p\"\npath = [{ t = 0.5, at = \"b:0.25\" }, { t = 1, release = true }]\n");
    EXPECT_EQ(scene.title, "T");
    EXPECT_DOUBLE_EQ(scene.seconds, 3.0);
    EXPECT_DOUBLE_EQ(scene.dt, 0.01);
    EXPECT_EQ(scene.substeps, 7);
    EXPECT_EQ(scene.contact.response, ResponseKind::raghupathi);
    EXPECT_FALSE(scene.contact.enabled);
    EXPECT_EQ(scene.gravity, (Vec3{1, 2.5, -3}));
    ASSERT_EQ(scene.solids.size(), 3U);
    EXPECT_EQ(scene.solids[0].kind, SolidKind::plane);
    EXPECT_EQ(scene.solids[0].normal, (Vec3{0, 0, 1}));
    EXPECT_DOUBLE_EQ(scene.solids[0].friction, 0.7);
    EXPECT_EQ(scene.solids[1].kind, SolidKind::bowl);
    EXPECT_EQ(scene.solids[2].radii, (Vec3{1, 2, 3}));
    EXPECT_DOUBLE_EQ(scene.solids[2].friction, 0.9);
    ASSERT_EQ(scene.bodies.size(), 2U);
    EXPECT_TRUE(scene.bodies[0].fixed_end);
    EXPECT_EQ(scene.bodies[0].rope.segments, 10);
    ASSERT_EQ(scene.tools.size(), 1U);
    ASSERT_EQ(scene.tools[0].path.size(), 2U);
    EXPECT_EQ(scene.tools[0].path[0].body, "b");
    EXPECT_DOUBLE_EQ(scene.tools[0].path[0].fraction, 0.25);
    EXPECT_EQ(scene.tools[0].path[1].kind, WaypointKind::release);
}

// Unknown keys.

TEST(SceneFile, UnknownKeysNameTheNearest) {
    expect_mistake("secnds = 3\n" + rope, 1, {"unknown key", "secnds", "did you mean seconds"});
    expect_mistake(rope + "[solver]\nsubstep = 3\n", 6, {"unknown key", "solver.substep", "solver.substeps"});
    expect_mistake(rope + "[contact]\nfrictoin = 3\n", 6, {"unknown key", "contact.friction?"});
    expect_mistake(rope + "[environment]\ngravty = 3\n", 6, {"unknown key", "environment.gravity?"});
    expect_mistake(rope + "[environment]\nbowl = { radus = 3 }\n", 6, {"unknown key", "environment.bowl.radius?"});
    expect_mistake(rope + "[environment]\nplane = { normals = 3 }\n", 6, {"unknown key", "environment.plane.normal?"});
    expect_mistake(rope + "[environment.cavity]\nradiii = 3\n", 6, {"unknown key", "environment.cavity.radii?"});
    expect_mistake(rope + "segmnts = 3\n", 5, {"unknown key", "gut.segmnts", "gut.segments?"});
    expect_mistake(intestine + "mesentry_density = 3\n", 5, {"unknown key", "gut.mesentery_density?"});
    const std::string path = "path = [{ t = 0, at = \"gut:0\" }]\n";
    expect_mistake(probe + "max_froce = 3\n" + path, 7, {"unknown key", "probe.max_force?"});
    expect_mistake(probe + "path = [{ t = 0, at = \"gut:0\" }, { t = 1, moove = [1, 0, 0] }]\n", 7,
                   {"unknown key", "moove", "move?"});
    expect_mistake(rope + "[solvr]\n", 5, {"unknown key solvr", "did you mean solver?"});
}

TEST(SceneFile, AnUnknownKeyNearNothingListsWhatThereIs) {
    expect_mistake("xyzzyquux = 3\n" + rope, 1, {"unknown key", "expected", "title", "seconds", "body"});
    expect_mistake(rope + "[contact]\nqqqqqqqq = 3\n", 6, {"unknown key", "expected", "friction", "enabled"});
}

TEST(SceneFile, KeysOfAnotherAnatomyAreUnknown) {
    expect_mistake(rope + "cylinder_radius = 0.1\n", 5, {"unknown key"});
    expect_mistake(intestine + "layout = \"coil\"\n", 5, {"unknown key"});
    expect_mistake(probe + "mass = 1\npath = [{ t = 0, at = \"gut:0\" }]\n", 7, {"unknown key"});
}

// Wrong values.

TEST(SceneFile, WrongTypesSayWhatWasFoundAndExpected) {
    expect_mistake("title = 3\n" + rope, 1, {"title", "found 3", "expected a text"});
    expect_mistake("seconds = \"ten\"\n" + rope, 1, {"seconds", "found the text \"ten\"", "expected a number"});
    expect_mistake("seconds = true\n" + rope, 1, {"found true", "expected a number"});
    expect_mistake("seconds = 1979-05-27\n" + rope, 1, {"found a date or time", "expected a number"});
    expect_mistake("solver = 3\n" + rope, 1, {"found 3", "expected a table"});
    expect_mistake(rope + "[solver]\nsubsteps = 2.5\n", 6, {"found 2.5", "expected a whole number"});
    expect_mistake(rope + "[solver]\ndetector = 1\n", 6, {"found 1", "expected auto"});
    expect_mistake(rope + "[solver]\nresponse = \"consistant\"\n", 6, {"consistant", "did you mean \"consistent\""});
    expect_mistake(rope + "[contact]\nenabled = 1\n", 6, {"found 1", "expected true or false"});
    expect_mistake(rope + "[environment]\ngravity = 9.81\n", 6, {"found 9.81", "expected three numbers"});
    expect_mistake(rope + "[environment]\ngravity = [0, 0]\n", 6, {"found an array", "expected three numbers"});
    expect_mistake(rope + "[environment]\ngravity = [0, 0, \"-9\"]\n", 6, {"expected three numbers"});
    expect_mistake(rope + "[environment]\nbowl = 0.15\n", 6, {"found 0.15", "expected a table"});
    expect_mistake(rope + "[environment]\ncavity = { kind = \"box\" }\n", 6, {"box", "expected ellipsoid"});
    expect_mistake(rope + "segments = \"many\"\n", 5,
                   {"gut.segments", "found the text \"many\"", "expected a whole number"});
    expect_mistake(rope + "segments = 25.0\n", 5, {"gut.segments", "expected a whole number"});
    expect_mistake(rope + "fixed = true\n", 5, {"found true", "expected none"});
    expect_mistake(rope + "tissue = \"jelly\"\n", 5, {"jelly", "expected mass_spring"});
    expect_mistake(intestine + "preset = \"humann\"\n", 5, {"humann", "did you mean \"human\""});
    expect_mistake(probe + "kind = \"grap\"\npath = [{ t = 0, at = \"gut:0\" }]\n", 7,
                   {"grap", "did you mean \"grab\""});
    expect_mistake(rope + "tool = 3\n", 5, {"unknown key"});
    expect_mistake("tool = 3\n" + rope, 1, {"tool", "found 3", "expected"});
}

TEST(SceneFile, NumbersThatAreNone) {
    for (const char* value : {"nan", "-nan", "inf", "+inf", "-inf"}) {
        SCOPED_TRACE(value);
        const std::string v = value;
        expect_mistake("seconds = " + v + "\n" + rope, 1, {"seconds", "found", "expected a finite number"});
        expect_mistake(rope + "[solver]\ndt = " + v + "\n", 6, {"solver.dt", "expected a finite number"});
        expect_mistake(rope + "[environment]\ngravity = [0, " + v + ", 0]\n", 6, {"environment.gravity", "finite"});
        expect_mistake(rope + "[environment]\ndrag = " + v + "\n", 6, {"environment.drag", "finite"});
        expect_mistake(rope + "[environment]\nbowl = { radius = " + v + " }\n", 6,
                       {"environment.bowl.radius", "finite"});
        for (const char* key :
             {"length", "radius", "mass_per_length", "axial_stiffness", "bending_stiffness", "noise"}) {
            expect_mistake(rope + key + " = " + v + "\n", 5, {std::string("gut.") + key, "found", "finite"});
        }
        expect_mistake(rope + "from = [" + v + ", 0, 0]\n", 5, {"gut.from", "finite"});
        expect_mistake(probe + "max_force = " + v + "\npath = [{ t = 0, at = \"gut:0\" }]\n", 7,
                       {"probe.max_force", "finite"});
        expect_mistake(probe + "path = [{ t = " + v + ", at = \"gut:0\" }]\n", 7, {"finite"});
    }
}

TEST(SceneFile, NegativeAndZeroValues) {
    for (const char* key : {"length", "radius", "mass_per_length", "axial_stiffness"}) {
        expect_mistake(rope + key + " = -1\n", 5, {std::string("gut.") + key, "found -1", "expected", "above 0"});
        expect_mistake(rope + key + " = 0\n", 5, {std::string("gut.") + key, "found 0", "expected", "above 0"});
    }
    expect_mistake(rope + "noise = -0.1\n", 5, {"gut.noise", "found -0.1", "from 0"});
    expect_mistake("seconds = -1\n" + rope, 1, {"seconds", "found -1", "above 0"});
    expect_mistake(rope + "[solver]\ndt = 0\n", 6, {"solver.dt", "found 0", "from 1e-06"});
    expect_mistake(rope + "[solver]\nsubsteps = 0\n", 6, {"solver.substeps", "found 0", "from 1"});
    expect_mistake(rope + "[contact]\nfriction = -0.1\n", 6, {"contact.friction", "found -0.1"});
    expect_mistake(rope + "[environment]\ncavity = { radii = [0.2, -0.2, 0.2] }\n", 6, {"radii", "found -0.2"});
    expect_mistake(rope + "[environment]\ngravity = [0, 0, -2000]\n", 6, {"found -2000", "-1000", "1000"});
    expect_mistake(probe + "path = [{ t = -1, at = \"gut:0\" }]\n", 7, {"found -1"});
}

TEST(SceneFile, NumbersTooLargeAreToldTheLimit) {
    expect_mistake("seconds = 1e10\n" + rope, 1, {"seconds", "found", "up to"});
    expect_mistake(rope + "from = [-1e10, 0, 0]\n", 5, {"gut.from", "-1e"});
    const Texts found = mistakes("seconds = 9223372036854775807\n" + rope);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_FALSE(contains(found[0], "nan")) << found[0];
}

TEST(SceneFile, VectorsThatCannotBeZero) {
    expect_mistake(rope + "[environment]\nplane = { normal = [0, 0, 0] }\n", 6, {"normal", "expected"});
    expect_mistake(intestine + "axis = [0, 0, 0]\n", 5, {"axis", "expected"});
    expect_mistake(rope + "direction = [0, 0, 0]\n", 5, {"direction"});
}

TEST(SceneFile, Segments) {
    for (const std::string& anatomy : {rope, intestine}) {
        expect_mistake(anatomy + "segments = 0\n", 5, {"gut.segments", "found 0", "from 1 to 10000"});
        expect_mistake(anatomy + "segments = -1\n", 5, {"gut.segments", "found -1", "from 1 to 10000"});
        expect_mistake(anatomy + "segments = 1000000\n", 5, {"gut.segments", "found 1000000", "from 1 to 10000"});
        expect_mistake(anatomy + "segments = 9223372036854775807\n", 5, {"gut.segments", "9223372036854775807"});
        EXPECT_FALSE(mistakes(anatomy + "segments = 9223372036854775808\n").empty());
    }
    EXPECT_EQ(mistakes(rope + "segments = 1\n"), Texts{});
    EXPECT_EQ(mistakes(rope + "segments = 10000\n"), Texts{});
}

// Several mistakes.

TEST(SceneFile, AllMistakesAtOnceInTheOrderOfTheFile) {
    const Texts found = mistakes(
        "plica = 1\n"                        // 1
        "titel = \"T\"\n"                    // 2: unknown
        "\n"                                 // 3
        "[[tool]]\n"                         // 4
        "name = \"probe\"\n"                 // 5
        "max_force = -3\n"                   // 6: negative
        "path = [\n"                         // 7
        "  { t = 0, at = \"gutt:0\" },\n"    // 8: unknown body
        "  { t = 0, move = [0, 0, 1] },\n"   // 9: not later
        "]\n"                                // 10
        "# a comment\n"                      // 11
        "[solver]\n"                         // 12
        "dt = \"fast\"\n"                    // 13: type
        "[[body]]\n"                         // 14
        "name = \"gut\"\n"                   // 15
        "anatomy = \"rope\"\n"               // 16
        "segments = 0\n"                     // 17: range
        "radius = nan\n"                     // 18: not a number
        "[[body]]\n"                         // 19: the name again
        "name = \"gut\"\n"                   // 20
        "anatomy = \"rope\"\n"               // 21
        "[environment]\n"                    // 22
        "gravity = [0, 0]\n"                 // 23: two numbers
        "plane = { norml = [0, 0, 1] }\n");  // 24: unknown
    EXPECT_EQ(line_numbers(found), (std::vector<int>{2, 6, 8, 9, 13, 17, 18, 19, 23, 24})) << join(found);
}

TEST(SceneFile, TwoMistakesOnOneLineAreBothTold) {
    const Texts found = mistakes(rope + "[environment]\nplane = { point = 3, normal = 4 }\n");
    EXPECT_EQ(line_numbers(found), (std::vector<int>{6, 6})) << join(found);
}

TEST(SceneFile, EveryMistakeIsOneLine) {
    const Texts found = mistakes(rope + "length = \"a\\nb\"\nradius = \"\"\"c\nd\"\"\"\n");
    EXPECT_EQ(line_numbers(found), (std::vector<int>{5, 6})) << join(found);
}

TEST(SceneFile, MistakesInEveryBodyAndTool) {
    const Texts found = mistakes(
        "plica = 1\n[[body]]\nname = \"a\"\nanatomy = \"rope\"\nlength = -1\n"
        "[[body]]\nname = \"b\"\nanatomy = \"rope\"\nlength = -2\n"
        "[[tool]]\nname = \"c\"\nstiffness = -3\npath = [{ t = 0, at = \"a:0\" }]\n"
        "[[tool]]\nname = \"d\"\nstiffness = -4\npath = [{ t = 0, at = \"b:0\" }]\n");
    EXPECT_EQ(line_numbers(found), (std::vector<int>{5, 9, 12, 16})) << join(found);
}

// Names.

TEST(SceneFile, NamesAreUsedOnce) {
    expect_mistake(rope + "[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n", 5, {"\"gut\"", "twice"});
    expect_mistake(rope + "[[tool]]\nname = \"gut\"\npath = [{ t = 0, at = \"gut:0\" }]\n", 5, {"\"gut\"", "twice"});
    const std::string path = "path = [{ t = 0, at = \"gut:0\" }]\n";
    expect_mistake(probe + path + "[[tool]]\nname = \"probe\"\n" + path, 8, {"\"probe\"", "twice"});
    expect_mistake(intestine + "[[body]]\nname = \"mesentery\"\nanatomy = \"rope\"\n", 5, {"\"mesentery\"", "twice"});
    expect_mistake(intestine + "mesentery_name = \"gut\"\n", 2, {"\"gut\"", "twice"});
    expect_mistake(intestine + "[[body]]\nname = \"other\"\n", 5, {"\"mesentery\"", "twice"});
    EXPECT_EQ(mistakes(intestine + "[[body]]\nname = \"other\"\nmesentery_name = \"third\"\n"), Texts{});
    EXPECT_EQ(mistakes(intestine + "mesentery = false\n[[body]]\nname = \"mesentery\"\nanatomy = \"rope\"\n"), Texts{});
}

TEST(SceneFile, ANameUsedTwiceIsFoundOnItsLineWhateverStandsBefore) {
    const Texts found = mistakes(
        "plica = 1\nbody = [3,\n{ name = \"a\", anatomy = \"rope\" },\n{ name = \"b\", anatomy = \"rope\" },\n"
        "{ name = \"a\", anatomy = \"rope\" }]\n");
    EXPECT_EQ(line_numbers(found), (std::vector<int>{2, 5})) << join(found);
}

TEST(SceneFile, BodiesAndToolsHaveNames) {
    expect_mistake("plica = 1\n[[body]]\nanatomy = \"rope\"\n", 2, {"name", "expected"});
    expect_mistake("plica = 1\n[[body]]\nname = \"\"\nanatomy = \"rope\"\n", 3, {"name", "expected"});
    expect_mistake("plica = 1\n[[body]]\nname = \"a.b\"\nanatomy = \"rope\"\n", 3, {"a.b", "expected"});
    expect_mistake(rope + "[[tool]]\npath = [{ t = 0, at = \"gut:0\" }]\n", 5, {"name", "expected"});
    const Texts found = mistakes("plica = 1\n[[body]]\nanatomy = \"rope\"\n[[body]]\nanatomy = \"rope\"\n");
    EXPECT_EQ(line_numbers(found), (std::vector<int>{2, 4})) << join(found);
}

// A dotted path must be able to say every name.
TEST(SceneFile, NamesThatNoPathCanSayAreRefused) {
    expect_mistake(rope + "[[tool]]\nname = \"a.b\"\npath = [{ t = 0, at = \"gut:0\" }]\n", 6, {"a.b", "expected"});
    for (const char* name : {"solver", "contact", "environment"}) {
        const std::string text = std::string("plica = 1\n[[body]]\nname = \"") + name + "\"\nanatomy = \"rope\"\n";
        expect_mistake(text, 3, {name, "expected"});
    }
}

// Anatomy that cannot be built.

double nearest_feasible(const std::string& mistake) {
    const std::string mark = "nearest feasible value: ";
    const std::size_t at = mistake.find(mark);
    EXPECT_NE(at, std::string::npos) << mistake;
    return at == std::string::npos ? std::nan("") : std::atof(mistake.c_str() + at + mark.size());
}

TEST(SceneFile, InfeasibleSegmentsGiveReasonAndNearestValue) {
    expect_mistake(intestine + "segments = 40\n", 5,
                   {"segments is 40", "cannot follow the folds", "nearest feasible value"});
    const double value = nearest_feasible(join(mistakes(intestine + "segments = 40\n")));
    ASSERT_GT(value, 40.0);
    EXPECT_EQ(mistakes(intestine + "segments = " + std::to_string(static_cast<int>(value)) + "\n"), Texts{});
}

// The key that is to blame is on line 6; `segments` stands before it and is innocent.
void expect_infeasible(const std::string& text, const std::string& key, const std::string& value) {
    SCOPED_TRACE(key);
    expect_mistake(text + key + " = " + value + "\n", 6, {key, "nearest feasible value"});
    const Texts found = mistakes(text + key + " = " + value + "\n");
    ASSERT_EQ(found.size(), 1U);
    const std::string better = std::to_string(nearest_feasible(found[0]));
    EXPECT_EQ(mistakes(text + key + " = " + better + "\n"), Texts{})
        << key << " = " << better << " after: " << found[0];
}

TEST(SceneFile, InfeasibleAnatomyIsFoundAtTheKeyToBlame) {
    expect_infeasible(intestine + "segments = 300\n", "cylinder_radius", "0.01");
    expect_infeasible(intestine + "segments = 300\n", "pitch_ratio", "1.01");
    expect_infeasible("plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\nlayout = \"coil\"\n", "coil_pitch",
                      "0.01");
    expect_infeasible("plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\nlayout = \"coil\"\n", "coil_radius",
                      "0.005");
}

TEST(SceneFile, InfeasibleAnatomySpeaksOfKeysThatExist) {
    const Texts thick = mistakes(intestine + "segments = 300\nmesentery_thickness = 0.04\n");
    ASSERT_FALSE(thick.empty());
    EXPECT_TRUE(contains(thick[0], "mesentery_thickness")) << thick[0];
    const Texts wide = mistakes(intestine + "segments = 300\nradius = 1e-7\n");
    ASSERT_FALSE(wide.empty());
    EXPECT_FALSE(contains(join(wide), "radius_start")) << join(wide);
}

TEST(SceneFile, AnInfeasibleOverrideIsLocatedAsTheOverride) {
    const Texts segments = builtin_mistakes("intestine", {"gut.segments=40"});
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0].rfind("--set gut.segments=40: ", 0), 0U) << segments[0];
    const Texts radius = builtin_mistakes("intestine", {"gut.cylinder_radius=0.01"});
    ASSERT_EQ(radius.size(), 1U);
    EXPECT_EQ(radius[0].rfind("--set gut.cylinder_radius=0.01: ", 0), 0U) << radius[0];
}

// Overrides.

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
    ASSERT_EQ(scene.solids.size(), 2U);
    EXPECT_DOUBLE_EQ(scene.solids[0].radii.x, 0.5);
    EXPECT_EQ(scene.solids[1].radii, (Vec3{1, 2, 3}));
    EXPECT_EQ(scene.bodies[0].rope.segments, 40);
    EXPECT_TRUE(scene.bodies[0].fixed_start && scene.bodies[0].fixed_end);
    EXPECT_EQ(scene.bodies[0].rope.from, (Vec3{0, 0, 4}));
    EXPECT_DOUBLE_EQ(scene.tools[0].tool.max_force, 8.0);
    ASSERT_EQ(scene.tools[0].path.size(), 1U);
    EXPECT_DOUBLE_EQ(scene.tools[0].path[0].fraction, 1.0);
}

TEST(SceneFile, OverridesMakeTablesThatAreNotThere) {
    EXPECT_EQ(read(rope, {"solver.substeps=5"}).substeps, 5);
    EXPECT_DOUBLE_EQ(read(rope, {"environment.plane.friction=0.5"}).solids.at(0).friction, 0.5);
    EXPECT_EQ(read(rope, {"environment.cavity={radii=[1,1,1]}"}).solids.at(0).radii, (Vec3{1, 1, 1}));
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
    EXPECT_EQ(read_scene(find_scene("intestine", {"environment.cavity.radii=[0.3,0.3,0.3]"})).solids.at(0).radii,
              (Vec3{0.3, 0.3, 0.3}));
    EXPECT_FALSE(read_scene(find_scene("intestine-pile", {"contact.enabled=false"})).contact.enabled);
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

// Tool paths.

TEST(SceneFile, ToolPathMistakes) {
    expect_mistake(probe + "path = [{ t = 0, move = [0, 0, 1] }]\n", 7, {"expected at"});
    expect_mistake(probe + "path = [{ t = 0 }]\n", 7, {"expected at"});
    expect_mistake(probe + "path = [\n{ t = 1, at = \"gut:0\" },\n{ t = 1 }]\n", 9, {"found 1", "expected more than"});
    expect_mistake(probe + "path = [\n{ t = 1, at = \"gut:0\" },\n{ t = 0.5 }]\n", 9,
                   {"found 0.5", "expected more than"});
    expect_mistake(probe + "path = [{ t = 0, at = \"gat:0.5\" }]\n", 7, {"\"gat\"", "expected gut"});
    expect_mistake(probe + "path = [{ t = 0, at = \"gut:0\" }, { t = 1, at = \"gut:1\", move = [0, 0, 1] }]\n", 7,
                   {"one"});
    expect_mistake(probe + "path = [{ t = 0, at = \"gut:0\" }, { t = 1, to = [0, 0, 1], release = true }]\n", 7,
                   {"one"});
    expect_mistake(probe + "path = [{ t = 0, at = [0, 0, 1] }]\n", 7, {"found an array", "gut:0.5"});
    expect_mistake(probe + "path = [{ t = 0, at = \"gut:0\" }, { t = 1, move = 3 }]\n", 7,
                   {"found 3", "three numbers"});
    expect_mistake(probe + "path = [{ t = 0, at = \"gut:0\" }, { t = 1, release = 1 }]\n", 7,
                   {"found 1", "true or false"});
    expect_mistake(probe + "path = [{ t = 0, at = \"gut:0\" }, 3]\n", 7, {"found 3", "expected"});
    expect_mistake(probe + "path = []\n", 7, {"path", "expected"});
    EXPECT_EQ(line_numbers(mistakes(probe + "path = 3\n")).at(0), 7);
    expect_mistake(probe, 5, {"path", "expected"});
    expect_mistake(probe + "kind = \"sphere\"\npath = [{ t = 0, at = \"gut:0\" }]\n", 8, {"gut:0", "three numbers"});
    expect_mistake(probe + "path = [{ at = \"gut:0\" }]\n", 7, {"time", "expected t"});
}

TEST(SceneFile, PlacesOnABody) {
    for (const char* place :
         {"gut", "gut:", "gut:1.5", "gut:-0.1", "gut:nan", "gut:inf", "gut:0.5x", "gut:half", "gut::0.5"}) {
        expect_mistake(probe + "path = [{ t = 0, at = \"" + place + "\" }]\n", 7, {place, "0 to 1"});
    }
    for (const char* place : {"gut:0", "gut:1", "gut:0.5", "gut:1e-3"}) {
        EXPECT_EQ(mistakes(probe + "path = [{ t = 0, at = \"" + place + "\" }]\n"), Texts{}) << place;
    }
}

TEST(SceneFile, AToolBeforeItsBodyInTheFileIsFine) {
    EXPECT_EQ(
        mistakes("plica = 1\n[[tool]]\nname = \"p\"\npath = [{ t = 0, at = \"gut:0\" }]\n[[body]]\nname = \"gut\"\n"
                 "anatomy = \"rope\"\n"),
        Texts{});
}

// Files that are no scenes.

TEST(SceneFile, Version) {
    expect_mistake("[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n", 1, {"version", "plica = 1"});
    for (const char* version : {"2", "0", "-1", "\"1\"", "1.0", "true", "[1]"}) {
        const std::string text = std::string("plica = ") + version + rope.substr(9);
        expect_mistake(text, 1, {"plica", "found", "expected"});
    }
}

TEST(SceneFile, NoBody) {
    expect_mistake("plica = 1\n", 1, {"no body", "[[body]]"});
    const Texts single = mistakes("plica = 1\n[body]\nname = \"gut\"\nanatomy = \"rope\"\n");
    ASSERT_FALSE(single.empty());
    EXPECT_TRUE(contains(join(single), "[[body]]")) << join(single);
}

TEST(SceneFile, EmptyFiles) {
    for (const char* text : {"", "\n", "\n\n\n", "# nothing\n", "   ", "\xEF\xBB\xBF"}) {
        const Texts found = mistakes(text);
        ASSERT_EQ(found.size(), 2U) << join(found);
        EXPECT_TRUE(contains(found[0], "plica = 1")) << found[0];
        EXPECT_TRUE(contains(found[1], "[[body]]")) << found[1];
        for (const int line : line_numbers(found)) EXPECT_GE(line, 1);
    }
}

TEST(SceneFile, NotToml) {
    expect_mistake("plica = 1\n\nthis is prose\n", 3, {"not a TOML file"});
    expect_mistake("plica = 1\n[body\n", 2, {"not a TOML file"});
    expect_mistake("plica = 1\nplica = 1\n", 2, {"not a TOML file"});
    expect_mistake("plica = 1\ntitle = \"open\n", 2, {"not a TOML file"});
    expect_mistake(rope + "[[body]\n", 5, {"not a TOML file"});
    expect_mistake("{\"plica\": 1}\n", 1, {"not a TOML file"});
    expect_mistake(std::string("plica = 1\n\0\1\2\n", 14), 2, {"not a TOML file"});
    expect_mistake("plica = 1\ntitle = \"\xFF\xFE\"\n", 2, {"not a TOML file"});
}

TEST(SceneFile, FilesThatAreNotThere) {
    try {
        find_scene("intestin");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input);
        EXPECT_TRUE(contains(error.what(), "did you mean intestine?")) << error.what();
    }
    for (const char* name : {"missing/scene.toml", "scene.toml", "/", "."}) {
        try {
            find_scene(name);
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), Status::bad_input);
            EXPECT_EQ(std::string(error.what()).rfind(std::string(name) + ": ", 0), 0U) << error.what();
        }
    }
}

TEST(SceneFile, StrangeButValidTomlIsTold) {
    const Texts found = mistakes(
        "plica = 1\n"
        "seconds = 1979-05-27T07:32:00Z\n"
        "title = 07:32:00\n"
        "solver = [[1, 2], [\"a\", [{ b = 1 }]]]\n"
        "\"\" = 1\n"
        "'a b' = 2\n"
        "\"\\u00e9\" = 3\n"
        "x.y.z = 4\n"
        "[[body]]\n"
        "name = \"g\xC3\xA9t\xF0\x9F\x98\x80\"\n"
        "anatomy = \"rope\"\n"
        "length = 0x10\n"
        "radius = 1_0.0_1\n"
        "segments = 0b11\n");
    EXPECT_EQ(line_numbers(found), (std::vector<int>{2, 3, 4, 5, 6, 7, 8})) << join(found);
    EXPECT_EQ(mistakes("plica = 1\n[[body]]\nname = \"\xC3\xA9\"\nanatomy = \"rope\"\n"), Texts{});
    EXPECT_EQ(mistakes("\xEF\xBB\xBF" + rope), Texts{});
    std::string windows;
    for (const char c : rope) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(mistakes(windows), Texts{});
}

TEST(SceneFile, DeepNestingIsRefused) {
    const std::string open(100000, '[');
    const std::string close(100000, ']');
    EXPECT_FALSE(mistakes(rope + "length = " + open + close + "\n").empty());
    EXPECT_FALSE(mistakes(rope + "length = " + open + "\n").empty());
    std::string tables = "length = ";
    for (int i = 0; i < 10000; ++i) tables += "{a=";
    EXPECT_FALSE(mistakes(rope + tables + "\n").empty());
}

TEST(SceneFile, LongFilesAreRead) {
    const std::string filler(1 << 20, 'x');
    std::string title = "title = \"";
    title.append(filler).append("\"\n").append(rope);
    EXPECT_EQ(mistakes(title), Texts{});
    std::string comment = rope;
    comment.append("# ").append(filler).append(1 << 20, '\n');
    EXPECT_EQ(mistakes(comment), Texts{});
    std::string key(1 << 16, 'k');
    key.append(" = 1\n").append(rope);
    expect_mistake(key, 1, {"unknown key"});
    std::string many;
    for (int i = 0; i < 5000; ++i) many.append("k").append(std::to_string(i)).append(" = 1\n");
    EXPECT_EQ(mistakes(many + rope).size(), 5000U);
}

// Anything may be thrown at the reader; it answers with a scene or with Error.
void read_anything(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
    }
}

TEST(SceneFile, GarbageNeverCrashes) {
    Random random{11};
    for (const std::size_t size : {1U, 2U, 3U, 10U, 100U, 1000U, 1U << 20}) {
        std::string bytes(size, ' ');
        std::string printable(size, ' ');
        for (std::size_t i = 0; i < size; ++i) {
            bytes[i] = static_cast<char>(random.next() & 0xFFU);
            printable[i] = " \n=[]{}\"'.,#abc019-+_:TZ"[random.next() % 24];
        }
        read_anything(bytes);
        read_anything(printable);
        read_anything(rope + bytes);
        read_anything(rope + printable);
    }
}

TEST(SceneFile, MutatedScenesNeverCrash) {
    Random random{12};
    std::string base = every_table + find_scene("intestine-pile").text.substr(10);
    std::size_t read_well = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = round % 2 == 0 ? every_table : find_scene("intestine-pile").text;
        const std::uint64_t changes = 1 + random.next() % 4;
        for (std::uint64_t c = 0; c < changes; ++c) {
            const std::size_t at = random.next() % text.size();
            const std::size_t from = random.next() % base.size();
            switch (random.next() % 4) {
                case 0:
                    text[at] = static_cast<char>(random.next() & 0x7FU);
                    break;
                case 1:
                    text.erase(at, 1 + random.next() % 8);
                    break;
                case 2:
                    text.insert(at, base.substr(from, 1 + random.next() % 12));
                    break;
                default:
                    text = text.substr(0, at) + base.substr(from, 40) + text.substr(at);
                    break;
            }
            if (text.empty()) text.push_back('\n');
        }
        try {
            read(text);
            ++read_well;
        } catch (const Error& error) {
            for (const std::string& line : lines_of(error.what())) EXPECT_NE(line, "");
        }
    }
    EXPECT_GT(read_well, 0U);  // not everything was garbage
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
}  // namespace plica
