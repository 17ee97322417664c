#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// The shape of a rigid body or instrument. Paths of meshes are relative to the folder.
void read_rigid(TableReader& reader, const Files& files, RigidDescription& rigid);

// The same as part of a body of a scene.
void read_rigid_body(TableReader& reader, const Files& files, BodyDescription& body);

}  // namespace plica
