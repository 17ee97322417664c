#include "collision/tree/refit.hpp"

#include <algorithm>

#include "collision/tree/margins.hpp"
#include "core/index.hpp"

namespace plica {

void set_references(Hierarchy& tree, std::size_t u, std::span<const Vec3> x, std::span<const Vec3> p) {
    const HierarchyBody& body = tree.bodies[at(tree.patches.body[u])];
    double step = 0.0;
    for (std::int32_t i = tree.patches.first[u]; i < tree.patches.first[u + 1]; ++i) {
        const std::size_t n = at(tree.patches.node[at(i)]);
        const Vec3 reference = p[n] - body.end.shift;
        tree.patches.set_corner(i, reference);
        step = std::max(step, squared_norm(x[n] - body.start.shift - reference));
    }
    const bool lasts = tree.settings.update == TreeUpdate::margins;  // others are for one step
    tree.patches.margin[u] = lasts ? std::max(body.margin, 1.5 * std::sqrt(step)) : std::sqrt(step);
    if (!(tree.patches.margin[u] < absurd)) tree.patches.margin[u] = body.margin;
    tree.patches.altitude[u] = Bounds::nothing;
    const std::int32_t root = tree.patches.volume[u];
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        Leaf& leaf = tree.leaves[at(l)];
        const Vec3 a = tree.patches.corner(leaf.place[0]), b = tree.patches.corner(leaf.place[1]),
                   c = tree.patches.corner(leaf.place[2]);
        const double longest = std::max({squared_norm(b - a), squared_norm(c - b), squared_norm(a - c)});
        leaf.altitude = longest > 0.0 ? norm(cross(b - a, c - a)) / std::sqrt(longest) : 0.0;
        tree.patches.altitude[u] = std::min(tree.patches.altitude[u], leaf.altitude);
    }
}

void refit_boxes(Hierarchy& tree, std::int32_t root, std::int32_t end, double margin) {
    for (std::int32_t v = end; v-- > root;) {
        if (tree.shape.right[at(v)] != 0) {
            tree.boxes[at(v)] = merge(tree.boxes[at(v) + 1], tree.boxes[at(tree.shape.right[at(v)])]);
            continue;
        }
        const Leaf& leaf = tree.leaves[at(tree.shape.first[at(v)])];
        Bounds box;
        for (const std::int32_t place : leaf.place) include(box, tree.patches.corner(place));
        tree.boxes[at(v)] = grown(box, leaf.radius + margin + 0.5 * tree.settings.layer + rounding);
    }
}

void merge_cones(Hierarchy& tree, std::int32_t root, std::int32_t end) {
    for (std::int32_t v = end; v-- > root;) {
        if (tree.shape.right[at(v)] != 0) {
            tree.cones[at(v)] = merge(tree.cones[at(v) + 1], tree.cones[at(tree.shape.right[at(v)])]);
        }
    }
}

void clear_marks(Hierarchy& tree) {
    std::fill(tree.marks.touched.begin(), tree.marks.touched.end(), std::uint8_t{0});
    for (const std::int32_t v : tree.marks.ancestors) tree.marks.above[at(v)] = 0;
    tree.marks.ancestors.clear();
}

void touch(Hierarchy& tree, std::size_t u) {
    tree.marks.touched[u] = 1;
    for (std::int32_t v = tree.shape.parent[at(tree.patches.volume[u])]; v >= 0 && tree.marks.above[at(v)] == 0;
         v = tree.shape.parent[at(v)]) {
        tree.marks.above[at(v)] = 1;
        tree.marks.ancestors.push_back(v);
    }
}

void refit_ancestors(Hierarchy& tree) {
    std::sort(tree.marks.ancestors.begin(), tree.marks.ancestors.end(), std::greater<>());
    for (const std::int32_t v : tree.marks.ancestors) {
        const std::int32_t left = v + 1, right = tree.shape.right[at(v)];
        tree.boxes[at(v)] = merge(tree.boxes[at(left)], tree.boxes[at(right)]);
        tree.cones[at(v)] = merge(tree.cones[at(left)], tree.cones[at(right)]);
        tree.counts.updates += 1 + (tree.is_dirty(left) ? 0 : 1) + (tree.is_dirty(right) ? 0 : 1);
    }
}

}  // namespace plica
