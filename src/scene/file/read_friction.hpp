#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// `friction` of a body or a tool that touches; none: it has no number of its own.
std::optional<double> read_own_friction(TableReader& reader);

// [[contact.pair]] of the whole file, when all bodies and tools are known.
void read_friction_pairs(TableReader& root, SceneDescription& scene);

}  // namespace plica
