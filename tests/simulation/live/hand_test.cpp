#include "simulation/live/hand.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "scene/build.hpp"

// The user's hand is one more tool of the scene.
namespace plica {
namespace {

const Tool& tool_called(const Model& model, const std::string& name) {
    const auto found =
        std::find_if(model.tools.begin(), model.tools.end(), [&](const Tool& tool) { return tool.name == name; });
    EXPECT_NE(found, model.tools.end()) << name;
    return *found;
}

SceneSource scene_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return {"mine", "mine.toml", text, overrides};
}

const std::string rope = "plica = 1\n[[body]]\nname = \"chain\"\nanatomy = \"rope\"\nfixed = \"start\"";

std::string error_of(const SceneSource& source) {
    try {
        const OpenScene scene = add_hand(source);
        build_scene(scene.source, 1);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Hand, IsAsStrongAsTheScenesOwnTool) {
    const OpenScene scene = add_hand(find_scene("intestine", {"probe.max_force=4.5"}));
    const Model model = build_scene(scene.source, 1).model;
    EXPECT_EQ(scene.hand, "hand");
    EXPECT_EQ(tool_called(model, "hand").max_force, 4.5);
    EXPECT_EQ(tool_called(model, "probe").max_force, 4.5);
    EXPECT_EQ(model.tools.size(), build_scene(find_scene("intestine"), 1).model.tools.size() + 1);
}

TEST(Hand, ComesToScenesWithoutTools) {
    const OpenScene scene = add_hand(scene_of(rope));  // a text without a newline at its end
    const Model model = build_scene(scene.source, 1).model;
    ASSERT_EQ(model.tools.size(), 1U);
    EXPECT_EQ(model.tools[0].max_force, Tool{}.max_force);
    EXPECT_EQ(model.tools[0].kind, ToolKind::grab);
}

TEST(Hand, HasValuesThatCanBeSet) {
    const OpenScene scene = add_hand(scene_of(rope, {"hand.max_force=8", "chain.segments=12"}));
    const Model model = build_scene(scene.source, 1).model;
    EXPECT_EQ(tool_called(model, "hand").max_force, 8.0);
    EXPECT_EQ(model.nodes(), 13U);
    EXPECT_NE(error_of(scene_of(rope, {"hand.strength=8"})).find("strength"), std::string::npos);
}

TEST(Hand, GivesWayToAnotherOfItsName) {
    const std::string tool = "\n[[tool]]\nname = \"hand\"\nmax_force = 1.5\npath = [ { t = 1.0, at = \"chain:1\" } ]\n";
    const OpenScene scene = add_hand(scene_of(rope + tool));
    EXPECT_EQ(scene.hand, "hand2");
    EXPECT_EQ(tool_called(build_scene(scene.source, 1).model, "hand2").max_force, 1.5);
}

TEST(Hand, LeavesMistakesWhereTheyAre) {
    const std::string text = "plica = 1\n[[body]]\nname = \"chain\"\nanatomy = \"rope\"\nsegmnts = 3\n";
    std::string plain;
    try {
        read_scene(scene_of(text));
    } catch (const Error& error) {
        plain = error.what();
    }
    EXPECT_NE(plain.find("mine.toml:5"), std::string::npos) << plain;
    EXPECT_EQ(error_of(scene_of(text)), plain);
}

TEST(Hand, SaysWhyToolsInOneValueCannotBeAddedTo) {
    const std::string tools = "tool = [ { name = \"probe\", path = [ { t = 1.0, at = \"chain:1\" } ] } ]\n";
    const std::string text = "plica = 1\n" + tools + rope.substr(rope.find('[')) + "\n";
    EXPECT_NO_THROW(read_scene(scene_of(text)));
    EXPECT_NE(error_of(scene_of(text)).find("expected each tool as a table [[tool]]"), std::string::npos);
}

}  // namespace
}  // namespace plica
