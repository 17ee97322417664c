#include "geometry/mesh/sweep.hpp"

namespace plica {
namespace {

Vec3 middle_of(const std::vector<Vec3>& ring) {
    Vec3 sum{};
    for (const Vec3& p : ring) sum += p;
    return sum / static_cast<double>(ring.size());
}

}  // namespace

void add_sweep(const std::vector<std::vector<Vec3>>& rings, SurfaceMesh& surface) {
    const auto first = static_cast<std::int32_t>(surface.nodes.size());
    const auto along = static_cast<std::int32_t>(rings.size());
    const auto around = static_cast<std::int32_t>(rings.front().size());
    for (const auto& ring : rings) surface.nodes.insert(surface.nodes.end(), ring.begin(), ring.end());
    const auto start = static_cast<std::int32_t>(surface.nodes.size());
    surface.nodes.push_back(middle_of(rings.front()));
    surface.nodes.push_back(middle_of(rings.back()));
    const auto node = [&](std::int32_t i, std::int32_t j) { return first + i * around + j % around; };
    for (std::int32_t j = 0; j < around; ++j) {
        surface.triangles.push_back({start, node(0, j + 1), node(0, j)});
        for (std::int32_t i = 0; i + 1 < along; ++i) {
            surface.triangles.push_back({node(i, j), node(i, j + 1), node(i + 1, j + 1)});
            surface.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i + 1, j)});
        }
        surface.triangles.push_back({start + 1, node(along - 1, j), node(along - 1, j + 1)});
    }
}

}  // namespace plica
