#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// Files that a body names are relative to `folder`.
BodyDescription read_body(TableReader& reader, const std::string& folder);

}  // namespace plica
