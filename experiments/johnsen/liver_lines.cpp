#include "experiments/johnsen/liver_lines.hpp"

#include "experiments/johnsen/edge_collapse.hpp"
#include "geometry/mesh/shapes.hpp"

namespace plica::experiments {

std::vector<NamedLine> liver_lines(int rays) {
    const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    return {{"below, across", {{0.02, 0.0, 0.0}, y, z, 0.10, rays}},
            {"below, along", {{0.0, -0.02, 0.0}, x, z, 0.14, rays}},
            {"front", {{0.0, 0.0, 0.0}, x, y, 0.14, rays}},
            {"front, lower", {{0.0, 0.0, -0.02}, x, y, 0.14, rays}},
            {"above", {{0.0, 0.0, 0.0}, x, -z, 0.14, rays}}};
}

CoarseLiver make_coarse_liver(bool collapsed, int level) {
    const SurfaceMesh formula = make_liver_surface(level);
    if (!collapsed) return {false, RayTarget(formula)};
    return {true, RayTarget(coarsen(make_liver_surface(reference_level), formula.triangles.size()))};
}

std::string CoarseLiver::name() const {
    return std::string(collapsed ? "collapsed " : "formula ").append(std::to_string(triangles()));
}

}  // namespace plica::experiments
