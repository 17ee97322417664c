#pragma once
#include "geometry/mesh/quality.hpp"

// Whether a surface can carry a tissue of its own: heat and tension need every triangle's angles and areas.
namespace plica {

constexpr double least_membrane_area = 1e-12;  // of a triangle over the square of the bounding box' diagonal
constexpr double least_membrane_angle = 0.1;   // degrees

struct MembraneReport {
    SurfaceReport surface;
    double smallest_angle = 180.0;       // degrees
    std::size_t sharpest_triangle = 0;   // where that is
    std::vector<std::int32_t> old_node;  // per node: its number before nodes of no triangle were dropped
    std::vector<std::int32_t> piece;     // per node: which piece it belongs to, from 0
    std::vector<char> closed;            // per piece
};

// Drops nodes of no triangle and turns triangles so that all of a piece face the same side, the outside of a closed one
// (repair_surface). Throws one Error that begins with the name and names the node, triangle or edge by its number
// before: places or indices that are no good, a node twice in a triangle, the same triangle twice, hardly any area, an
// angle near zero, an edge of three triangles, a node where parts of the surface meet without sharing an edge.
MembraneReport check_membrane(SurfaceMesh& mesh, const std::string& name);

}  // namespace plica
