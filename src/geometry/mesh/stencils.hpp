#pragma once
#include <array>

namespace plica {

// What of a lattice tetrahedron lies inside: up to three tetrahedra. A corner is 0 to 3 (Lattice::tetrahedron's order),
// the cut point of an edge 4 + its place in `stencil_edges`.
struct Stencil {
    int count = 0;
    std::array<std::array<int, 4>, 3> tetrahedra{};
};

inline constexpr int stencil_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// By the corners' signs: +1 inside, 0 on the surface, -1 outside; index sum of (sign + 1) 3^corner. Faces of
// neighbouring tetrahedra match: where a face is cut into a quadrilateral, its diagonal ends at the cut point of the
// long edge; where both cut edges are short, at the corner whose step from the outer corner is even (Labelle and
// Shewchuk 2007, parity rule).
std::array<Stencil, 81> make_stencils();

}  // namespace plica
