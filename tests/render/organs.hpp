#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "engine/model.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/shapes.hpp"
#include "render/drawing.hpp"

namespace plica::testing {

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
    model.bodies.push_back({name, *find_tissue(tissue), first, static_cast<std::int32_t>(mesh.nodes.size()), {}});
}

}  // namespace plica::testing
