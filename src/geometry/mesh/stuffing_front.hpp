#pragma once
#include "geometry/mesh/lattice.hpp"
#include "geometry/mesh/triangle_tree.hpp"

namespace plica {

// A lattice node with an edge through the surface. Places are in the lattice's units.
struct FrontNode {
    std::int32_t node;
    std::int32_t vertex = -1;  // of the mesh, once used
    int sign;                  // +1 inside, -1 outside, 0 moved onto the surface
    Vec3 place;
    // Per half direction, where its edge is cut: 0 here, 1 at the neighbour.
    std::array<double, Lattice::half_directions> cut{};
    std::array<std::int32_t, Lattice::half_directions> cut_vertex;
};

// Which lattice nodes are inside a surface, and where it cuts the edges between them: the first half of isosurface
// stuffing.
class StuffingFront {
public:
    // The surface in the lattice's units, at least three cubes away from its sides.
    StuffingFront(const Lattice& lattice, SurfaceMesh surface);

    // Moves nodes with a cut point too near onto it, unless the boundary would then touch itself there: in that case
    // the cut point is moved away from the node.
    void settle();

    [[nodiscard]] int sign(std::int32_t node) const {
        const std::int32_t at = m_slot[static_cast<std::size_t>(node)];
        return at >= 0 ? m_front[static_cast<std::size_t>(at)].sign : lattice_sign(node);
    }
    [[nodiscard]] FrontNode* find(std::int32_t node) {
        const std::int32_t at = m_slot[static_cast<std::size_t>(node)];
        return at >= 0 ? &m_front[static_cast<std::size_t>(at)] : nullptr;
    }
    // Where an edge between an inner and an outer node is cut, from the node that owns it.
    [[nodiscard]] Vec3 cut_place(const FrontNode& owner, int half_direction) const;

private:
    [[nodiscard]] int lattice_sign(std::int32_t node) const {
        return m_winding[static_cast<std::size_t>(node)] > 0 ? 1 : -1;
    }
    void find_inside();
    bool trace_column(std::int32_t first, const Vec3& shift, std::vector<Crossing>& crossings);
    void find_front();
    void find_cuts();
    [[nodiscard]] double find_cut(std::int32_t inner, std::int32_t outer, std::vector<Crossing>& crossings) const;
    void warp(FrontNode& front);
    [[nodiscard]] bool is_pinched(const FrontNode& front) const;

    const Lattice& m_lattice;
    TriangleTree m_tree;
    std::vector<std::int16_t> m_winding;  // how often the surface goes around a node
    std::vector<std::int32_t> m_slot;     // of m_front; -1: none
    std::vector<FrontNode> m_front;       // in the order of nodes
    std::array<std::array<int, 3>, 24> m_link = Lattice::link();
};

}  // namespace plica
