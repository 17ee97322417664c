#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "scene/build.hpp"
#include "tests/support/texts.hpp"

// Bodies that start in each other or in a wall are refused by name, in every pair of kinds; moved apart they are not.
namespace plica::testing {
namespace {

const std::string head = "plica = 1\n";

std::string vector_text(double x, double y, double z) {
    return "[" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]";
}

// 60 mm along x, 10 mm thick, its middle at y and z.
std::string rope(const std::string& name, double y, double z) {
    return "[[body]]\nname = \"" + name +
           "\"\nanatomy = \"rope\"\nlength = 0.06\nradius = 0.005\nsegments = 12\nfrom = " + vector_text(-0.03, y, z) +
           "\n";
}
std::string solid(const std::string& name, double radius, double z) {
    return "[[body]]\nname = \"" + name +
           "\"\ntissue = \"tled\"\nshape = \"ball\"\nradius = " + std::to_string(radius) +
           "\ncell = " + std::to_string(0.4 * radius) + "\ncenter = " + vector_text(0, 0, z) + "\n";
}
std::string heat_plane(double z) {
    return "[[body]]\nname = \"skin\"\ntissue = \"heat\"\nshape = \"plane\"\nsize = [0.3, 0.3, 0]\nbears = 10\nfixed = "
           "[{ side "
           "= \"-x\" }]\ncenter = " +
           vector_text(0, 0, z) + "\n";
}
std::string heat_ball(double radius, double z) {
    return "[[body]]\nname = \"organ\"\ntissue = \"heat\"\nshape = \"sphere\"\nradius = " + std::to_string(radius) +
           "\nbears = 10\ncenter = " + vector_text(0, 0, z) + "\n";
}
std::string rigid(double radius, double z) {
    return "[[body]]\nname = \"stone\"\ntissue = \"rigid\"\nshape = \"ball\"\nradius = " + std::to_string(radius) +
           "\ncenter = " + vector_text(0, 0, z) + "\n";
}
std::string rigid_tool(double z) {
    return "[[tool]]\nname = \"stick\"\nkind = \"rigid\"\nshape = \"ball\"\nradius = 0.008\npath = [{ t = 0, at = " +
           vector_text(0, 0, z) + " }]\n";
}
std::string sphere(double z, double from = 0.0) {
    return "[[tool]]\nname = \"probe\"\nkind = \"sphere\"\nradius = 0.008\npath = [{ t = " + std::to_string(from) +
           ", at = " + vector_text(0, 0, z) + " }]\n";
}

// What building the scene says; empty when it is valid.
std::string complaint(const std::string& bodies) {
    try {
        (void)build_scene({"t", "t.toml", head + bodies, {}}, 1);
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input) << error.what();
        return error.what();
    }
    return "";
}

int line_of_second(const std::string& first) {
    int line = 2;
    for (const char c : first) line += c == '\n' ? 1 : 0;
    return line;
}

// The second body is refused where it is, with both names and its own line, and is not refused further away.
void expect_refused(const std::string& first, const std::string& second, const std::string& away,
                    const std::vector<std::string>& words) {
    const std::string found = complaint(first + second);
    EXPECT_NE(found, "") << first << second;
    EXPECT_EQ(found.rfind("t.toml:" + std::to_string(line_of_second(first)) + ": ", 0), 0U) << found;
    for (const std::string& word : words) EXPECT_TRUE(contains(found, word)) << found << "\nlacks " << word;
    EXPECT_TRUE(contains(found, "expected bodies apart")) << found;
    EXPECT_EQ(complaint(first + away), "");
}

TEST(CheckStart, RopesInRopes) {
    expect_refused(rope("a", 0, 0), rope("b", 0.004, 0), rope("b", 0.012, 0),
                   {"a segment", "b segment", "0.006 m inside"});
    expect_refused(rope("a", 0, 0), rope("b", 0, 0), rope("b", 0, 0.012), {"a segment", "b segment"});
    EXPECT_EQ(complaint(rope("a", 0, 0) + rope("b", 0.0095, 0)), "");  // a twentieth of the radii is taken apart
    EXPECT_NE(complaint(rope("a", 0, 0) + rope("b", 0.0085, 0)), "");
}

TEST(CheckStart, RopesInSolids) {
    const std::string ball = solid("liver", 0.05, 0);
    expect_refused(ball, rope("gut", 0, 0), rope("gut", 0, 0.06), {"gut inside liver"});          // all of it
    expect_refused(ball, rope("gut", 0, 0.045), rope("gut", 0, 0.06), {"gut", "liver"});          // ends stick out
    expect_refused(ball, rope("gut", 0, 0.053), rope("gut", 0, 0.06), {"gut segment", "liver"});  // its skin alone
    expect_refused(solid("liver", 0.02, 0), rope("gut", 0, 0), rope("gut", 0, 0.03),
                   {"gut", "liver"});  // right through
}

