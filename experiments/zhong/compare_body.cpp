#include "experiments/zhong/compare_body.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "experiments/zhong/heat_body.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/stuffing.hpp"

namespace plica::experiments {
namespace {

constexpr double patch = 0.2;     // m
constexpr double bottom = -0.8;   // m: what lies lower is held
constexpr int fine_nodes = 6400;  // of the surface that is filled, whatever the cells

void spread(ComparePart& part) {
    std::vector<double> area(part.nodes.size(), 0.0);
    for (const auto& [i, j, k] : part.triangles) {
        const Vec3& p = part.nodes[at(i)];
        const double third = norm(cross(part.nodes[at(j)] - p, part.nodes[at(k)] - p)) / 6.0;
        for (const std::int32_t n : {i, j, k}) area[at(n)] += third;
    }
    double sum = 0.0;
    for (std::size_t n = 0; n < part.nodes.size(); ++n) {
        const double d = distance(part.nodes[n], paper_top) / patch;
        const double weight = area[n] * std::exp(-0.5 * d * d);
        part.share.push_back(d < 5.0 ? weight : 0.0);
        sum += part.share.back();
        part.held.push_back(part.nodes[n].z < bottom ? 1 : 0);
    }
    for (double& share : part.share) share /= sum;
}

// m: of the cubes whose boundary has about so many nodes.
double cell_for(int surface_nodes) {
    return 6.0 / std::sqrt(static_cast<double>(surface_nodes));
}

}  // namespace

CompareBody make_compare_body(int surface_nodes) {
    CompareBody body;
    const SurfaceMesh net = paper_superquadric(surface_nodes);
    body.surface = {net.nodes, net.triangles, {}, {}};
    const VolumeMesh filled = fill_surface(paper_superquadric(fine_nodes), cell_for(surface_nodes));
    body.solid = {filled.nodes, find_boundary(filled), {}, {}};
    body.cells = filled.tetrahedra;
    std::vector<std::uint8_t> skin(filled.nodes.size(), 0);
    for (const auto& t : body.solid.triangles) {
        for (const std::int32_t n : t) skin[at(n)] = 1;
    }
    body.skin_nodes = static_cast<std::size_t>(std::count(skin.begin(), skin.end(), 1));
    spread(body.surface);
    spread(body.solid);
    return body;
}

double find_depth(const ComparePart& part, const std::vector<Vec3>& x) {
    double sum = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) sum += part.share[n] * (part.nodes[n].z - x[n].z);
    return sum;
}

double find_volume(const ComparePart& part, const std::vector<Vec3>& x) {
    double sum = 0.0;
    for (const auto& [i, j, k] : part.triangles) sum += dot(x[at(i)], cross(x[at(j)], x[at(k)])) / 6.0;
    return sum;
}

}  // namespace plica::experiments
