#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

// Tetrahedra that fill a closed surface: isosurface stuffing (Labelle and Shewchuk 2007) on a body-centred cubic
// lattice whose cubes have the edge `cell` (m), 12 tetrahedra each. Nodes on the surface lie on it (on its triangles,
// not on their corners: sharp edges are cut off by less than a cell; walls and gaps thinner than a cell may vanish).
// Dihedral angles lie between 10.7 and 164.8 degrees (the paper's bounds; smooth surfaces give 17 to 153). The boundary
// is closed and touches itself nowhere. Pieces that overlap become one.
//
// Throws Error for a surface that is open or turned inside out, for cells too large to catch anything of it, and for
// more than 20 million of them.
VolumeMesh fill_surface(const SurfaceMesh& surface, double cell);

}  // namespace plica
