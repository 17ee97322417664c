#include <algorithm>
#include <numbers>

#include "core/error.hpp"
#include "geometry/mesh/shapes.hpp"

namespace plica {
namespace {

SurfaceMesh make_icosahedron() {
    constexpr double g = std::numbers::phi;
    SurfaceMesh mesh;
    mesh.nodes = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                  {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    for (Vec3& p : mesh.nodes) p = normalized(p);
    // Every three corners that are neighbours, counterclockwise seen from outside.
    const auto near = [&](std::size_t a, std::size_t b) { return dot(mesh.nodes[a], mesh.nodes[b]) > 0.3; };
    for (std::size_t a = 0; a < 12; ++a) {
        for (std::size_t b = a + 1; b < 12; ++b) {
            for (std::size_t c = b + 1; c < 12; ++c) {
                if (!near(a, b) || !near(b, c) || !near(a, c)) continue;
                const bool turned = dot(mesh.nodes[a], cross(mesh.nodes[b], mesh.nodes[c])) < 0.0;
                mesh.triangles.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(turned ? c : b),
                                          static_cast<std::int32_t>(turned ? b : c)});
            }
        }
    }
    return mesh;
}

// Middles of the edges, pushed out to the unit sphere; four triangles for each.
SurfaceMesh refine(const SurfaceMesh& coarse) {
    using Edge = std::array<std::int32_t, 2>;
    const auto edge = [](std::int32_t a, std::int32_t b) { return Edge{std::min(a, b), std::max(a, b)}; };
    std::vector<Edge> edges;
    for (const auto& t : coarse.triangles) {
        for (std::size_t k = 0; k < 3; ++k) edges.push_back(edge(t[k], t[(k + 1) % 3]));
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    SurfaceMesh fine;
    fine.nodes = coarse.nodes;
    for (const Edge& e : edges) {
        fine.nodes.push_back(
            normalized(coarse.nodes[static_cast<std::size_t>(e[0])] + coarse.nodes[static_cast<std::size_t>(e[1])]));
    }
    const auto middle = [&](std::int32_t a, std::int32_t b) {
        const auto found = std::lower_bound(edges.begin(), edges.end(), edge(a, b));
        return static_cast<std::int32_t>(coarse.nodes.size()) + static_cast<std::int32_t>(found - edges.begin());
    };
    for (const auto& t : coarse.triangles) {
        const std::int32_t ab = middle(t[0], t[1]);
        const std::int32_t bc = middle(t[1], t[2]);
        const std::int32_t ca = middle(t[2], t[0]);
        fine.triangles.insert(fine.triangles.end(), {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}});
    }
    return fine;
}

}  // namespace

SurfaceMesh make_icosphere(int level, double radius) {
    constexpr int finest = 9;  // five million triangles
    if (level < 0 || level > finest) {
        throw Error("an icosphere of level " + std::to_string(level) + "; expected 0 to " + std::to_string(finest));
    }
    SurfaceMesh mesh = make_icosahedron();
    for (int i = 0; i < level; ++i) mesh = refine(mesh);
    for (Vec3& p : mesh.nodes) p *= radius;
    return mesh;
}

}  // namespace plica
