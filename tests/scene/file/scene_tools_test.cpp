#include <gtest/gtest.h>

#include <string>

#include "tests/scene/file/scene_texts.hpp"

namespace plica::testing {
namespace {

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

}  // namespace
}  // namespace plica::testing
