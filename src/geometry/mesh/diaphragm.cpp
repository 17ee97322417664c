#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "geometry/mesh/shapes.hpp"

namespace plica {
namespace {

constexpr int layers = 2;
constexpr double dome_degree = std::numbers::pi / 180.0;

// The square [-1, 1]^2 onto the unit disc.
Vec3 to_disc(double s, double t) {
    return {s * std::sqrt(1.0 - 0.5 * t * t), t * std::sqrt(1.0 - 0.5 * s * s), 0.0};
}

// The corners of the square become points of a circle, where a cell has an angle of almost 180 degrees: diagonals must
// end there, not pass by. So cells left of the middle, and those in front of it, get the mirror image of their six
// tetrahedra; both cells at a face are mirrored along it or neither, so faces still match.
void turn_towards_corners(int n, VolumeMesh& block) {
    const std::int32_t row = n + 1;
    for (std::size_t i = 0; i < block.tetrahedra.size(); ++i) {
        const auto cell = static_cast<std::int32_t>(i / 6);
        const std::int32_t column = cell % n;
        const std::int32_t line = cell / n % n;
        const bool turn_column = 2 * column + 1 < n;
        const bool turn_line = 2 * line + 1 < n;
        auto& t = block.tetrahedra[i];
        for (std::int32_t& node : t) {
            if (turn_column) node += 2 * column + 1 - 2 * (node % row);
            if (turn_line) node += row * (2 * line + 1 - 2 * (node / row % row));
        }
        if (turn_column != turn_line) std::swap(t[2], t[3]);
    }
}

}  // namespace

VolumeMesh make_diaphragm(int n, bool hexahedra) {
    constexpr double reach = 75.0 * dome_degree;  // from the pole to the rim
    constexpr double cap = 25.0 * dome_degree;
    constexpr double gap = 0.001;  // above the liver, m
    constexpr double thickness = 0.004;
    if (n < 2 || n > 1000) throw Error("a diaphragm of " + std::to_string(n) + " cells across; expected 2 to 1000");
    const auto make_block = hexahedra ? make_hexahedral_block : make_tetrahedral_block;
    VolumeMesh mesh = make_block({-1, -1, 0}, {1, 1, 1}, {n, n, layers});
    turn_towards_corners(n, mesh);
    mesh.node_sets = {{"rim", {}}, {"cap", {}}};
    const std::int32_t row = n + 1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(mesh.nodes.size()); ++i) {
        Vec3& p = mesh.nodes[static_cast<std::size_t>(i)];
        const Vec3 disc = to_disc(p.x, p.y);
        const double rho = norm(disc);
        const double psi = reach * rho;
        const Vec3 side = normalized(disc);
        const Vec3 d = side * elementary::sin(psi) + Vec3{0.0, 0.0, elementary::cos(psi)};
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
