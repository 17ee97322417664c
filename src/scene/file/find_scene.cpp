#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "scene/description.hpp"
#include "scene/file/overrides.hpp"
#include "scene/file/xml_parts.hpp"

namespace plica {

SceneSource find_scene(const std::string& name, std::vector<std::string> overrides) {
    overrides = settle_paths(std::move(overrides));
    std::vector<std::string> names;
    for (const BuiltinScene& scene : builtin_scenes()) {
        if (scene.name == name) return {name, "scenes/" + name + ".toml", scene.text, std::move(overrides)};
        names.push_back(scene.name);
    }
    const bool looks_like_path = name.find('/') != std::string::npos || name.find(".toml") != std::string::npos ||
                                 name.find(".xml") != std::string::npos;
    std::error_code error;
    if (std::filesystem::is_directory(name, error))
        throw Error(fmt::format("{}: is a folder, expected a scene file", name));
    std::ifstream file(name, std::ios::binary);
    if (!file) {
        const std::string nearest = find_nearest(name, names);
        throw Error(fmt::format("{}: {}; built-in scenes are {}{}", name,
                                looks_like_path ? "no such scene file" : "neither a built-in scene nor a file",
                                join_choices(names), nearest.empty() ? "" : "; did you mean " + nearest + "?"));
    }
    std::ostringstream text;
    text << file.rdbuf();
    return {std::filesystem::path(name).stem().string(), name, add_folder(text.str(), name), std::move(overrides)};
}

}  // namespace plica
