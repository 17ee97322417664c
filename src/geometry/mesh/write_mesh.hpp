#pragma once
#include "geometry/mesh/mesh.hpp"

// Mesh files for other programs and for tests. A file is there whole or not at all; numbers read back as the same bits.
namespace plica {

// Legacy VTK, text; regions as the cell data "region", numbers.
void write_vtk(const VolumeMesh& mesh, const std::string& path);
// Gmsh 2.2, text; regions are physical volumes, node sets physical points.
void write_gmsh(const VolumeMesh& mesh, const std::string& path);
// Wavefront OBJ.
void write_obj(const SurfaceMesh& mesh, const std::string& path);

}  // namespace plica
