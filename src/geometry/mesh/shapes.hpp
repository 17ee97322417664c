#pragma once
#include "geometry/mesh/mesh.hpp"

// Organs and instruments made of formulas (deterministic: equal parameters, equal bits). SI units.
namespace plica {

// A box between two corners, cells[i] cells along axis i: six tetrahedra a cell (Kuhn, all of positive volume,
// faces matching between cells) or one hexahedron.
VolumeMesh make_tetrahedral_block(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells);
VolumeMesh make_hexahedral_block(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells);

}  // namespace plica
