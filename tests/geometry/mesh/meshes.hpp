#pragma once
#include <algorithm>
#include <map>
#include <string>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/mesh.hpp"
#include "geometry/mesh/surface.hpp"

// What tests ask of meshes.
namespace plica {

inline std::uint64_t hash_of(const VolumeMesh& mesh) {
    Hash hash;
    hash.add_all<Vec3>(mesh.nodes);
    for (const auto& t : mesh.tetrahedra) hash.add_all<std::int32_t>(t);
    for (const auto& h : mesh.hexahedra) hash.add_all<std::int32_t>(h);
    for (const auto& set : mesh.node_sets) hash.add_all<std::int32_t>(set.nodes);
    return hash.value();
}

inline std::uint64_t hash_of(const SurfaceMesh& mesh) {
    Hash hash;
    hash.add_all<Vec3>(mesh.nodes);
    for (const auto& t : mesh.triangles) hash.add_all<std::int32_t>(t);
    return hash.value();
}

// Whether the triangles around every node form one fan: with closed edges of two triangles each, a surface without
// seams and pinches. Says what is wrong; empty: nothing.
inline std::string complaint_about(const SurfaceMesh& surface) {
    std::map<std::array<std::int32_t, 2>, int> edges;
    std::map<std::int32_t, std::map<std::int32_t, std::int32_t>> fans;  // node -> a -> b of its triangles (node, a, b)
    for (const auto& t : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = t[(k + 1) % 3];
            const std::int32_t b = t[(k + 2) % 3];
            ++edges[{a, b}];
            fans[t[k]][a] = b;
        }
    }
    for (const auto& [edge, count] : edges) {
        if (count != 1) return "an edge is passed twice in one direction";
        if (edges.count({edge[1], edge[0]}) == 0) return "an edge has one triangle";
    }
    for (const auto& [node, fan] : fans) {
        std::size_t length = 0;
        std::int32_t at = fan.begin()->first;
        do {
            at = fan.at(at);
            ++length;
        } while (at != fan.begin()->first && length <= fan.size());
        if (length != fan.size()) return "the triangles around a node are two fans";
    }
    return "";
}

// Whether cells meet at whole faces, two at most, have positive volume and leave a boundary without seams and pinches.
inline std::string complaint_about(const VolumeMesh& mesh) {
    std::vector<bool> used(mesh.nodes.size(), false);
    for (const auto& t : mesh.tetrahedra) {
        const auto at = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(t[k])]; };
        if (!(dot(at(1) - at(0), cross(at(2) - at(0), at(3) - at(0))) > 0.0)) return "a volume is not positive";
        for (const std::int32_t node : t) used[static_cast<std::size_t>(node)] = true;
    }
    for (const auto& h : mesh.hexahedra) {
        for (const std::int32_t node : h) used[static_cast<std::size_t>(node)] = true;
    }
    if (std::find(used.begin(), used.end(), false) != used.end()) return "a node belongs to no cell";
    try {
        return complaint_about(SurfaceMesh{mesh.nodes, find_boundary(mesh)});
    } catch (const Error& error) {
        return error.what();
    }
}

// Corners minus edges plus triangles: 2 for each sphere, 0 for a torus.
inline int euler_characteristic(const SurfaceMesh& surface) {
    std::map<std::int32_t, int> nodes;
    for (const auto& t : surface.triangles) {
        for (const std::int32_t node : t) ++nodes[node];
    }
    const auto triangles = static_cast<int>(surface.triangles.size());
    return static_cast<int>(nodes.size()) - triangles / 2;
}

}  // namespace plica
