#include "tests/scene/file/scene_texts.hpp"

namespace plica::testing {
namespace {

// Friction of bodies, tools, walls and pairs in scene files.

const std::string two = rope + "friction = 0.1\n[[body]]\nname = \"bone\"\ntissue = \"rigid\"\nfriction = 0.7\n";
const std::string entry = "[[contact.pair]]\nbodies = [\"gut\", \"bone\"]\nfriction = 0.05\n";

TEST(SceneFriction, IsOfBodiesToolsAndPairs) {
    const SceneDescription scene =
        read(two + entry +
             "[[contact.pair]]\nbody = \"gut\"\nwall = \"plane\"\nfriction = 0\n"
             "[environment]\nplane = { friction = 0.4 }\n"
             "[[tool]]\nname = \"ball\"\nkind = \"sphere\"\nfriction = 0.3\npath = [{ t = 0, at = [0, 0, 1] }]\n"
             "[[tool]]\nname = \"bar\"\nkind = \"rigid\"\nfriction = 0.2\npath = [{ t = 0, at = [0, 0, 2] }]\n");
    EXPECT_EQ(scene.bodies[0].friction, 0.1);
    EXPECT_EQ(scene.bodies[1].friction, 0.7);
    EXPECT_EQ(scene.tools[0].friction, 0.3);
    EXPECT_EQ(scene.tools[1].friction, 0.2);
    ASSERT_EQ(scene.friction_pairs.size(), 2U);
    EXPECT_EQ(scene.friction_pairs[0].other, "bone");
    EXPECT_EQ(scene.friction_pairs[0].friction, 0.05);
    EXPECT_TRUE(scene.friction_pairs[1].on_wall);
    EXPECT_FALSE(read(rope).bodies[0].friction.has_value());
    EXPECT_EQ(read(two, {"gut.friction=0.6"}).bodies[0].friction, 0.6);
}

TEST(SceneFriction, PairsNameTheMesenteryAndToolsOfLaterTables) {
    const std::string text = intestine + "[[contact.pair]]\nbodies = [\"mesentery\", \"ball\"]\nfriction = 0.05\n" +
                             "[[tool]]\nname = \"ball\"\nkind = \"sphere\"\npath = [{ t = 0, at = [0, 0, 1] }]\n";
    EXPECT_EQ(read(text).friction_pairs.size(), 1U);
}

TEST(SceneFriction, NumbersAreNotNegative) {
    expect_mistake(rope + "friction = -0.1\n", 5, {"gut.friction", "found -0.1", "from 0 up to 10"});
    expect_mistake(two + "[[contact.pair]]\nbodies = [\"gut\", \"bone\"]\nfriction = -1\n", 12,
                   {"contact.pair.friction", "found -1"});
    expect_mistake(probe + "friction = 0.1\npath = [{ t = 0, at = \"gut:0\" }]\n", 7, {"unknown key", "friction"});
}

TEST(SceneFriction, NamesAreOfTheScene) {
    expect_mistake(two + "[[contact.pair]]\nbodies = [\"gut\", \"bome\"]\nfriction = 0.1\n", 11,
                   {"contact.pair.bodies", "bome", "did you mean bone?"});
    expect_mistake(two + "[[contact.pair]]\nbodies = [\"zzzzzzz\", \"bone\"]\nfriction = 0.1\n", 11,
                   {"zzzzzzz", "expected gut or bone"});
    const std::string bowl = "[environment]\nbowl = { radius = 3 }\n";
    expect_mistake(two + "[[contact.pair]]\nbody = \"gut\"\nwall = \"bowel\"\nfriction = 0.1\n" + bowl, 12,
                   {"contact.pair.wall", "bowel", "did you mean bowl?"});
    expect_mistake(two + "[[contact.pair]]\nbody = \"gut\"\nwall = \"plane\"\nfriction = 0.1\n", 12,
                   {"plane", "the scene has no wall"});
    expect_mistake(two + "[[contact.pair]]\nbody = \"bowl\"\nwall = \"bowl\"\nfriction = 0.1\n" + bowl, 11,
                   {"contact.pair.body", "\"bowl\", which no body is called"});
}

TEST(SceneFriction, APairHasTwoSidesAndOneNumber) {
    expect_mistake(two + "[[contact.pair]]\nbodies = [\"gut\", \"bone\"]\n", 10,
                   {"contact.pair.friction", "found none"});
    expect_mistake(two + "[[contact.pair]]\nbodies = [\"gut\"]\nfriction = 0.1\n", 11, {"expected two names"});
    expect_mistake(two + "[[contact.pair]]\nfriction = 0.1\n", 10, {"expected two names"});
    expect_mistake(two + "[[contact.pair]]\nbodies = [\"gut\", \"bone\"]\nwall = \"plane\"\nfriction = 0.1\n", 11,
                   {"beside body or wall"});
    expect_mistake(two + entry + "[[contact.pair]]\nbodies = [\"bone\", \"gut\"]\nfriction = 0.1\n", 14,
                   {"bone and gut", "twice"});
    expect_mistake(two + "[[contact.pair]]\nbodies = [\"gut\", \"bone\"]\nfrictoin = 0.1\nfriction = 0.2\n", 12,
                   {"unknown key", "contact.pair.friction?"});
    expect_mistake(two + "[contact]\npair = 3\n", 11, {"contact.pair", "found 3"});
    expect_mistake(two + "[contact]\npair = [3]\n", 11, {"contact.pair", "found 3"});
}

}  // namespace
}  // namespace plica::testing
