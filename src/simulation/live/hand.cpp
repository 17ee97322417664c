#include "simulation/live/hand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"

namespace plica {
namespace {

constexpr const char* usual_name = "hand";

// Values given to the hand have nothing to go to before it is there.
SceneSource without_hand(const SceneSource& source) {
    SceneSource scene = source;
    const std::string start = std::string(usual_name) + ".";
    const auto is_hands = [&](const std::string& text) { return text.compare(0, start.size(), start) == 0; };
    scene.overrides.erase(std::remove_if(scene.overrides.begin(), scene.overrides.end(), is_hands),
                          scene.overrides.end());
    return scene;
}

std::string free_name(const SceneDescription& scene) {
    std::set<std::string> taken;
    for (const BodyDescription& body : scene.bodies) {
        taken.insert(body.name);
        taken.insert(body.mesentery_name);
    }
    for (const ToolDescription& tool : scene.tools) taken.insert(tool.tool.name);
    std::string name = usual_name;
    for (int i = 2; taken.count(name) > 0; ++i) name = usual_name + std::to_string(i);
    return name;
}

double strength(const SceneDescription& scene) {
    for (const ToolDescription& tool : scene.tools) {
        if (tool.tool.kind == ToolKind::grab) return tool.tool.max_force;
    }
    return Tool{}.max_force;
}

// A path begins with `at`; the hand's time never comes.
std::string any_place(const SceneDescription& scene, const std::string& file) {
    for (const BodyDescription& body : scene.bodies) {
        const TissueTraits& traits = traits_of(body.tissue);
        if (traits.grip == Grip::nothing) continue;
        return traits.surface ? fmt::format("\"{}\", near = [0, 0, 0]", body.name) : fmt::format("\"{}:0\"", body.name);
    }
    throw Error(file + ": all bodies are rigid, so that there is nothing for the user's hand; expected one of tissue");
}

}  // namespace

SceneWithHand add_hand(const SceneSource& source) {
    const SceneSource plain = without_hand(source);
    const SceneDescription scene = read_scene(plain);
    const std::string name = free_name(scene);
    const std::string place = any_place(scene, source.file);
    const std::string table =
        fmt::format("\n[[tool]]\nname = \"{}\"\nmax_force = {:.17g}\npath = [ {{ t = 1e9, at = {} }} ]\n", name,
                    strength(scene), place);
    SceneSource longer = plain;
    longer.text += table;
    try {
        read_scene(longer);
    } catch (const Error&) {  // without the table it could be read
        throw Error(source.file + ": no tool for the user's hand can be added; expected each tool as a table [[tool]]");
    }
    longer.overrides = source.overrides;
    return {longer, name};
}

}  // namespace plica
