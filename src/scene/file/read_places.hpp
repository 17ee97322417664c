#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/file_source.hpp"
#include "scene/anatomy/places.hpp"
#include "scene/file/table_reader.hpp"

// The keys that bodies of several tissues have: where the mesh is, where and when something acts.
namespace plica {

// Calls read() for every table of the array `key`; what is none is a mistake that shows the example.
void for_each_table(TableReader& reader, const std::string& key, const std::string& example,
                    const std::function<void(TableReader&)>& read);

// The file of `mesh`, relative to the folder of `files`, and its `scale`; false where the body has a shape instead.
bool read_mesh_path(TableReader& reader, const FileSource& files, std::string& mesh, double& scale);
// The same of any description that has them.
template <class Shape>
bool read_mesh_path(TableReader& reader, const Files& files, Shape& shape) {
    if (!read_mesh_path(reader, *files, shape.mesh, shape.scale)) return false;
    shape.files = files;
    return true;
}

// One of side, box, ball, half, nearest, set and nodes.
NodeSelection read_selection(TableReader& reader, bool optional);

Ramp read_ramp(TableReader& reader);

// The array `load`.
void read_loads(TableReader& reader, std::vector<LoadDescription>& loads);

}  // namespace plica
