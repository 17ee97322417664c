#pragma once
#include <span>
#include <string>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

namespace plica {

// One frame as legacy VTK POLYDATA, binary: all nodes as points (float64, exact), capsules as lines, triangles as
// polygons. Cell data, lines first: `radius` (m; of a triangle its half thickness) and `body`. Spheres (a == b) are
// left out: a line of no length draws nothing.
void write_vtk_frame(const std::string& path, std::span<const Vec3> positions, const Surface& surface);

// The same with point data: a number per node, not a number where there is none.
void write_vtk_frame_with(const std::string& name, std::span<const float> values, const std::string& path,
                          std::span<const Vec3> positions, const Surface& surface);

}  // namespace plica
