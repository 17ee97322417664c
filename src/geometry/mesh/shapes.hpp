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

// A rectangle around the origin at z = 0, its normals up: columns x rows cells of two triangles each, their diagonals
// alternating like on a Union Jack. Node i + (columns + 1) j lies in column i and row j, from -x, -y on.
SurfaceMesh make_plane(double width, double depth, int columns, int rows);
// Nodes in Fibonacci's directions, evenly spread, at |x / a|^(2/e) + |y / b|^(2/e) + |z / c|^(2/e) = 1 for the half
// sizes a, b, c: exponent 1 is an ellipsoid, towards 0 it becomes a box. The triangles are those of the directions'
// convex hull, so on a sphere they are Delaunay's.
SurfaceMesh make_superquadric(int nodes, double exponent, const Vec3& half_size);

// A liver of about a litre, 155 x 116 x 131 mm; z is up, the left lobe points to +x. It is a star around the origin:
// the surface lies at the distance liver_radius(d) in the unit direction d.
double liver_radius(const Vec3& d);
SurfaceMesh make_liver_surface(int level);  // 20 4^level triangles
VolumeMesh make_liver(double cell);         // filled with cells of that size (stuffing.hpp)
// Drawn out or flattened along the axes until it is so wide, around the middle of its extents.
VolumeMesh make_liver(double cell, const Vec3& size);
// m: the cell that fills the liver with about so many tetrahedra (within 2 % from 5,000 on); 22,000 have 8.45 mm.
double liver_cell_for(int tetrahedra);

// A sheet of 4 mm that follows the liver 1 mm above it, from its top down to 75 degrees: n x n cells, two layers; six
// tetrahedra a cell or one hexahedron. Node sets: "rim", the outer ring in all layers; "cap", the nodes of the upper
// side within 25 degrees of the top.
VolumeMesh make_diaphragm(int n, bool hexahedra);

// 200 x 200 x 50 mm, its upper side at z = 0: a block of 10 x 10 x 2 cells.
VolumeMesh make_slab();

// Rigid things, closed.
// Tubes of radius 5 mm on ellipses around z (half axes 130 mm along x and 95 mm along y), 22 mm apart, tilted down by
// 20 degrees towards +x, where they are open over 50 degrees.
SurfaceMesh make_ribs(int ribs = 6);
// A cylinder along y around the origin.
SurfaceMesh make_bar(double radius = 0.012, double length = 0.2);
// Two of them, their axes so far apart at z = 0.
SurfaceMesh make_bars(double radius = 0.012, double length = 0.2, double apart = 0.09);
// A jaw of 60 x 8 x 4 mm along +x from the hinge, which is the y axis; it lies just above z = 0.
SurfaceMesh make_forceps_jaw();
// That jaw (the first half of the nodes and of the triangles) and its mirror image below, opened by an angle (rad).
SurfaceMesh make_forceps_jaws(double opening = 0.35);

}  // namespace plica
