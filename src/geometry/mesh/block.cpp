#include "geometry/mesh/shapes.hpp"

namespace plica {
namespace {

// Nodes of a grid, x fastest.
class Grid {
public:
    Grid(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells) : m_cells(cells) {
        nodes.reserve(static_cast<std::size_t>((cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1)));
        const Vec3 size = high - low;
        for (int k = 0; k <= cells[2]; ++k) {
            for (int j = 0; j <= cells[1]; ++j) {
                for (int i = 0; i <= cells[0]; ++i) {
                    nodes.push_back(low + Vec3{size.x * i / cells[0], size.y * j / cells[1], size.z * k / cells[2]});
                }
            }
        }
    }
    [[nodiscard]] std::int32_t node(int i, int j, int k) const {
        return i + (m_cells[0] + 1) * (j + (m_cells[1] + 1) * k);
    }
    // Calls visit(corner), corner(di, dj, dk) being a node, for each cell.
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (int k = 0; k < m_cells[2]; ++k) {
            for (int j = 0; j < m_cells[1]; ++j) {
                for (int i = 0; i < m_cells[0]; ++i) {
                    visit([&](int di, int dj, int dk) { return node(i + di, j + dj, k + dk); });
                }
            }
        }
    }
    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(m_cells[0] * m_cells[1] * m_cells[2]); }
    std::vector<Vec3> nodes;

private:
    std::array<int, 3> m_cells;
};

// Ways from corner (0,0,0) to (1,1,1) along the axes: each is a tetrahedron; an odd permutation's is turned over.
constexpr int ways[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

}  // namespace

VolumeMesh make_tetrahedral_block(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells) {
    Grid grid(low, high, cells);
    VolumeMesh mesh;
    mesh.tetrahedra.reserve(6 * grid.cells());
    grid.for_each_cell([&](auto corner) {
        for (int w = 0; w < 6; ++w) {
            std::array<std::int32_t, 4> t{};
            int at[3] = {0, 0, 0};
            t[0] = corner(0, 0, 0);
            for (std::size_t s = 0; s < 3; ++s) {
                at[ways[w][s]] = 1;
                t[s + 1] = corner(at[0], at[1], at[2]);
            }
            if (w >= 3) std::swap(t[1], t[2]);
            mesh.tetrahedra.push_back(t);
        }
    });
    mesh.nodes = std::move(grid.nodes);
    return mesh;
}

VolumeMesh make_hexahedral_block(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells) {
    Grid grid(low, high, cells);
    VolumeMesh mesh;
    mesh.hexahedra.reserve(grid.cells());
    grid.for_each_cell([&](auto corner) {
        mesh.hexahedra.push_back({corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0), corner(0, 0, 1),
                                  corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)});
    });
    mesh.nodes = std::move(grid.nodes);
    return mesh;
}

}  // namespace plica
