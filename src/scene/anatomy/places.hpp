#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/mesh.hpp"
#include "tissue/load.hpp"

// Where on a body something acts.
namespace plica {

// Some nodes of a body, by where they are in the rest shape or by what the mesh file calls them.
struct NodeSelection {
    enum class Kind : std::uint8_t { all, box, ball, half, side, nearest, set, list };
    Kind kind = Kind::all;
    Vec3 low, high;       // m, box
    Vec3 center;          // m, ball; half: a point of the plane; nearest: the node closest to it
    double radius = 0.0;  // m, ball
    Vec3 normal;          // half: unit, towards the half of space that is meant
    int axis = 0;         // side: the nodes that are furthest along this axis
    bool towards_high = false;
    std::string set;                  // of the mesh
    std::vector<std::int32_t> nodes;  // as the mesh numbers them
    int line = 0;                     // of the scene's file; 0: of none
};

struct LoadDescription {
    Load load;  // without nodes and triangles
    NodeSelection where;
    std::vector<std::array<std::int32_t, 3>> faces;  // as the mesh numbers nodes; empty: the surface within `where`
};

// Nodes that the selection means, ascending. `order` is the old number of each node, which may leave out some; empty:
// they were never renumbered. Throws Error where there are none.
std::vector<std::int32_t> select_nodes(const NodeSelection& selection, std::span<const Vec3> places,
                                       std::span<const NodeSet> sets, std::span<const std::int32_t> order);

// Triangles whose nodes are all among these. Throws Error where there are none.
std::vector<std::array<std::int32_t, 3>> select_triangles(std::span<const std::array<std::int32_t, 3>> surface,
                                                          std::span<const std::int32_t> nodes, std::size_t count);

}  // namespace plica
