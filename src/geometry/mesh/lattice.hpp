#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

// A body-centred cubic lattice in a box: corners of cubes and their centres. Its unit is half a cube edge, so corners
// have even coordinates and centres odd ones. Node n of `cubes()` first ones is a corner, the others are centres.
//
// Every node has 14 neighbours, in direction d and, opposite, d + 7: the first three directions are long edges (2
// units), the other four are short ones (sqrt(3) units). A tetrahedron has two long edges, opposite each other.
class Lattice {
public:
    static constexpr int directions = 14;
    static constexpr int half_directions = 7;
    static constexpr std::array<std::array<int, 3>, half_directions> steps{
        {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}}};
    static constexpr int cubes_tetrahedra = 12;  // of one cube

    explicit Lattice(const std::array<int, 3>& cubes);

    [[nodiscard]] std::int32_t cubes() const { return m_cubes; }
    [[nodiscard]] std::int32_t nodes() const { return 2 * m_cubes; }
    [[nodiscard]] const std::array<int, 3>& size() const { return m_size; }
    [[nodiscard]] std::int32_t node(bool centre, int i, int j, int k) const {
        return (centre ? m_cubes : 0) + i + m_size[0] * (j + m_size[1] * k);
    }
    [[nodiscard]] Vec3 place(std::int32_t node) const;  // units from the box's corner

    // Only of nodes that lie a cube or more away from the sides of the box.
    [[nodiscard]] std::int32_t neighbour(std::int32_t node, int direction) const {
        return node + m_neighbour[node >= m_cubes ? 1 : 0][static_cast<std::size_t>(direction)];
    }

    // Corners a, a', b, b' of a centre's tetrahedron: positive volume; a a' and b b' long; a - b has an even number of
    // positive components (so have a' - b', b' - a, b - a'; the others have an odd number).
    [[nodiscard]] std::array<std::int32_t, 4> tetrahedron(std::int32_t centre, int which) const {
        std::array<std::int32_t, 4> t = m_tetrahedra[static_cast<std::size_t>(which)];
        for (std::int32_t& node : t) node += centre;
        return t;
    }

    static constexpr bool is_long(int direction) { return direction % half_directions < 3; }
    static std::array<int, 3> step(int direction);
    // Directions of the three other corners of the 24 tetrahedra around a node.
    static std::array<std::array<int, 3>, 24> link();

private:
    [[nodiscard]] std::int32_t offset(bool from_centre, const std::array<int, 3>& step) const;

    std::array<int, 3> m_size;
    std::int32_t m_cubes;
    std::array<std::array<std::int32_t, directions>, 2> m_neighbour;
    std::array<std::array<std::int32_t, 4>, cubes_tetrahedra> m_tetrahedra;
};

}  // namespace plica
