#include "scene/file/nifty/rigid_surface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/index.hpp"

namespace plica::nifty {
namespace {

using Edge = std::array<std::int32_t, 2>;

// Edges that are passed in one direction only, in that direction.
std::vector<Edge> find_rim(const SurfaceMesh& surface) {
    std::vector<Edge> edges;
    edges.reserve(3 * surface.triangles.size());
    for (const auto& t : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) edges.push_back({t[k], t[(k + 1) % 3]});
    }
    std::sort(edges.begin(), edges.end());
    std::vector<Edge> rim;
    for (const Edge& e : edges) {
        if (!std::binary_search(edges.begin(), edges.end(), Edge{e[1], e[0]})) rim.push_back(e);
    }
    return rim;
}

// Unit, of each node: the mean of its triangles', by area.
std::vector<Vec3> find_normals(const SurfaceMesh& surface) {
    std::vector<Vec3> normals(surface.nodes.size());
    for (const auto& [a, b, c] : surface.triangles) {
        const Vec3& corner = surface.nodes[at(a)];
        const Vec3 area = cross(surface.nodes[at(b)] - corner, surface.nodes[at(c)] - corner);
        for (const std::int32_t n : {a, b, c}) normals[at(n)] += area;
    }
    for (std::size_t n = 0; n < normals.size(); ++n) {
        const double size = norm(normals[n]);
        if (!(size > 0.0)) throw Error(fmt::format("the open surface has no normal at the node {}", n));
        normals[n] = normals[n] / size;
    }
    return normals;
}

}  // namespace

void close_surface(SurfaceMesh& surface, double depth) {
    const std::vector<Edge> rim = find_rim(surface);
    if (rim.empty()) return;
    const std::vector<Vec3> normals = find_normals(surface);
    const auto behind = static_cast<std::int32_t>(surface.nodes.size());
    const std::size_t triangles = surface.triangles.size();
    for (std::size_t n = 0; n < normals.size(); ++n) surface.nodes.push_back(surface.nodes[n] - normals[n] * depth);
    for (std::size_t i = 0; i < triangles; ++i) {
        const auto [a, b, c] = surface.triangles[i];
        surface.triangles.push_back({behind + c, behind + b, behind + a});
    }
    for (const auto& [a, b] : rim) {
        surface.triangles.push_back({b, a, behind + a});
        surface.triangles.push_back({b, behind + a, behind + b});
    }
}

}  // namespace plica::nifty
