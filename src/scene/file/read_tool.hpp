#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// Places on bodies are checked against the bodies the scene already has.
ToolDescription read_tool(TableReader& reader, const Files& files, const SceneDescription& scene);

}  // namespace plica
