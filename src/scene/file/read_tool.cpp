#include "scene/file/read_tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/nearest.hpp"
#include "scene/file/read_friction.hpp"
#include "scene/file/read_rigid.hpp"

namespace plica {
namespace {

// Of the body called so; none where there is no such body, as for the mesentery of one.
const TissueTraits* find_traits(const SceneDescription& scene, const std::string& body) {
    for (const BodyDescription& b : scene.bodies) {
        if (b.name == body) return &traits_of(b.tissue);
    }
    return nullptr;
}

// "gut:0.5": a body and a fraction of its length. "liver": a solid body, with near = [x, y, z] beside it.
void read_place(TableReader& reader, const std::string& text, const SceneDescription& scene, Waypoint& point) {
    const std::size_t colon = text.find(':');
    point.body = text.substr(0, colon);
    std::vector<std::string> names;
    names.reserve(scene.bodies.size());
    for (const BodyDescription& body : scene.bodies) names.push_back(body.name);
    bool known = false;
    for (const std::string& name : names) known = known || name == point.body;
    if (!known) {
        reader.complain("at",
                        fmt::format("at: no body is called \"{}\"; expected {}", point.body, join_choices(names)));
    }
    const TissueTraits* traits = find_traits(scene, point.body);
    if (traits != nullptr && traits->grip == Grip::nothing) {
        reader.complain("at", fmt::format("at: {} is rigid; expected a body that can be held", point.body));
        return;
    }
    if (traits != nullptr && traits->surface) {
        if (colon != std::string::npos || !reader.has("near")) {
            reader.complain("at", fmt::format("at: found \"{}\", expected a solid body's name and a place on it, e.g. "
                                              "at = \"{}\", near = [0, 0, 0.1]",
                                              text, point.body));
        }
        point.near = reader.vector("near", {});
        return;
    }
    const std::string number = colon == std::string::npos ? "" : text.substr(colon + 1);
    char* end = nullptr;
    point.fraction = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || !(point.fraction >= 0.0 && point.fraction <= 1.0)) {
        reader.complain(
            "at",
            fmt::format("at: found \"{}\", expected body:fraction with a fraction from 0 to 1, e.g. gut:0.5", text));
    }
}

Waypoint read_waypoint(TableReader& reader, ToolKind kind, const SceneDescription& scene) {
    Waypoint point;
    point.t = reader.number("t", 0.0, not_negative);
    if (!reader.has("t")) reader.complain("t", "a waypoint without a time; expected t = seconds");
    int actions = 0;
    for (const char* key : {"at", "move", "to", "release"}) actions += reader.has(key) ? 1 : 0;
    if (actions > 1) reader.complain("t", "a waypoint does one thing; expected one of at, move, to or release");
    if (reader.has("move")) {
        point.kind = WaypointKind::move;
        point.where = reader.vector("move", {});
    } else if (reader.has("to")) {
        point.kind = WaypointKind::to;
        point.where = reader.vector("to", {});
    } else if (reader.boolean("release", false)) {
        point.kind = WaypointKind::release;
    } else if (const toml::node* at = reader.node("at")) {
        point.kind = WaypointKind::at;
        if (kind != ToolKind::grab) {
            point.where = reader.vector("at", {});
        } else if (const auto* text = at->as_string()) {
            read_place(reader, text->get(), scene, point);
        } else {
            reader.complain("at",
                            fmt::format("at: found {}, expected a place to grab like \"gut:0.5\"", describe(*at)));
        }
    }
    for (const char* key : {"at", "move", "to", "release"}) reader.node(key);
    if (kind == ToolKind::rigid) {
        if (reader.has("turn")) point.turn = reader.vector("turn", {}, {-100.0, 100.0});
        if (point.kind == WaypointKind::release) {
            reader.complain("release", "release: a rigid tool is always there; expected a waypoint that moves it away");
        }
    }
    reader.finish();
    return point;
}

void read_path(TableReader& reader, ToolDescription& tool, const SceneDescription& scene) {
    const toml::array* path = reader.array("path");
    if (path == nullptr && reader.has("path")) return;  // told already
    if (path == nullptr || path->empty()) {
        reader.complain("path", fmt::format("{}a tool needs a path; expected path = [ {{ t = 1.0, at = ... }}, ... ]",
                                            tool.tool.name.empty() ? "" : tool.tool.name + ": "));
        return;
    }
    for (const toml::node& entry : *path) {
        const toml::table* table = entry.as_table();
        if (table == nullptr) {
            reader.mistakes().add(entry.source(), reader.path_of("path"),
                                  fmt::format("path: found {}, expected {{ t = ..., ... }}", describe(entry)));
            continue;
        }
        TableReader waypoint(*table, reader.path_of("path"), reader.mistakes());
        tool.path.push_back(read_waypoint(waypoint, tool.tool.kind, scene));
        const std::size_t n = tool.path.size();
        if (n == 1 && tool.path[0].kind != WaypointKind::at)
            waypoint.complain("t", "a path begins where the tool appears; expected at = ...");
        if (n > 1 && !(tool.path[n - 1].t > tool.path[n - 2].t)) {
            waypoint.complain("t", fmt::format("t: found {}, expected more than the waypoint before ({})",
                                               tool.path[n - 1].t, tool.path[n - 2].t));
        }
    }
}

// The first waypoint comes again after the last one.
void read_repeat(TableReader& reader, ToolDescription& tool) {
    tool.repeat = reader.number("repeat", 0.0, positive);
    if (tool.repeat == 0.0 || tool.path.empty()) return;  // told already
    const double length = tool.path.back().t - tool.path.front().t;
    if (tool.repeat > length) return;
    reader.complain("repeat", fmt::format("{}: found {}, expected more than the {} s that its path takes",
                                          reader.path_of("repeat"), tool.repeat, length));
}

// A rigid tool with a stiffness is led by a spring; without one the other keys would say nothing.
void read_coupling(TableReader& reader, const SceneDescription& scene, ToolDescription& tool) {
    if (!reader.has("stiffness")) {
        tool.rigid_force = reader.number("max_force", tool.rigid_force, positive);
        for (const char* key : {"mass", "damping", "turn_stiffness", "turn_damping"}) {
            if (!reader.has(key)) continue;
            reader.complain(key, fmt::format("{}: found without stiffness, expected both: a rigid tool without "
                                             "stiffness goes its way up to its max_force",
                                             reader.path_of(key)));
            reader.node(key);
        }
        return;
    }
    constexpr Range grams_to_tons{1e-6, 1e3};
    Coupling& coupling = tool.coupling.emplace();
    coupling.stiffness = reader.number("stiffness", 0.0, not_negative);
    coupling.mass = reader.number("mass", coupling.mass, grams_to_tons);
    coupling.damping = reader.number("damping", coupling.damping, not_negative);
    coupling.turn_stiffness = reader.number("turn_stiffness", coupling.turn_stiffness, not_negative);
    coupling.turn_damping = reader.number("turn_damping", coupling.turn_damping, not_negative);
    coupling.max_force = reader.number("max_force", coupling.max_force, positive);
    if (scene.contact.response == ResponseKind::consistent) return;
    reader.complain("stiffness", fmt::format("{}: found with another solver.response, expected \"consistent\": the "
                                             "others know no tool that gives way",
                                             reader.path_of("stiffness")));
}

}  // namespace

