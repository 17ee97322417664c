#include "geometry/mesh/boundary.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// A face of a cell: its corners as seen from outside, -1 behind three; sorted corners to find its twin by.
struct CellFace {
    std::array<std::int32_t, 4> sorted;
    std::array<std::int32_t, 4> corners;
};

constexpr int tetrahedron_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
constexpr int hexahedron_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

// Faces are numbered by cells, tetrahedra first.
std::array<std::int32_t, 4> corners_of_face(const VolumeMesh& mesh, std::size_t face) {
    const std::size_t of_tetrahedra = 4 * mesh.tetrahedra.size();
    std::array<std::int32_t, 4> corners{-1, -1, -1, -1};
    if (face < of_tetrahedra) {
        const auto& cell = mesh.tetrahedra[face / 4];
        for (std::size_t k = 0; k < 3; ++k) corners[k] = cell[at(tetrahedron_faces[face % 4][k])];
    } else {
        const auto& cell = mesh.hexahedra[(face - of_tetrahedra) / 6];
        for (std::size_t k = 0; k < 4; ++k) corners[k] = cell[at(hexahedron_faces[(face - of_tetrahedra) % 6][k])];
    }
    return corners;
}

// Faces by the smallest of their nodes: twins have the same. Little memory, since meshes have millions.
class FacesByNode {
public:
    explicit FacesByNode(const VolumeMesh& mesh)
        : m_mesh(mesh),
          m_first(mesh.nodes.size() + 1, 0),
          m_face(4 * mesh.tetrahedra.size() + 6 * mesh.hexahedra.size()) {
        for (std::size_t f = 0; f < m_face.size(); ++f) ++m_first[smallest(f) + 1];
        for (std::size_t n = 1; n < m_first.size(); ++n) m_first[n] += m_first[n - 1];
        std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
        for (std::size_t f = 0; f < m_face.size(); ++f) m_face[next[smallest(f)]++] = static_cast<std::uint32_t>(f);
    }
    // Sorted, so that twins follow each other.
    void find(std::size_t node, std::vector<CellFace>& faces) const {
        faces.clear();
        for (std::uint32_t i = m_first[node]; i < m_first[node + 1]; ++i) {
            const auto corners = corners_of_face(m_mesh, m_face[i]);
            faces.push_back({corners, corners});
            std::sort(faces.back().sorted.begin(), faces.back().sorted.end());
        }
        std::sort(faces.begin(), faces.end(), [](const CellFace& a, const CellFace& b) {
            return a.sorted != b.sorted ? a.sorted < b.sorted : a.corners < b.corners;
        });
    }

private:
    [[nodiscard]] std::size_t smallest(std::size_t face) const {
        const auto corners = corners_of_face(m_mesh, face);
        std::int32_t least = std::min({corners[0], corners[1], corners[2]});
        if (corners[3] >= 0) least = std::min(least, corners[3]);
        return at(least);
    }

    const VolumeMesh& m_mesh;
    std::vector<std::uint32_t> m_first, m_face;
};

void add_unpaired(const std::vector<CellFace>& faces, std::vector<std::array<std::int32_t, 3>>& triangles) {
    for (std::size_t i = 0; i < faces.size();) {
        std::size_t next = i + 1;
        while (next < faces.size() && faces[next].sorted == faces[i].sorted) ++next;
        const auto& c = faces[i].corners;
        if (next - i > 2) {
            throw Error("the face of nodes " + std::to_string(c[0]) + ", " + std::to_string(c[1]) + " and " +
                        std::to_string(c[2]) + " belongs to " + std::to_string(next - i) +
                        " cells; expected at most two");
        }
        if (next - i == 1) {
            triangles.push_back({c[0], c[1], c[2]});
            if (c[3] >= 0) triangles.push_back({c[0], c[2], c[3]});
        }
        i = next;
    }
}

}  // namespace

std::vector<std::array<std::int32_t, 3>> find_boundary(const VolumeMesh& mesh) {
    const FacesByNode by_node(mesh);
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<CellFace> faces;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
        by_node.find(n, faces);
        add_unpaired(faces, triangles);
    }
    return triangles;
}

}  // namespace plica
