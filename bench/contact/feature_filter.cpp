#include "bench/contact/feature_filter.hpp"

#include <algorithm>
#include <numeric>

#include "collision/narrow.hpp"
#include "core/index.hpp"

namespace plica::bench {
namespace {

constexpr double hair = 1.0 + 1e-9;  // for rounding

std::vector<Leaf> leaves_by_triangle(const Surface& surface) {
    std::vector<std::int32_t> triangles(surface.triangles.size());
    std::iota(triangles.begin(), triangles.end(), 0);
    return make_leaves(surface, triangles);
}

}  // namespace

FeatureFilter::FeatureFilter(const SurfaceCase& asked) : m_surface(asked.surface), m_gap(asked.gap) {
    for (const Capsule& c : m_surface.capsules) m_radius.push_back(c.radius);
    for (const Triangle& t : m_surface.triangles) m_radius.push_back(t.half_thickness);
}

void FeatureFilter::begin(std::span<const Vec3> x) {
    m_x = x;
    m_found.clear();
    m_tests = 0;
}

void FeatureFilter::measure(std::int32_t a, std::int32_t b) {
    const auto capsules = static_cast<std::int32_t>(m_surface.capsules.size());
    const Capsule& c = m_surface.capsules[at(a)];
    Batch& batch = b < capsules ? m_edges : m_corners;
    const int lane = batch.count++;
    batch.node[0][lane] = c.a;
    batch.node[1][lane] = c.b;
    if (b < capsules) {
        const Capsule& d = m_surface.capsules[at(b)];
        batch.node[2][lane] = d.a;
        batch.node[3][lane] = d.b;
    } else {
        const Triangle& t = m_surface.triangles[at(b - capsules)];
        batch.node[2][lane] = t.a;
        batch.node[3][lane] = t.b;
        batch.node[4][lane] = t.c;
    }
    const double near = m_radius[at(a)] + m_radius[at(b)] + m_gap;
    batch.pair[lane] = {a, b};
    batch.limit[lane] = near * near;
    if (batch.count == 8) flush(batch, b < capsules ? 4 : 5);
}

void FeatureFilter::flush(Batch& batch, int nodes) {
    double squared_distance[8];
    const auto measure = PLICA_PICK_KERNEL(m_isa, measure_pairs);
    measure(&m_x[0].x, batch.node, nodes, squared_distance);
    for (int lane = 0; lane < batch.count; ++lane) {
        if (squared_distance[lane] <= batch.limit[lane]) m_found.push_back(batch.pair[lane]);
    }
    m_tests += batch.count;
    batch.count = 0;
}

void FeatureFilter::finish() {
    flush(m_corners, 5);
    flush(m_edges, 4);
}

FacetFilter::FacetFilter(const SurfaceCase& asked)
    : m_surface(asked.surface), m_features(asked), m_leaves(leaves_by_triangle(asked.surface)) {
    for (const Leaf& leaf : m_leaves) m_reach.push_back((leaf.radius + 0.5 * asked.gap) * hair);
    m_boxes.resize(m_leaves.size());
}

void FacetFilter::begin(std::span<const Vec3> x) {
    m_x = x;
    m_features.begin(x);
    for (std::size_t t = 0; t < m_leaves.size(); ++t) {
        Bounds box;
        for (const std::int32_t n : m_leaves[t].node) include(box, x[at(n)]);
        m_boxes[t] = grown(box, m_reach[t]);
    }
}

void FacetFilter::consider(std::int32_t a, std::int32_t b) {
    const Triangle& t = m_surface.triangles[at(a)];
    if (t.body == m_surface.triangles[at(b)].body && !t.own) return;
    const Leaf& p = m_leaves[at(a)];
    const Leaf& q = m_leaves[at(b)];
    consider_corners(p, q, m_boxes[at(b)]);
    consider_corners(q, p, m_boxes[at(a)]);
    consider_edges(p, q);
}

void FacetFilter::consider_corners(const Leaf& a, const Leaf& b, const Bounds& box) {
    const double reach = m_reach[at(a.triangle)];
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t corner = a.corner_feature[k];
        if (corner < 0) continue;
        const Vec3& x = m_x[at(a.node[k])];
        if (!overlap(box, {x, x}, reach) || !can_touch(m_surface, at(corner), at(b.triangle))) continue;
        m_features.measure(corner, static_cast<std::int32_t>(m_surface.capsules.size()) + b.triangle);
    }
}

void FacetFilter::consider_edges(const Leaf& a, const Leaf& b) {
    const double reach = m_reach[at(a.triangle)] + m_reach[at(b.triangle)];
    Bounds boxes[3];
    for (std::size_t j = 0; j < 3; ++j) boxes[j] = edge_box(b, j);
    for (std::size_t i = 0; i < 3; ++i) {
        if (a.edge_feature[i] < 0) continue;
        const Bounds box = edge_box(a, i);
        for (std::size_t j = 0; j < 3; ++j) {
            if (b.edge_feature[j] < 0 || !overlap(box, boxes[j], reach)) continue;
            const auto [e, f] = std::minmax(a.edge_feature[i], b.edge_feature[j]);
            if (capsules_can_touch(m_surface, at(e), at(f))) m_features.measure(e, f);
        }
    }
}

Bounds FacetFilter::edge_box(const Leaf& leaf, std::size_t edge) const {
    Bounds box;
    include(box, m_x[at(leaf.node[edge])]);
    include(box, m_x[at(leaf.node[(edge + 1) % 3])]);
    return box;
}

}  // namespace plica::bench
