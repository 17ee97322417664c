#include "experiments/zhong/heat_plane.hpp"

#include "core/random.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tissue/heat/conduction.hpp"
#include "tissue/heat/factor.hpp"

namespace plica::experiments {
namespace {

SurfaceMesh jittered_square(int side) {
    const int cells = side + 1;
    SurfaceMesh mesh = make_plane(1.0, 1.0, cells, cells);
    const double most = 0.15 / cells;
    Random random{1};
    for (int j = 1; j < cells; ++j) {
        for (int i = 1; i < cells; ++i) {
            Vec3& p = mesh.nodes[static_cast<std::size_t>(i + (cells + 1) * j)];
            p.x += random.uniform(-most, most);
            p.y += random.uniform(-most, most);
        }
    }
    return mesh;
}

// J/s; between the last step and the next one the contacts have moved on by a node.
double source_at(std::size_t node, bool moved) {
    return node % 97 == (moved ? 14U : 13U) ? 1.0 : 0.0;
}

}  // namespace

HeatPlane make_heat_plane(int side, double steps) {
    const SurfaceMesh mesh = jittered_square(side);
    const std::vector<heat::FaceConductivity> one(mesh.triangles.size(), {1.0, 1.0, {}});
    const heat::Conduction whole = heat::build_conduction(mesh, one);
    HeatPlane plane;
    plane.side = side;
    plane.limit = 0.25 / ((side + 1.0) * (side + 1.0));
    std::vector<std::int32_t> number(mesh.nodes.size(), -1);
    for (int j = 1; j <= side; ++j) {
        for (int i = 1; i <= side; ++i) {
            const auto node = static_cast<std::size_t>(i + (side + 2) * j);
            number[node] = static_cast<std::int32_t>(plane.area.size());
            plane.area.push_back(whole.area[node]);
        }
    }
    std::vector<heat::Link> links;
    for (const heat::SurfaceEdge& e : whole.edges) {
        const heat::Link link{number[static_cast<std::size_t>(e.a)], number[static_cast<std::size_t>(e.b)]};
        if (link.a >= 0 && link.b >= 0) links.push_back(link);
    }
    plane.stiffness = heat::make_pattern(plane.nodes(), links);
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] < 0) continue;
        for (std::int32_t p = whole.stiffness.first[i]; p < whole.stiffness.first[i + 1]; ++p) {
            const auto entry = static_cast<std::size_t>(p);
            const std::int32_t column = number[static_cast<std::size_t>(whole.stiffness.column[entry])];
            if (column >= 0) heat::add_at(plane.stiffness, number[i], column, whole.stiffness.value[entry]);
        }
    }
    change_step(plane, steps * plane.limit);
    return plane;
}

void change_step(HeatPlane& plane, double dt) {
    plane.dt = dt;
    plane.matrix = plane.stiffness;
    for (std::size_t i = 0; i < plane.nodes(); ++i)
        heat::add_at(plane.matrix, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), plane.area[i] / dt);
    plane.before.assign(plane.nodes(), 0.0);
    plane.right.resize(plane.nodes());
    heat::Factor factor(plane.matrix);
    factor.factorize(plane.matrix);
    constexpr int warm = 5;
    for (int step = 0; step <= warm; ++step) {
        for (std::size_t i = 0; i < plane.nodes(); ++i)
            plane.right[i] = plane.area[i] / dt * plane.before[i] + source_at(i, step == warm);
        if (step == warm) break;
        plane.before = plane.right;
        factor.solve(plane.before);
    }
}

}  // namespace plica::experiments
