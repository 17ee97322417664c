#pragma once
#include <string>
#include <string_view>

#include "core/file_source.hpp"
#include "scene/description.hpp"

namespace plica::nifty {

// A NiftySim model as a scene. Mesh files that it names are relative to the source's folder. Throws Error with every
// mistake and everything that is not supported, one a line: file:line: what was found.
SceneDescription read_model(const std::string& file, std::string_view xml, FileSource& files);

}  // namespace plica::nifty
