#pragma once
#include "geometry/mesh/mesh.hpp"

// Volume meshers that are programs of their own (Debian packages tetgen and gmsh). Each is looked for in PATH; where it
// is not there or fails, Error with Status::environment says so. Their work lies in a temporary folder that is removed.
namespace plica {

// The surface must be closed and face outward (repair_surface). cell is the edge length to aim at, m. TetGen keeps the
// surface's triangles and cuts them where it must; Gmsh makes new ones.
VolumeMesh mesh_with_tetgen(const SurfaceMesh& surface, double cell);
VolumeMesh mesh_with_gmsh(const SurfaceMesh& surface, double cell);

}  // namespace plica
