#include <algorithm>

#include "collision/tree/margins.hpp"
#include "collision/tree/surface_tree.hpp"
#include "core/index.hpp"

// The paper's way to keep a tree up to date, and what it was compared with. All boxes bound what is between the start
// and the end of one step, and everything is searched at every step.
namespace plica {
void SurfaceTree::update_as_paper(std::span<const Vec3> x, std::span<const Vec3> p) {
    std::fill(m_touched.begin(), m_touched.end(), std::uint8_t{0});
    for (const std::int32_t v : m_ancestors) m_marked[at(v)] = 0;
    m_ancestors.clear();
    for (const Body& body : m_bodies) {
        for (std::size_t u = at(body.first_patch); !body.rigid && u < at(body.last_patch); ++u) {
            set_references(u, x, p);
            m_patches.turn[u] = turn_margin;
            publish_normals(u, true);
        }
    }
    for (const std::int32_t l : m_restless) m_is_restless[at(l)] = 0;
    m_restless.clear();
    for (const Body& body : m_bodies) {
        for (std::size_t u = at(body.first_patch); !body.rigid && u < at(body.last_patch); ++u) {
            const double turned = refit_root(u);
            const bool whole =
                m_settings.update == TreeUpdate::naive || !m_warm || !(2.0 * (m_half[u] + turned) < cone_limit);
            if (m_settings.update == TreeUpdate::larsson && m_warm) {
                m_behind[u] = 1;
            } else if (whole) {
                refit_below(u);
            }
            touch(u);
        }
    }
    refit_ancestors();
}

// The box of the patch as a whole. Returns by how much its cone has opened according to eq. 5, half of it (rad).
double SurfaceTree::refit_root(std::size_t u) {
    const std::int32_t root = m_patches.volume[u];
    Bounds box;
    double radius = 0.0;
    for (std::int32_t l = m_shape.first[at(root)]; l < m_shape.last[at(root)]; ++l) {
        radius = std::max(radius, m_leaves[at(l)].radius);
    }
    Vec3 mean;
    const std::int32_t first = m_patches.first[u], last = m_patches.first[u + 1];
    for (std::int32_t i = first; i < last; ++i) {
        include(box, m_patches.corner(i));
        mean += (m_patches.corner(i) - m_since[at(i)]) / static_cast<double>(last - first);
    }
    double most = 0.0;
    for (std::int32_t i = first; i < last; ++i) {
        most = std::max(most, norm(m_patches.corner(i) - m_since[at(i)] - mean));
    }
    m_boxes[at(root)] = grown(box, radius + m_patches.margin[u] + 0.5 * m_settings.layer + rounding);
    const double turned = m_diameter[u] > 0.0 ? std::atan(most / m_diameter[u]) : 0.0;
    m_cones[at(root)].half = std::min(std::numbers::pi, m_fan_half[u] + turned);
    ++m_counts.updates;
    return turned;
}

// The whole subtree, from the places of its corners now.
void SurfaceTree::refit_below(std::size_t u) {
    const std::int32_t root = m_patches.volume[u], end = m_patches.end[u];
    ++m_counts.refits;
    m_counts.updates += end - root - 1;
    refit_boxes(root, end, m_patches.margin[u]);
    m_diameter[u] = Bounds::nothing;
    Cone facets{m_normals[at(m_shape.first[at(root)])], 0.0};  // of the patch alone, as the paper has it
    for (std::int32_t l = m_shape.first[at(root)]; l < m_shape.last[at(root)]; ++l) {
        const Leaf& leaf = m_leaves[at(l)];
        double extra = 0.0;
        m_cones[at(leaf.volume)] = fan_cone(leaf, extra);
        facets = merge(facets, Cone{m_normals[at(l)], 0.0});
        const Vec3 a = m_patches.corner(leaf.place[0]), b = m_patches.corner(leaf.place[1]),
                   c = m_patches.corner(leaf.place[2]);
        m_diameter[u] = std::min(m_diameter[u], std::max({norm(b - a), norm(c - b), norm(a - c)}));
    }
    merge_cones(root, end);
    m_half[u] = facets.half;
    m_fan_half[u] = m_cones[at(root)].half;
    for (std::int32_t i = m_patches.first[u]; i < m_patches.first[u + 1]; ++i) m_since[at(i)] = m_patches.corner(i);
    m_behind[u] = 0;
}

}  // namespace plica
