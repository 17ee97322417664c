#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

BodyDescription read_body(TableReader& reader);

}  // namespace plica
