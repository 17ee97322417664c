#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// The keys of a body with tissue = "tled". Mesh files are relative to the folder of `files`.
void read_organ(TableReader& reader, const Files& files, OrganDescription& organ);

// The same as part of a body of a scene.
void read_solid_body(TableReader& reader, const Files& files, BodyDescription& body);

}  // namespace plica
