#pragma once
#include "scene/anatomy/rigid.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// The shape of a rigid body or instrument. Paths of meshes are relative to the folder.
void read_rigid(TableReader& reader, const std::string& folder, RigidDescription& rigid);

}  // namespace plica
