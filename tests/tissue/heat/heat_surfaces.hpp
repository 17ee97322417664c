#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/index.hpp"
#include "core/random.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tissue/heat/march.hpp"

// Surfaces, and heat on them, that tests compare with theory.
namespace plica::testing {

// side x side nodes on [-half, half]^2; inner ones are moved by up to `jitter` of the spacing.
inline SurfaceMesh jittered_plane(int side, double half, double jitter) {
    SurfaceMesh mesh = make_plane(2.0 * half, 2.0 * half, side - 1, side - 1);
    const double h = 2.0 * half / (side - 1);
    Random random{7};
    for (Vec3& p : mesh.nodes) {
        if (std::max(std::abs(p.x), std::abs(p.y)) > half - 0.5 * h) continue;
        p.x += jitter * h * random.uniform(-1.0, 1.0);
        p.y += jitter * h * random.uniform(-1.0, 1.0);
    }
    return mesh;
}

inline std::vector<std::int32_t> rim_of(const SurfaceMesh& mesh, double half) {
    std::vector<std::int32_t> rim;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        const Vec3& p = mesh.nodes[i];
        if (std::max(std::abs(p.x), std::abs(p.y)) > half - 1e-9) rim.push_back(static_cast<std::int32_t>(i));
    }
    return rim;
}

inline std::size_t nearest_node(const SurfaceMesh& mesh, const Vec3& place) {
    const auto nearer = [&](const Vec3& a, const Vec3& b) { return distance(a, place) < distance(b, place); };
    return static_cast<std::size_t>(std::min_element(mesh.nodes.begin(), mesh.nodes.end(), nearer) -
                                    mesh.nodes.begin());
}

inline heat::Conduction conduct(const SurfaceMesh& mesh, double k) {
    return heat::build_conduction(mesh, std::vector<heat::FaceConductivity>(mesh.triangles.size(), {k, k, {}}));
}

// The same surface with other weights on its edges: what the paper's equations say, for controls.
template <class Weight>
heat::Conduction with_weights(heat::Conduction c, Weight&& weight) {
    std::fill(c.stiffness.value.begin(), c.stiffness.value.end(), 0.0);
    for (std::size_t e = 0; e < c.edges.size(); ++e)
        heat::add_link(c.stiffness, {c.edges[e].a, c.edges[e].b}, weight(c.weight[e]));
    return c;
}

// One joule at a node.
inline std::vector<double> point_heat(const heat::Conduction& c, std::size_t node, double alpha = 1.0) {
    std::vector<double> t(c.area.size(), 0.0);
    t[node] = 1.0 / (alpha * c.area[node]);
    return t;
}

inline void advance(heat::March& march, int steps, std::vector<double>& t) {
    const std::vector<double> none(t.size(), 0.0);
    for (int i = 0; i < steps; ++i) march.step(none, t);
}

// Relative, weighted with area.
inline double difference(const heat::Conduction& c, const std::vector<double>& a, const std::vector<double>& exact) {
    double error = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        error += c.area[i] * (a[i] - exact[i]) * (a[i] - exact[i]);
        size += c.area[i] * exact[i] * exact[i];
    }
    return std::sqrt(error / size);
}

inline double largest(const std::vector<double>& v) {
    return *std::max_element(v.begin(), v.end());
}
inline double smallest(const std::vector<double>& v) {
    return *std::min_element(v.begin(), v.end());
}

}  // namespace plica::testing
