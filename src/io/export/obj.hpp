#pragma once
#include <span>
#include <string>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

namespace plica {

// One frame as Wavefront OBJ: all nodes as v (9 significant digits), capsules as l (spheres, a == b, are left out),
// triangles as f. OBJ has no word for a position that is not a number: such a frame throws Error with Status::invalid.
void write_obj_frame(const std::string& path, std::span<const Vec3> positions, const Surface& surface);

}  // namespace plica
