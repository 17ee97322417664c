#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/shapes.hpp"
#include "render/drawing.hpp"
#include "scene/model.hpp"

namespace plica::testing {

// A unit sphere: an icosahedron of which each triangle is cut into four, `level` times.
inline SurfaceMesh make_icosphere(int level) {
    const double g = 0.5 * (1.0 + std::sqrt(5.0));
    SurfaceMesh mesh{{{-1, g, 0},
                      {1, g, 0},
                      {-1, -g, 0},
                      {1, -g, 0},
                      {0, -1, g},
                      {0, 1, g},
                      {0, -1, -g},
                      {0, 1, -g},
                      {g, 0, -1},
                      {g, 0, 1},
                      {-g, 0, -1},
                      {-g, 0, 1}},
                     {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
    for (Vec3& p : mesh.nodes) p = normalized(p);
    for (int i = 0; i < level; ++i) {
        std::map<std::array<std::int32_t, 2>, std::int32_t> middles;
        const auto middle = [&](std::int32_t a, std::int32_t b) {
            const auto [found, fresh] =
                middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<std::int32_t>(mesh.nodes.size()));
            const Vec3 sum = mesh.nodes[static_cast<std::size_t>(a)] + mesh.nodes[static_cast<std::size_t>(b)];
            if (fresh) mesh.nodes.push_back(normalized(sum));
            return found->second;
        };
        std::vector<std::array<std::int32_t, 3>> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const std::int32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.triangles = finer;
    }
    return mesh;
}

// The distance from its centre at which a liver ends in a unit direction, m: an ellipsoid that tapers to the left lobe,
// with hollows below and between the lobes.
inline double liver_radius(const Vec3& d) {
    const auto square = [](double v) { return v * v; };
    const double body = 1.0 / std::sqrt(square(d.x / 0.100) + square(d.y / 0.060) + square(d.z / 0.070));
    const double taper = 1.0 - 0.45 / (1.0 + std::exp(-6.0 * (d.x - 0.25)));
    const double below =
        1.0 - 0.28 * std::exp(-(square(d.x - 0.15) / 0.18 + square(d.y + 0.2) / 0.35 + square(d.z + 0.9) / 0.25));
    const double between = 1.0 - 0.16 * std::exp(-(square(d.x - 0.35) / 0.06 + square(d.y + 0.5) / 0.25));
    return body * taper * below * between;
}

inline SurfaceMesh make_liver_surface(int level) {
    SurfaceMesh mesh = make_icosphere(level);
    for (Vec3& p : mesh.nodes) p = liver_radius(p) * p;
    return mesh;
}

// The surface of a box, each edge cut.
inline SurfaceMesh make_block_surface(const Vec3& low, const Vec3& high, const std::array<int, 3>& cells) {
    const VolumeMesh block = make_tetrahedral_block(low, high, cells);
    return {block.nodes, find_boundary(block)};
}

// Adds a body with this boundary. Of a solid one, tissue "tled", contact sees triangles that belong to no chain.
inline void add_body(Model& model, const std::string& name, const std::string& tissue, const SurfaceMesh& mesh,
                     const Vec3& offset = {}) {
    const auto first = static_cast<std::int32_t>(model.rest.size());
    const auto body = static_cast<std::int32_t>(model.bodies.size());
    for (const Vec3& p : mesh.nodes) {
        model.rest.push_back(p + offset);
        model.inverse_mass.push_back(1.0);
        model.contact_radius.push_back(0.0);
        model.column.push_back(-1);
    }
    for (const auto& [a, b, c] : mesh.triangles) {
        model.surface.triangles.push_back({first + a, first + b, first + c, 1e-4, body, -1, 0, 0});
    }
    model.bodies.push_back({name, tissue, first, static_cast<std::int32_t>(mesh.nodes.size()), {}});
}

}  // namespace plica::testing
