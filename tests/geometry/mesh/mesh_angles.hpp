#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/mesh/mesh.hpp"

namespace plica {

// The shape of a mesh's tetrahedra: what bounds the time step and the accuracy of explicit finite elements.
struct MeshQuality {
    double volume = 0.0;             // m^3, of all of them
    double smallest_volume = 0.0;    // m^3; not positive: one is flat or turned over
    double smallest_dihedral = 0.0;  // degrees
    double largest_dihedral = 0.0;   // degrees
    double smallest_altitude = 0.0;  // m
    double low_altitude = 0.0;       // m: one tetrahedron in a hundred has a smaller one
};
// Normals of the faces opposite the corners, pointing inwards, twice as long as the face is large.
inline std::array<Vec3, 4> face_normals(const std::array<Vec3, 4>& p) {
    return {cross(p[3] - p[1], p[2] - p[1]), cross(p[2] - p[0], p[3] - p[0]), cross(p[3] - p[0], p[1] - p[0]),
            cross(p[1] - p[0], p[2] - p[0])};
}

inline double dihedral(const Vec3& n, const Vec3& m) {
    const double cosine = -dot(n, m) / (norm(n) * norm(m));
    return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180.0 / std::numbers::pi;
}

inline MeshQuality measure_quality(const VolumeMesh& mesh) {
    MeshQuality quality;
    if (mesh.tetrahedra.empty()) return quality;
    quality.smallest_volume = std::numeric_limits<double>::infinity();
    quality.smallest_dihedral = 180.0;
    std::vector<double> altitudes;
    altitudes.reserve(mesh.tetrahedra.size());
    for (const auto& t : mesh.tetrahedra) {
        std::array<Vec3, 4> p;
        for (std::size_t c = 0; c < 4; ++c) p[c] = mesh.nodes[static_cast<std::size_t>(t[c])];
        const double volume = dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0])) / 6.0;
        quality.volume += volume;
        quality.smallest_volume = std::min(quality.smallest_volume, volume);
        const std::array<Vec3, 4> normals = face_normals(p);
        double largest_face = 0.0;
        for (std::size_t a = 0; a < 4; ++a) {
            largest_face = std::max(largest_face, norm(normals[a]));
            for (std::size_t b = a + 1; b < 4; ++b) {
                const double angle = dihedral(normals[a], normals[b]);
                quality.smallest_dihedral = std::min(quality.smallest_dihedral, angle);
                quality.largest_dihedral = std::max(quality.largest_dihedral, angle);
            }
        }
        altitudes.push_back(6.0 * volume / largest_face);
    }
    std::sort(altitudes.begin(), altitudes.end());
    quality.smallest_altitude = altitudes.front();
    quality.low_altitude = altitudes[altitudes.size() / 100];
    return quality;
}

}  // namespace plica
