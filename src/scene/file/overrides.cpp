#include "scene/file/overrides.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace plica {
namespace {

std::vector<std::string> split(const std::string& path) {
    std::vector<std::string> parts{""};
    for (const char c : path) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

// The body or tool of that name; collects all names on the way.
toml::table* find_named(toml::table& root, const std::string& name, std::vector<std::string>& names) {
    toml::table* found = nullptr;
    for (const char* list : {"body", "tool"}) {
        toml::array* entries = root[list].as_array();
        if (entries == nullptr) continue;
        for (toml::node& entry : *entries) {
            toml::table* table = entry.as_table();
            if (table == nullptr) continue;
            const std::string own = (*table)["name"].value_or(std::string());
            names.push_back(own);
            if (own == name && !name.empty()) found = table;
        }
    }
    return found;
}

toml::table* find_section(toml::table& root, const std::string& first, const std::string& text) {
    std::vector<std::string> names{"solver", "contact", "environment"};
    if (first == "solver" || first == "contact" || first == "environment") {
        if (root[first].as_table() == nullptr) root.insert_or_assign(first, toml::table{});
        return root[first].as_table();
    }
    if (toml::table* named = find_named(root, first, names)) return named;
    const std::string nearest = find_nearest(first, names);
    throw Error(fmt::format("--set {}: nothing is called \"{}\" here; expected {}{}", text, first, join_choices(names),
                            nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

// The value as in a scene file; a bare word is a text.
toml::table parse_value(const std::string& value, const std::string& text) {
    try {
        return parse_toml("value = " + value, text);
    } catch (const Error&) {
        return parse_toml(fmt::format("value = \"{}\"", value), text);
    }
}

void insert(toml::table& table, const std::string& key, const std::string& value, const std::string& text) {
    const std::string expected = "expected a value as in a scene file, e.g. 3, 0.5, true, [0, 0, 1] or a word";
    toml::table parsed;
    try {
        parsed = parse_value(value, text);
    } catch (const Error&) {
        throw Error(fmt::format("--set {}: {}", text, expected));
    }
    if (parsed.size() != 1) throw Error(fmt::format("--set {}: {}", text, expected));
    table.insert_or_assign(key, std::move(*parsed.get("value")));
}

// A mesh takes the place of the scene's shape, and the other way round: what only the one has keys for goes with it,
// unless it was set from here too.
void make_room(toml::table& table, const std::string& body, const std::string& key,
               const std::map<std::string, std::string>& changed) {
    static const std::vector<std::string> of_shapes{"shape", "size",  "cells",    "radius",  "fineness", "length",
                                                    "apart", "nodes", "exponent", "columns", "rows"};
    static const std::vector<std::string> of_meshes{"mesh", "scale", "mesher"};
    if (key != "mesh" && key != "shape") return;
    if (key == "shape" && !table.contains("mesh")) return;
    for (const std::string& other : key == "mesh" ? of_shapes : of_meshes) {
        const std::string path = fmt::format("{}.{}", body, other);
        if (!changed.contains(path)) table.erase(other);
    }
}

// A bare key is one of the scene's own, or nearly; anything else belongs to a section, a body or a tool.
void check_top_level(const std::string& key, const std::string& text) {
    for (const char* own : {"plica", "title", "seconds", "start", "solver", "contact", "environment", "body", "tool"}) {
        if (edit_distance(key, own) <= 2) return;  // the reader says what is wrong with it
    }
    throw Error(fmt::format("--set {}: \"{}\" says not of what; expected a path like gut.{}=... or solver.{}=...", text,
                            key, key, key));
}

}  // namespace

std::vector<std::string> settle_paths(std::vector<std::string> texts) {
    const std::string key = ".mesh=";
    for (std::string& text : texts) {
        const std::size_t found = text.find(key);
        if (found == std::string::npos || found != text.find('=') + 1 - key.size()) continue;
        std::string value = text.substr(found + key.size());
        const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
        if (quoted) value = value.substr(1, value.size() - 2);
        if (value.empty() || value.find_first_of("\"\\\n") != std::string::npos) continue;  // for the reader to refuse
        std::error_code error;
        const std::filesystem::path path = std::filesystem::absolute(value, error);
        if (!error) text = fmt::format("{}{}\"{}\"", text.substr(0, found), key, path.lexically_normal().string());
    }
    return texts;
}

std::map<std::string, std::string> apply_overrides(toml::table& root, const std::vector<std::string>& texts) {
    std::map<std::string, std::string> changed;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw Error(fmt::format("--set {}: expected path=value, e.g. gut.segments=400", text));
        }
        const std::string path = text.substr(0, equals);
        const std::vector<std::string> parts = split(path);
        for (const std::string& part : parts) {
            if (part.empty())
                throw Error(fmt::format("--set {}: a path has a name between its dots, e.g. gut.segments=400", text));
        }
        if (parts.size() > 8)
            throw Error(fmt::format("--set {}: a path of {} parts; expected at most 8", text, parts.size()));
        if (parts.size() == 2 && parts[1] == "name") {
            throw Error(fmt::format("--set {}: a name cannot be changed from here; expected it in the scene", text));
        }
        if (parts.size() == 1) check_top_level(path, text);
        toml::table* table = &root;
        if (parts.size() > 1) table = find_section(root, parts[0], text);
        for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
            if (table->contains(parts[i]) && (*table)[parts[i]].as_table() == nullptr) {
                throw Error(fmt::format("--set {}: {} is a value, expected a table to set {} in", text, parts[i],
                                        parts[i + 1]));
            }
            if (!table->contains(parts[i])) table->insert_or_assign(parts[i], toml::table{});
            table = (*table)[parts[i]].as_table();
        }
        if (parts.size() == 2) make_room(*table, parts[0], parts[1], changed);
        insert(*table, parts.back(), text.substr(equals + 1), text);
        changed[path] = text;
    }
    return changed;
}

}  // namespace plica
