#include "scene/file/read_friction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest.hpp"

namespace plica {
namespace {

// All that touches, by name.
std::vector<std::string> list_touching(const SceneDescription& scene) {
    std::vector<std::string> names;
    for (const BodyDescription& body : scene.bodies) {
        names.push_back(body.name);
        if (body.has_mesentery()) names.push_back(body.mesentery_name);
    }
    for (const ToolDescription& tool : scene.tools) {
        if (tool.tool.kind != ToolKind::grab) names.push_back(tool.tool.name);
    }
    return names;
}

std::vector<std::string> list_walls(const SceneDescription& scene) {
    std::vector<std::string> names;
    for (const Wall& wall : scene.walls) names.emplace_back(wall_name(wall.kind));
    return names;
}

// `what`: "body" or "wall". False: there is none of this name.
bool check_known(TableReader& reader, const std::string& key, const std::string& what, const std::string& name,
                 const std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    const std::string nearest = find_nearest(name, names);
    const std::string expected = names.empty()     ? fmt::format("the scene has no {}", what)
                                 : nearest.empty() ? "expected " + join_choices(names)
                                                   : fmt::format("did you mean {}?", nearest);
    reader.complain(
        key, fmt::format("{}: found \"{}\", which no {} is called; {}", reader.path_of(key), name, what, expected));
    return false;
}

// bodies = ["gut", "liver"]
bool read_two_bodies(TableReader& reader, const SceneDescription& scene, FrictionPair& pair) {
    const toml::array* bodies = reader.array("bodies");
    if (bodies == nullptr && reader.has("bodies")) return false;  // told already
    const auto text_at = [&](std::size_t i) { return (*bodies)[i].value<std::string>(); };
    if (bodies == nullptr || bodies->size() != 2 || !text_at(0) || !text_at(1)) {
        reader.complain("bodies",
                        fmt::format("{}: expected two names, e.g. bodies = [\"gut\", \"liver\"], or body = and "
                                    "wall =",
                                    reader.path_of("bodies")));
        return false;
    }
    pair.body = *text_at(0);
    pair.other = *text_at(1);
    const std::vector<std::string> names = list_touching(scene);
    const bool known = check_known(reader, "bodies", "body", pair.body, names);
    return check_known(reader, "bodies", "body", pair.other, names) && known;
}

// body = "gut", wall = "cavity"
bool read_body_and_wall(TableReader& reader, const SceneDescription& scene, FrictionPair& pair) {
    for (const char* key : {"body", "wall"}) reader.node(key);
    if (reader.node("bodies") != nullptr) {
        reader.complain("bodies",
                        fmt::format("{}: found beside body or wall; expected either two bodies, or a body and "
                                    "a wall",
                                    reader.path_of("bodies")));
        return false;
    }
    pair.on_wall = true;
    pair.body = reader.text("body", "");
    pair.other = reader.text("wall", "");
    const bool known = check_known(reader, "body", "body", pair.body, list_touching(scene));
    return check_known(reader, "wall", "wall", pair.other, list_walls(scene)) && known;
}

bool are_same(const FrictionPair& a, const FrictionPair& b) {
    if (a.on_wall != b.on_wall) return false;
    if (a.body == b.body && a.other == b.other) return true;
    return !a.on_wall && a.body == b.other && a.other == b.body;
}

void read_pair(TableReader& reader, SceneDescription& scene) {
    FrictionPair pair;
    const bool on_wall = reader.has("body") || reader.has("wall");
    const bool known = on_wall ? read_body_and_wall(reader, scene, pair) : read_two_bodies(reader, scene, pair);
    pair.friction = reader.number("friction", 0.0, friction_range);
    if (!reader.has("friction")) {
        reader.complain("friction", fmt::format("{}: found none, expected a line like friction = 0.05",
                                                reader.path_of("friction")));
    }
    reader.finish();
    if (!known) return;
    const auto same = [&](const FrictionPair& other) { return are_same(pair, other); };
    if (std::any_of(scene.friction_pairs.begin(), scene.friction_pairs.end(), same)) {
        reader.complain(on_wall ? "body" : "bodies",
                        fmt::format("contact.pair: {} and {} are there twice; expected one friction for each pair",
                                    pair.body, pair.other));
        return;
    }
    scene.friction_pairs.push_back(pair);
}

}  // namespace

std::optional<double> read_own_friction(TableReader& reader) {
    if (!reader.has("friction")) return std::nullopt;
    return reader.number("friction", 0.0, friction_range);
}

void read_friction_pairs(TableReader& root, SceneDescription& scene) {
    const auto* contact = root.source().get_as<toml::table>("contact");
    const toml::array* pairs = contact != nullptr ? contact->get_as<toml::array>("pair") : nullptr;
    if (pairs == nullptr) return;
    for (const toml::node& entry : *pairs) {
        if (const toml::table* table = entry.as_table()) {
            TableReader reader(*table, "contact.pair", root.mistakes());
            read_pair(reader, scene);
        } else {
            root.mistakes().add(entry.source(), "contact.pair",
                                fmt::format("contact.pair: found {}, expected [[contact.pair]]", describe(entry)));
        }
    }
}

}  // namespace plica
