#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

// The triangles between a volume and its outside, counterclockwise seen from outside, in an order that depends on the
// mesh alone; a hexahedron's square is two of them. Faces between regions are inside. Throws Error, naming the face,
// where three cells share one.
std::vector<std::array<std::int32_t, 3>> find_boundary(const VolumeMesh& mesh);

}  // namespace plica
