#pragma once
#include <span>
#include <string>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

namespace plica {

// One frame as legacy VTK POLYDATA, binary: all nodes as points (float64, exact), capsules as lines, triangles as
// polygons. Cell data, lines first: `radius` (m; of a triangle its half thickness) and `body`. Spheres (a == b) are
// left out: a line of no length draws nothing.
void write_vtk_frame(const std::string& path, std::span<const Vec3> positions, const Surface& surface);

// A number per node, not a number where there is none.
struct PointField {
    std::string name;  // what a name cannot have there is written %20 and so on, which VTK's readers undo
    std::vector<float> values;
};
// The same with point data.
void write_vtk_frame_with(std::span<const PointField> fields, const std::string& path, std::span<const Vec3> positions,
                          const Surface& surface);

}  // namespace plica