TEST(CheckStart, RopesInSurfacesWithHeat) {
    expect_refused(heat_plane(0), rope("gut", 0, 0), rope("gut", 0, 0.01),
                   {"gut segment", "skin", "through each other"});
    expect_refused(heat_ball(0.1, 0), rope("gut", 0, 0), rope("gut", 0, 0.12), {"gut inside organ"});
}

TEST(CheckStart, SolidsInSolids) {
    const std::string ball = solid("liver", 0.05, 0);
    expect_refused(ball, solid("stone", 0.03, 0.05), solid("stone", 0.03, 0.085),
                   {"liver", "stone", "through each other"});
    expect_refused(ball, solid("stone", 0.01, 0), solid("stone", 0.01, 0.065), {"stone inside liver"});
    expect_refused(solid("stone", 0.01, 0), ball, solid("liver", 0.05, 0.065), {"stone inside liver"});
    expect_refused(ball, rigid(0.01, 0), rigid(0.01, 0.065), {"stone inside liver"});
    expect_refused(ball, rigid(0.01, 0.05), rigid(0.01, 0.065), {"stone", "liver", "through each other"});
}

TEST(CheckStart, SurfacesWithHeatInAnything) {
    expect_refused(solid("liver", 0.05, 0), heat_plane(0), heat_plane(-0.06), {"liver", "skin", "through each other"});
    expect_refused(rigid(0.02, 0), heat_plane(0), heat_plane(-0.03), {"stone", "skin", "through each other"});
    expect_refused(heat_plane(0), heat_ball(0.05, 0), heat_ball(0.05, 0.06), {"organ", "skin", "through each other"});
    expect_refused(heat_ball(0.1, 0), solid("liver", 0.02, 0), solid("liver", 0.02, 0.15), {"liver inside organ"});
}

TEST(CheckStart, ToolsInBodies) {
    const std::string ball = solid("liver", 0.05, 0);
    for (const std::string& body : {ball, heat_ball(0.05, 0), rigid(0.05, 0)}) {
        expect_refused(body, rigid_tool(0), rigid_tool(0.065), {"stick inside "});
        expect_refused(body, rigid_tool(0.05), rigid_tool(0.065), {"stick", "through each other"});
    }
    expect_refused(ball, sphere(0), sphere(0.065), {"probe inside liver"});
    expect_refused(ball, sphere(0.05), sphere(0.065), {"probe ball", "liver"});
    expect_refused(rope("gut", 0, 0), sphere(0.008), sphere(0.014), {"probe ball", "gut segment"});
    expect_refused(rope("gut", 0, 0), rigid_tool(0.005), rigid_tool(0.014), {"stick triangle", "gut segment"});
    expect_refused(heat_plane(0), sphere(0.002), sphere(0.012), {"probe ball", "skin triangle"});
}

// What it appears in may have gone by then.
TEST(CheckStart, BallsThatAppearLaterAreNotThereYet) {
    EXPECT_EQ(complaint(solid("liver", 0.05, 0) + sphere(0, 0.5)), "");
    EXPECT_NE(complaint(solid("liver", 0.05, 0) + sphere(0, 0.0)), "");
}

TEST(CheckStart, BodiesBeyondWalls) {
    const std::string plane = "[environment]\nplane = { point = [0, 0, 0] }\n";
    const std::string bowl = "[environment]\nbowl = { center = [0, 0, 0], radius = 0.08 }\n";
    const std::string cavity = "[environment]\ncavity = { center = [0, 0, 0], radii = [0.08, 0.08, 0.08] }\n";
    for (const std::string& body : {rope("gut", 0, -0.2), solid("gut", 0.03, -0.2)}) {
        for (const auto& [wall, name] : {std::pair{plane, "plane"}, {bowl, "bowl"}, {cavity, "cavity"}}) {
            const std::string found = complaint(body + wall);
            EXPECT_EQ(found.rfind("t.toml:2: the scene starts with node ", 0), 0U) << found;
            EXPECT_TRUE(contains(found, std::string(" inside the wall of the ") + name)) << found;
        }
    }
    EXPECT_TRUE(contains(complaint(rope("gut", 0, -0.2) + plane), "node 0 of gut 0.205 m inside"));
    EXPECT_EQ(complaint(rope("gut", 0, 0.01) + plane), "");
    EXPECT_EQ(complaint(rope("gut", 0, -0.02) + bowl), "");
    EXPECT_EQ(complaint(solid("gut", 0.03, -0.02) + cavity), "");
}

// Contact that is off moves nothing apart, so nothing is refused.
TEST(CheckStart, WithoutContactAllMayOverlap) {
    EXPECT_EQ(complaint("[contact]\nenabled = false\n" + rope("a", 0, 0) + rope("b", 0, 0)), "");
}

TEST(CheckStart, BuiltInScenesAreValid) {
    for (const BuiltinScene& scene : builtin_scenes()) {
        EXPECT_NO_THROW((void)build_scene(find_scene(scene.name), 1)) << scene.name;
    }
}

}  // namespace
}  // namespace plica::testing
