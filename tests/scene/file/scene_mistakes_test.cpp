#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/scene/file/scene_texts.hpp"

namespace plica::testing {
namespace {

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
    expect_mistake(rope + "[contact]\nnormals = \"smoth\"\n", 6, {"smoth", "did you mean \"smooth\""});
    expect_mistake(rope + "[solver]\nresponse = \"johnsen\"\n[contact]\nnormals = \"smooth\"\n", 8,
                   {"contact.normals", "\"smooth\"", "expected \"rounded\""});
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

TEST(SceneFile, MistakesInSolids) {
    const std::string solid = "plica = 1\n[[body]]\nname = \"b\"\ntissue = \"tled\"\n";
    EXPECT_TRUE(mistakes(solid).empty());
    expect_mistake(solid + "shape = \"livr\"\n", 5, {"livr", "expected block, ball, liver", "\"liver\"?"});
    expect_mistake(solid + "element = \"h9\"\n", 5, {"h9", "expected t4, t4anp or h8"});
    expect_mistake(solid + "shape = \"ball\"\nelement = \"h8\"\n", 6, {"found \"h8\" for a ball", "t4anp"});
    expect_mistake(solid + "material = { young = -3 }\n", 5, {"b.material.young", "found -3"});
    expect_mistake(solid + "material = { poisson = 0.5 }\n", 5, {"poisson", "found 0.5"});
    expect_mistake(solid + "material = { young = 1, shear = 1 }\n", 5, {"together with shear and bulk"});
    expect_mistake(solid + "material = { relaxation = [ { share = 0.7 }, { share = 0.5 } ] }\n", 5, {"less than 1"});
    expect_mistake(solid + "element = \"t4anp\"\nmaterial = { law = \"st_venant_kirchhoff\" }\n", 5, {"neo_hookean"});
    expect_mistake(solid + "fixed = [ { axes = \"x\" } ]\n", 5, {"found no places", "side", "box", "ball", "set"});
    expect_mistake(solid + "fixed = [ { side = \"x\" } ]\n", 5, {"side", "expected -x, +x"});
    expect_mistake(solid + "fixed = [ { side = \"-x\", axes = \"w\" } ]\n", 5, {"found \"w\""});
    expect_mistake(solid + "fixed = [ { side = \"-x\", sides = 1 } ]\n", 5, {"unknown key", "side?"});
    expect_mistake(solid + "fixed = [ 3 ]\n", 5, {"found 3", "side"});
    expect_mistake(solid + "load = [ { side = \"-x\" } ]\n", 5, {"found no kinds", "pressure", "traction", "force"});
    expect_mistake(solid + "load = [ { pressure = 1, from = 2, until = 1 } ]\n", 5, {"until", "at least from = 2"});
    expect_mistake(solid + "mesh = \"a.msh\"\nshape = \"ball\"\n", 6, {"together with mesh"});
    expect_mistake(solid + "cells = [1.5, 1, 1]\n", 5, {"whole numbers"});
    expect_mistake(solid + "shape = \"liver\"\nsize = [0.2, 0.1, 0]\n", 6, {"size", "0.005"});
    const std::string rigid = "plica = 1\n[[body]]\nname = \"b\"\ntissue = \"rigid\"\n";
    expect_mistake(rigid + "shape = \"bars\"\nradius = 0.03\napart = 0.05\n", 7, {"apart", "found 0.05", "0.06"});
    expect_mistake(rigid + "shape = \"bar\"\napart = 0.05\n", 6, {"unknown key"});
    expect_mistake(rigid + "shape = \"bar\"\nradius = 0\n", 6, {"radius", "found 0"});
    expect_mistake(solid + "[[tool]]\nname = \"t\"\npath = [{ t = 0, at = \"b:0.5\" }]\n", 7, {"near ="});
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

// The papers' detector.

TEST(SceneFile, TheTrackedDetectorAsksForEdges) {
    const std::string tracked = "plica = 1\nsolver = { detector = \"tracked\" }\n[[body]]\nname = \"gut\"\n";
    expect_mistake(tracked, 3, {"gut.mesentery_contact", "expected \"edges\"", "tracked"});
    expect_mistake(tracked + "mesentery_contact = \"triangles\"\n", 5,
                   {"gut.mesentery_contact", "found \"triangles\"", "expected \"edges\""});
    EXPECT_TRUE(mistakes(tracked + "mesentery_contact = \"edges\"\n").empty());
    EXPECT_TRUE(mistakes(tracked + "mesentery = false\n").empty());
    EXPECT_TRUE(mistakes(tracked + "anatomy = \"rope\"\n").empty());
    expect_mistake(rope + "mesentery_contact = \"edges\"\n", 5, {"unknown key"});
    expect_mistake(intestine + "mesentery_contact = \"faces\"\n", 5, {"found the text \"faces\"", "triangles"});
    expect_mistake(tracked + "mesentery_contact = \"edges\"\nmesentery_self_contact = true\n", 6,
                   {"gut.mesentery_self_contact", "found true", "expected \"triangles\""});
    expect_mistake(rope + "[solver]\ntracked_pairs = -1\n", 6, {"solver.tracked_pairs", "found -1", "whole number"});
    EXPECT_EQ(read(rope + "[solver]\ntracked_pairs = 0\n").tracked_pairs, 0);
}

TEST(SceneFile, AMesenteryThatTouchesItself) {
    EXPECT_TRUE(read(intestine).bodies[0].mesentery_self_contact);
    EXPECT_FALSE(read(intestine + "mesentery_self_contact = false\n").bodies[0].mesentery_self_contact);
    EXPECT_FALSE(read(intestine + "rows = 4\n").bodies[0].mesentery_self_contact);
    EXPECT_FALSE(read(intestine + "preset = \"corrected\"\n").bodies[0].mesentery_self_contact);
    EXPECT_FALSE(read(intestine + "mesentery_contact = \"edges\"\n").bodies[0].mesentery_self_contact);
    EXPECT_EQ(read(intestine).bodies[0].intestine.rows, 0);
    EXPECT_EQ(read(intestine + "mesentery_contact = \"edges\"\n").bodies[0].intestine.rows, 4);
    EXPECT_TRUE(read(intestine + "mesentery_self_contact = true\n").bodies[0].mesentery_self_contact);
    expect_mistake(intestine + "mesentery_self_contact = 1\n", 5, {"gut.mesentery_self_contact", "true or false"});
    expect_mistake(intestine + "mesentery_selfcontact = true\n", 5, {"mesentery_self_contact"});
    expect_mistake(rope + "mesentery_self_contact = true\n", 5, {"unknown key"});
}

}  // namespace
}  // namespace plica::testing
