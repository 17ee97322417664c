#include "geometry/mesh/boundary.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace plica {
namespace {

// A face of a cell: its corners as seen from outside, -1 behind three; sorted corners to find its twin by.
struct Face {
    std::array<std::int32_t, 4> sorted;
    std::array<std::int32_t, 4> corners;
};

constexpr int tetrahedron_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
constexpr int hexahedron_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

void add_face(const std::array<std::int32_t, 4>& corners, std::vector<Face>& faces) {
    faces.push_back({corners, corners});
    std::sort(faces.back().sorted.begin(), faces.back().sorted.end());
}

std::vector<Face> list_faces(const VolumeMesh& mesh) {
    std::vector<Face> faces;
    faces.reserve(4 * mesh.tetrahedra.size() + 6 * mesh.hexahedra.size());
    for (const auto& t : mesh.tetrahedra) {
        for (const auto& f : tetrahedron_faces) {
            add_face({t[static_cast<std::size_t>(f[0])], t[static_cast<std::size_t>(f[1])],
                      t[static_cast<std::size_t>(f[2])], -1},
                     faces);
        }
    }
    for (const auto& h : mesh.hexahedra) {
        for (const auto& f : hexahedron_faces) {
            add_face({h[static_cast<std::size_t>(f[0])], h[static_cast<std::size_t>(f[1])],
                      h[static_cast<std::size_t>(f[2])], h[static_cast<std::size_t>(f[3])]},
                     faces);
        }
    }
    return faces;
}

}  // namespace

std::vector<std::array<std::int32_t, 3>> find_boundary(const VolumeMesh& mesh) {
    std::vector<Face> faces = list_faces(mesh);
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
        return a.sorted != b.sorted ? a.sorted < b.sorted : a.corners < b.corners;
    });
    std::vector<std::array<std::int32_t, 3>> triangles;
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
    return triangles;
}

}  // namespace plica
