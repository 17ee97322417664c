#pragma once
#include "core/file_source.hpp"
#include "geometry/mesh/mesh.hpp"

// Mesh files of other programs (docs/meshes.md), from the disk or from a source of files. Errors name file and line, or
// the byte of binary data.
namespace plica {

enum class MeshFile { volume, surface };

// By its ending; of VTK files, which may hold either, by what is in them. A path without ending is the stem of a pair
// of TetGen files. Throws Error for an unknown ending.
MeshFile kind_of_mesh_file(const std::string& path);
MeshFile kind_of_mesh_file(FileSource& files, const std::string& path);

// Gmsh .msh (2.2 and 4.1), VTK .vtk and .vtu, TetGen .node and .ele, Abaqus .inp. Coordinates are multiplied by scale,
// 0.001 for millimetres. The mesh is as the file says: see repair_mesh. What was left out is added to *ignored.
VolumeMesh read_volume_mesh(const std::string& path, double scale = 1.0, std::vector<std::string>* ignored = nullptr);
VolumeMesh read_volume_mesh(FileSource& files, const std::string& path, double scale,
                            std::vector<std::string>* ignored);

// STL, Wavefront .obj, .ply; VTK .vtk, .vtu and .vtp with polygons. Polygons become fans of triangles.
SurfaceMesh read_surface_mesh(const std::string& path, double scale = 1.0);
SurfaceMesh read_surface_mesh(FileSource& files, const std::string& path, double scale);

}  // namespace plica
