#include <fmt/format.h>

#include <numbers>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/sphere_hull.hpp"

namespace plica {
namespace {

constexpr int most_nodes = 1 << 20;

std::vector<Vec3> fibonacci_directions(int count) {
    const double turn = std::numbers::pi * (3.0 - std::sqrt(5.0));  // golden angle
    std::vector<Vec3> result;
    for (int i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / count;
        const double r = std::sqrt(1.0 - z * z);
        result.push_back({r * elementary::cos(turn * i), r * elementary::sin(turn * i), z});
    }
    return result;
}

}  // namespace

SurfaceMesh make_plane(double width, double depth, int columns, int rows) {
    if (columns < 1 || rows < 1 || !(width > 0.0) || !(depth > 0.0))
        throw Error(fmt::format("a plane of {} x {} m in {} x {} cells, expected positive numbers", width, depth,
                                columns, rows));
    SurfaceMesh mesh;
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i <= columns; ++i)
            mesh.nodes.push_back(
                {width * (static_cast<double>(i) / columns - 0.5), depth * (static_cast<double>(j) / rows - 0.5), 0.0});
    }
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            const std::int32_t a = i + (columns + 1) * j;
            const std::int32_t b = a + 1;
            const std::int32_t c = a + columns + 1;
            const std::int32_t d = c + 1;
            if ((i + j) % 2 == 0) {
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({a, d, c});
            } else {
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({b, d, c});
            }
        }
    }
    return mesh;
}

SurfaceMesh make_superquadric(int nodes, double exponent, const Vec3& half_size) {
    if (nodes < 20 || nodes > most_nodes)
        throw Error(fmt::format("a superquadric of {} nodes, expected 20 to {}", nodes, most_nodes));
    if (!(exponent >= 0.05 && exponent <= 2.0))
        throw Error(fmt::format("a superquadric with the exponent {}, expected 0.05 to 2", exponent));
    if (!(half_size.x > 0.0 && half_size.y > 0.0 && half_size.z > 0.0))
        throw Error(fmt::format("a superquadric of half sizes {}, {}, {}, expected positive numbers", half_size.x,
                                half_size.y, half_size.z));
    SurfaceMesh mesh;
    mesh.nodes = fibonacci_directions(nodes);
    mesh.triangles = find_sphere_hull(mesh.nodes);
    const double power = 2.0 / exponent;
    for (Vec3& p : mesh.nodes) {
        const double sum = elementary::pow(std::abs(p.x), power) + elementary::pow(std::abs(p.y), power) +
                           elementary::pow(std::abs(p.z), power);
        const double radius = elementary::pow(sum, -1.0 / power);
        p = {half_size.x * radius * p.x, half_size.y * radius * p.y, half_size.z * radius * p.z};
    }
    return mesh;
}

}  // namespace plica
