#pragma once
#include <map>
#include <string>
#include <vector>

#include "scene/file/table_reader.hpp"

namespace plica {

// Makes the paths of `NAME.mesh=path` whole: they are relative to where the program runs, not to the scene.
std::vector<std::string> settle_paths(std::vector<std::string> texts);

// Applies `path=value` texts to a parsed scene, in order. The first part of a path is a section (solver, contact,
// environment), a top-level key, or the name of a body or tool. A mesh that is set replaces the shape, and a shape the
// mesh. Returns path -> text for the messages; throws Error.
std::map<std::string, std::string> apply_overrides(toml::table& root, const std::vector<std::string>& texts);

}  // namespace plica
