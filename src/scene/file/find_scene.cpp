#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "core/input_file.hpp"
#include "core/nearest.hpp"
#include "scene/description.hpp"
#include "scene/file/overrides.hpp"
#include "scene/file/xml_parts.hpp"

namespace plica {
namespace {

constexpr std::uint64_t largest_scene = 1U << 28;  // bytes; models with their nodes in them have some ten million

// False only where there is nothing of that name: what is there and cannot be read is told by who reads it.
bool is_there(const std::string& name) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(name, error);
    return status.type() != std::filesystem::file_type::not_found && error != std::errc::filename_too_long;
}

std::string read_text(const std::string& name) {
    std::error_code error;
    if (std::filesystem::is_directory(name, error)) throw Error(name + ": is a folder, expected a scene file");
    InputFile file(name);
    if (file.size() > largest_scene) {
        throw Error(fmt::format("{}: found {} MB, expected a scene of at most {} MB", name, file.size() >> 20,
                                largest_scene >> 20));
    }
    return file.read_rest();
}

SceneSource builtin_source(const BuiltinScene& scene, std::vector<std::string> overrides) {
    return {scene.name, "scenes/" + scene.name + ".toml", scene.text, std::move(overrides),
            std::make_shared<FileSource>("scenes")};
}

}  // namespace

SceneSource find_scene(const std::string& name, std::vector<std::string> overrides) {
    overrides = settle_paths(std::move(overrides));
    std::vector<std::string> names;
    for (const BuiltinScene& scene : builtin_scenes()) {
        if (scene.name == name) return builtin_source(scene, std::move(overrides));
        names.push_back(scene.name);
    }
    const bool looks_like_path = name.find('/') != std::string::npos || name.find(".toml") != std::string::npos ||
                                 name.find(".xml") != std::string::npos;
    if (!is_there(name)) {
        const std::string nearest = find_nearest(name, names);
        throw Error(fmt::format("{}: {}; built-in scenes are {}{}", name,
                                looks_like_path ? "no such scene file" : "neither a built-in scene nor a file",
                                join_choices(names), nearest.empty() ? "" : "; did you mean " + nearest + "?"));
    }
    const std::filesystem::path path(name);
    return {path.stem().string(), name, add_folder(read_text(name), name), std::move(overrides),
            std::make_shared<FileSource>(path.parent_path().string())};
}

}  // namespace plica
