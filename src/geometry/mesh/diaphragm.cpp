#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "geometry/mesh/shapes.hpp"

namespace plica {
namespace {

constexpr int layers = 2;
constexpr double degree = std::numbers::pi / 180.0;

// The square [-1, 1]^2 onto the unit disc.
Vec3 to_disc(double s, double t) {
    return {s * std::sqrt(1.0 - 0.5 * t * t), t * std::sqrt(1.0 - 0.5 * s * s), 0.0};
}

}  // namespace

VolumeMesh make_diaphragm(int n, bool hexahedra) {
    constexpr double reach = 75.0 * degree;  // from the pole to the rim
    constexpr double cap = 25.0 * degree;
    constexpr double gap = 0.001;  // above the liver, m
    constexpr double thickness = 0.004;
    if (n < 2 || n > 1000) throw Error("a diaphragm of " + std::to_string(n) + " cells across; expected 2 to 1000");
    const auto make_block = hexahedra ? make_hexahedral_block : make_tetrahedral_block;
    VolumeMesh mesh = make_block({-1, -1, 0}, {1, 1, 1}, {n, n, layers});
    mesh.node_sets = {{"rim", {}}, {"cap", {}}};
    const std::int32_t row = n + 1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(mesh.nodes.size()); ++i) {
        Vec3& p = mesh.nodes[static_cast<std::size_t>(i)];
        const Vec3 disc = to_disc(p.x, p.y);
        const double rho = norm(disc);
        const double psi = reach * rho;
        const Vec3 side = normalized(disc);
        const Vec3 d = side * std::sin(psi) + Vec3{0.0, 0.0, std::cos(psi)};
        p = d * (liver_radius(d) + gap + thickness * p.z);
        const std::int32_t column = i % row;
        const std::int32_t line = i / row % row;
        if (column == 0 || column == n || line == 0 || line == n) mesh.node_sets[0].nodes.push_back(i);
        if (i / (row * row) == layers && psi < cap) mesh.node_sets[1].nodes.push_back(i);
    }
    return mesh;
}

VolumeMesh make_slab() {
    return make_tetrahedral_block({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.0}, {10, 10, 2});
}

}  // namespace plica
