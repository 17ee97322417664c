#include <algorithm>

#include "collision/tree/margins.hpp"
#include "collision/tree/refit.hpp"
#include "collision/tree/update.hpp"
#include "core/elementary.hpp"
#include "core/index.hpp"

namespace plica {

LazyUpdate::LazyUpdate(const Hierarchy& tree) {
    if (tree.settings.update == TreeUpdate::margins) return;
    m_since.resize(tree.patches.node.size());
    m_half.assign(tree.patches.size(), std::numbers::pi);
    m_fan_half = m_half;
    m_diameter.assign(tree.patches.size(), 0.0);
    m_behind.assign(tree.patches.size(), 0);
}

void LazyUpdate::update(Hierarchy& tree, FanCones& cones, std::span<const Vec3> x, std::span<const Vec3> p) {
    clear_marks(tree);
    for (const HierarchyBody& body : tree.bodies) {
        for (std::size_t u = at(body.first_patch); !body.rigid && u < at(body.last_patch); ++u) {
            set_references(tree, u, x, p);
            tree.patches.turn[u] = turn_margin;
            cones.take_normals(tree, u, true);
        }
    }
    cones.drop_told();
    for (const HierarchyBody& body : tree.bodies) {
        for (std::size_t u = at(body.first_patch); !body.rigid && u < at(body.last_patch); ++u) {
            const double turned = refit_root(tree, u);
            const bool whole =
                tree.settings.update == TreeUpdate::naive || !tree.warm || !(2.0 * (m_half[u] + turned) < cone_limit);
            if (tree.settings.update == TreeUpdate::larsson && tree.warm) {
                m_behind[u] = 1;
            } else if (whole) {
                refit_below(tree, cones, u);
            }
            touch(tree, u);
        }
    }
    refit_ancestors(tree);
}

// The box of the patch as a whole. Returns by how much its cone has opened according to eq. 5, half of it (rad).
double LazyUpdate::refit_root(Hierarchy& tree, std::size_t u) {
    const std::int32_t root = tree.patches.volume[u];
    Bounds box;
    double radius = 0.0;
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        radius = std::max(radius, tree.leaves[at(l)].radius);
    }
    Vec3 mean;
    const std::int32_t first = tree.patches.first[u], last = tree.patches.first[u + 1];
    for (std::int32_t i = first; i < last; ++i) {
        include(box, tree.patches.corner(i));
        mean += (tree.patches.corner(i) - m_since[at(i)]) / static_cast<double>(last - first);
    }
    double most = 0.0;
    for (std::int32_t i = first; i < last; ++i) {
        most = std::max(most, norm(tree.patches.corner(i) - m_since[at(i)] - mean));
    }
    tree.boxes[at(root)] = grown(box, radius + tree.patches.margin[u] + 0.5 * tree.settings.layer + rounding);
    const double turned = m_diameter[u] > 0.0 ? elementary::atan(most / m_diameter[u]) : 0.0;
    tree.cones[at(root)].half = std::min(std::numbers::pi, m_fan_half[u] + turned);
    ++tree.counts.updates;
    return turned;
}

// The whole subtree, from the places of its corners now.
void LazyUpdate::refit_below(Hierarchy& tree, const FanCones& cones, std::size_t u) {
    const std::int32_t root = tree.patches.volume[u], end = tree.patches.end[u];
    ++tree.counts.refits;
    tree.counts.updates += end - root - 1;
    refit_boxes(tree, root, end, tree.patches.margin[u]);
    m_diameter[u] = Bounds::nothing;
    Cone facets{cones.normal(tree.shape.first[at(root)]), 0.0};  // of the patch alone, as the paper has it
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        const Leaf& leaf = tree.leaves[at(l)];
        double extra = 0.0;
        tree.cones[at(leaf.volume)] = cones.compute(tree, leaf, extra);
        facets = merge(facets, Cone{cones.normal(l), 0.0});
        const Vec3 a = tree.patches.corner(leaf.place[0]), b = tree.patches.corner(leaf.place[1]),
                   c = tree.patches.corner(leaf.place[2]);
        m_diameter[u] = std::min(m_diameter[u], std::max({norm(b - a), norm(c - b), norm(a - c)}));
    }
    merge_cones(tree, root, end);
    m_half[u] = facets.half;
    m_fan_half[u] = tree.cones[at(root)].half;
    for (std::int32_t i = tree.patches.first[u]; i < tree.patches.first[u + 1]; ++i)
        m_since[at(i)] = tree.patches.corner(i);
    m_behind[u] = 0;
}

}  // namespace plica
