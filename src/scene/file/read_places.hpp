#pragma once
#include <functional>
#include <string>
#include <vector>

#include "scene/anatomy/places.hpp"
#include "scene/file/table_reader.hpp"

// The keys that say where and when something acts on a body.
namespace plica {

// Calls read() for every table of the array `key`; what is none is a mistake that shows the example.
void for_each_table(TableReader& reader, const std::string& key, const std::string& example,
                    const std::function<void(TableReader&)>& read);

// One of side, box, ball, half, set and nodes.
NodeSelection read_selection(TableReader& reader, bool optional);

Ramp read_ramp(TableReader& reader);

// The array `load`.
void read_loads(TableReader& reader, std::vector<LoadDescription>& loads);

}  // namespace plica
