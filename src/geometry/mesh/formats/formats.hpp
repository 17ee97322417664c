#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/file_source.hpp"
#include "geometry/mesh/mesh.hpp"

// One reader a file format, each given the bytes of the file. What they left out is added to `ignored`, for people.
namespace plica::formats {

using Ignored = std::vector<std::string>;

VolumeMesh read_gmsh(const std::string& path, std::string_view bytes, double scale, Ignored& ignored);
VolumeMesh read_vtk_volume(const std::string& path, std::string_view bytes, double scale, Ignored& ignored);
VolumeMesh read_abaqus(const std::string& path, std::string_view bytes, double scale, Ignored& ignored);
// stem.node and stem.ele.
VolumeMesh read_tetgen(FileSource& files, const std::string& stem, double scale, Ignored& ignored);

SurfaceMesh read_stl(const std::string& path, std::string_view bytes, double scale);
SurfaceMesh read_obj(const std::string& path, std::string_view bytes, double scale);
SurfaceMesh read_ply(const std::string& path, std::string_view bytes, double scale);
SurfaceMesh read_vtk_surface(const std::string& path, std::string_view bytes, double scale);
// What a VTK file of either kind holds: whether there are cells with a volume.
bool holds_volume(const std::string& path, std::string_view bytes);

}  // namespace plica::formats
