#pragma once
#include "geometry/mesh/formats/formats.hpp"
#include "geometry/mesh/formats/mesh_text.hpp"

namespace plica::formats {

// Points and cells of a VTK file, legacy or XML, before it is known what they are good for.
struct VtkGrid {
    std::vector<Vec3> points;
    std::vector<std::int64_t> connectivity;  // points of the cells, one cell after the other
    std::vector<std::int64_t> offsets;       // per cell: where its points end in connectivity
    std::vector<std::int64_t> types;         // per cell: VTK's number
    std::vector<std::int64_t> labels;        // per cell: a number that tells regions apart; or empty
    std::string label_name;                  // of the array that they were in
    std::vector<NodeValues> values;          // of points, one number each; legacy files only
    std::size_t cells_line = 1;              // where errors in cells are told
};

VtkGrid read_vtk_legacy(const std::string& path, std::string_view bytes, Ignored& ignored);
VtkGrid read_vtk_xml(const std::string& path, std::string_view bytes, Ignored& ignored);
// Either of the two.
VtkGrid read_vtk_grid(const std::string& path, std::string_view bytes, Ignored& ignored);

// VTK's number for a polygon with any number of corners.
constexpr std::int64_t vtk_polygon = 7;

// Whether an array of this name says which region cells belong to.
bool is_region_name(std::string_view name);

}  // namespace plica::formats
