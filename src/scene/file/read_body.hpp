#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// The keys of a body with tissue = "mass_spring".
void read_tube(TableReader& reader, const Files& files, BodyDescription& body);

// Files that a body names are relative to the folder of `files`.
BodyDescription read_body(TableReader& reader, const Files& files);

}  // namespace plica
