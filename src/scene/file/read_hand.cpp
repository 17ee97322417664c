#include "scene/file/read_hand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "scene/file/overrides.hpp"
#include "scene/file/read_tool.hpp"
#include "scene/file/xml_parts.hpp"

namespace plica {
namespace {

constexpr const char* usual_name = "hand";

bool has_entry(const toml::table& root, const std::string& name) {
    for (const char* list : {"body", "tool"}) {
        const toml::array* entries = root[list].as_array();
        if (entries == nullptr) continue;
        for (const toml::node& entry : *entries) {
            const toml::table* table = entry.as_table();
            if (table != nullptr && (*table)["name"].value_or(std::string()) == name) return true;
        }
    }
    return false;
}

// tool = [ { ... } ]: TOML lets no [[tool]] follow it.
bool is_one_value(const toml::node_view<const toml::node>& tools) {
    const toml::array* entries = tools.as_array();
    if (entries == nullptr) return static_cast<bool>(tools);
    return entries->empty() || std::any_of(entries->begin(), entries->end(), [](const toml::node& entry) {
               return entry.as_table() == nullptr || entry.as_table()->is_inline();
           });
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

HandReader::HandReader(const SceneSource& source, const toml::table& root, HandTool* hand)
    : m_source(source), m_hand(hand), m_scene_overrides(source.overrides) {
    if (hand == nullptr) return;
    m_in_one_value = root.contains("tool") && is_one_value(root["tool"]);
    if (has_entry(root, usual_name)) return;
    const std::string start = std::string(usual_name) + ".";
    const auto is_scenes = [&](const std::string& text) { return text.compare(0, start.size(), start) != 0; };
    const auto hands = std::stable_partition(m_scene_overrides.begin(), m_scene_overrides.end(), is_scenes);
    m_hand_overrides.assign(hands, m_scene_overrides.end());
    m_scene_overrides.erase(hands, m_scene_overrides.end());
}

void HandReader::add_to(SceneDescription& scene) const {
    if (m_hand == nullptr) return;
    if (m_in_one_value) {
        throw Error(m_source.file +
                    ": no tool for the user's hand can be added; expected each tool as a table [[tool]]");
    }
    m_hand->name = free_name(scene);
    m_hand->table = fmt::format("\n[[tool]]\nname = \"{}\"\nmax_force = {:.17g}\npath = [ {{ t = 1e9, at = {} }} ]\n",
                                m_hand->name, strength(scene), any_place(scene, m_source.file));
    if (is_xml(m_source.text) && split_xml(m_source.text + m_hand->table).rest.empty()) {
        throw Error(m_source.file + ": no tool for the user's hand can be added; expected nothing behind </Model>");
    }
    toml::table root = parse_toml(m_hand->table, m_source.file);
    Mistakes mistakes(m_source.file, apply_overrides(root, m_hand_overrides));
    TableReader reader(*root["tool"][0].as_table(), m_hand->name, mistakes);
    scene.tools.push_back(read_tool(reader, scene.files, scene));
    if (!mistakes.empty()) throw Error(mistakes.text());
}

}  // namespace plica
