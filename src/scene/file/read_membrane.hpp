#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// The keys of a body with tissue = "heat". Mesh files are relative to the folder of `files`.
void read_membrane(TableReader& reader, const Files& files, MembraneDescription& membrane);

// The same as part of a body of a scene.
void read_heat_body(TableReader& reader, const Files& files, BodyDescription& body);

}  // namespace plica
