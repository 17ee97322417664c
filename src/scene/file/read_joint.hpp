#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// A [[joint]] table; all bodies and tools are known.
JointDescription read_joint(TableReader& reader, const SceneDescription& scene);

}  // namespace plica
