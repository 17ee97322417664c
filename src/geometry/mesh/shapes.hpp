#pragma once
#include "geometry/mesh/mesh.hpp"

// Organs and instruments made of formulas (deterministic: equal parameters, equal bits). SI units.
namespace plica {

// A box between two corners, cells[i] cells along axis i: six tetrahedra a cell (Kuhn, all of positive volume,
// faces matching between cells) or one hexahedron.
VolumeMesh make_tetrahedral_block(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells);
VolumeMesh make_hexahedral_block(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells);

// A sphere around the origin: an icosahedron whose triangles were quartered `level` times, 20 4^level of them.
SurfaceMesh make_icosphere(int level, double radius);
// The ball inside, filled with cells of that size (stuffing.hpp).
VolumeMesh make_ball(double radius, double cell);

// A liver of about a litre, 155 x 116 x 131 mm; z is up, the left lobe points to +x. It is a star around the origin:
// the surface lies at the distance liver_radius(d) in the unit direction d.
double liver_radius(const Vec3& d);
SurfaceMesh make_liver_surface(int level);  // 20 4^level triangles
VolumeMesh make_liver(double cell);         // filled with cells of that size (stuffing.hpp)
// m: the cell that fills the liver with about so many tetrahedra (within 2 % from 5,000 on); 22,000 have 8.46 mm.
double liver_cell_for(int tetrahedra);

}  // namespace plica