ToolDescription read_tool(TableReader& reader, const Files& files, const SceneDescription& scene) {
    ToolDescription tool;
    tool.tool.name = reader.text("name", "");
    tool.line = reader.line("mesh");
    check_name(reader, "name", tool.tool.name);
    const std::string kind = reader.choice("kind", "grab", {"grab", "sphere", "rigid"});
    tool.tool.kind = kind == "sphere" ? ToolKind::sphere : kind == "rigid" ? ToolKind::rigid : ToolKind::grab;
    if (tool.tool.kind != ToolKind::grab) tool.friction = read_own_friction(reader);
    if (tool.tool.kind == ToolKind::rigid) {
        read_rigid(reader, files, tool.rigid);
        tool.walls = reader.boolean("walls", true);
        read_coupling(reader, scene, tool);
        read_path(reader, tool, scene);
        read_repeat(reader, tool);
        reader.finish();
        return tool;
    }
    tool.tool.stiffness = reader.number("stiffness", tool.tool.stiffness, positive);
    tool.tool.damping = reader.number("damping", tool.tool.damping, not_negative);
    tool.tool.max_force = reader.number("max_force", tool.tool.max_force, positive);
    if (tool.tool.kind == ToolKind::sphere) {
        tool.tool.radius = reader.number("radius", 0.01, positive);
        tool.mass = reader.number("mass", tool.mass, positive);
    } else {
        tool.tool.grip = reader.number("grip", 0.01, {0.0, 0.1});
    }
    read_path(reader, tool, scene);
    read_repeat(reader, tool);
    reader.finish();
    return tool;
}

}  // namespace plica
