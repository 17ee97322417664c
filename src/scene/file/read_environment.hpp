#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

void read_environment(TableReader& reader, SceneDescription& scene);

}  // namespace plica
