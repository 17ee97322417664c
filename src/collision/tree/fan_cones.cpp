#include "collision/tree/fan_cones.hpp"

#include <algorithm>

#include "collision/tree/margins.hpp"
#include "collision/tree/refit.hpp"
#include "core/elementary.hpp"
#include "core/index.hpp"

namespace plica {

FanCones::FanCones(const Hierarchy& tree)
    : m_fits(tree.leaves.size()),
      m_normals(tree.leaves.size()),
      m_is_restless(tree.leaves.size(), 0),
      m_coned(tree.patches.size(), 0) {
    m_restless.reserve(tree.leaves.size());
}

void FanCones::publish(const Hierarchy& tree, std::size_t u, bool all) {
    const double close = elementary::cos(normal_tolerance);
    const std::int32_t root = tree.patches.volume[u];
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        const Leaf& leaf = tree.leaves[at(l)];
        const Vec3 a = tree.patches.corner(leaf.place[0]);
        const Vec3 normal =
            normalized(cross(tree.patches.corner(leaf.place[1]) - a, tree.patches.corner(leaf.place[2]) - a));
        if (!all && dot(normal, m_normals[at(l)]) >= close) continue;
        m_normals[at(l)] = normal;
        for (const std::int32_t node : leaf.node) {
            for (const std::int32_t other : tree.fans.around(node)) {
                if (m_is_restless[at(other)] != 0) continue;
                m_is_restless[at(other)] = 1;
                m_restless.push_back(other);
            }
        }
    }
}

// Of the normals around a triangle, the smaller of two bounds: around their mean and around the middle of the two that
// are far apart. A triangle without area may look anywhere; where the normals around one are in no half-space, as at
// the tip of a spike, no direction is excluded from what it can touch.
Cone FanCones::compute(const Hierarchy& tree, const Leaf& leaf, double& extra) const {
    double shortest = 1.0;
    Vec3 sum;
    const auto for_each = [&](const auto& visit) {
        for (const std::int32_t node : leaf.node) {
            for (const std::int32_t l : tree.fans.around(node)) visit(l);
        }
    };
    for_each([&](std::int32_t l) {
        const Vec3& n = m_normals[at(l)];
        sum += n;
        shortest = min(squared_norm(n), shortest);
        extra = std::max(extra, tree.patches.turn[at(tree.leaves[at(l)].patch)] - turn_margin);
    });
    if (!(shortest > 0.5)) return all_directions;
    const auto farthest = [&](const Vec3& axis) {
        std::int32_t most = -1;
        double least = 2.0;
        for_each([&](std::int32_t l) {
            const double cosine = dot(axis, m_normals[at(l)]);
            if (cosine < least) {
                least = cosine;
                most = l;
            }
        });
        return m_normals[at(most)];
    };
    const Vec3 mean = normalized(sum);
    if (mean == Vec3{}) return all_directions;
    const Vec3 one = farthest(mean);
    const Vec3 middle = normalized(one + farthest(one));
    const double around_mean = angle_between(mean, one);
    const double around_middle = middle == Vec3{} ? std::numbers::pi : angle_between(middle, farthest(middle));
    Cone cone = around_middle < around_mean ? Cone{middle, around_middle} : Cone{mean, around_mean};
    cone.half += extra;
    return tree.is_wide(cone) ? all_directions : cone;
}

// Whether the leaf's cone still holds all normals around it.
bool FanCones::is_bounded(const Hierarchy& tree, const Leaf& leaf, const Fit& fit) const {
    const Vec3& axis = tree.cones[at(leaf.volume)].axis;
    double least = 1.0, extra = 0.0;
    for (const std::int32_t node : leaf.node) {
        for (const std::int32_t l : tree.fans.around(node)) {
            least = min(dot(axis, m_normals[at(l)]), least);
            extra = std::max(extra, tree.patches.turn[at(tree.leaves[at(l)].patch)] - turn_margin);
        }
    }
    return extra <= fit.extra && least >= fit.cosine;
}

// The cones of leaves whose fans were told of new normals, and those above them in their patches. Where the old one
// will do it stays, but for every so many times: fans may have become narrower.
void FanCones::refit(Hierarchy& tree) {
    constexpr int patience = 16;
    for (const std::int32_t l : m_restless) {
        const Leaf& leaf = tree.leaves[at(l)];
        m_is_restless[at(l)] = 0;
        tree.counts.updates += tree.marks.touched[at(leaf.patch)] != 0 ? 0 : 1;
        Fit& fit = m_fits[at(l)];
        if (tree.warm && ++fit.age < patience && is_bounded(tree, leaf, fit)) continue;
        fit = {};
        Cone cone = compute(tree, leaf, fit.extra);
        if (cone.half < std::numbers::pi) {
            fit.cosine = elementary::cos(cone.half - fit.extra + cone_margin);
            cone.half += cone_margin;
            if (tree.is_wide(cone)) cone = all_directions;
        }
        if (!(cone.half < std::numbers::pi)) fit.cosine = -2.0;  // it holds whatever comes
        tree.cones[at(leaf.volume)] = cone;
        climb(tree, leaf);
    }
    for (const std::int32_t l : m_restless) {
        const auto u = at(tree.leaves[at(l)].patch);
        if (m_coned[u] != 0) touch(tree, u);
        m_coned[u] = 0;
    }
    m_restless.clear();
}

// Merges cones from a leaf up to the root of its patch.
void FanCones::climb(Hierarchy& tree, const Leaf& leaf) {
    m_coned[at(leaf.patch)] = 1;
    for (std::int32_t v = leaf.volume; v != tree.patches.volume[at(leaf.patch)];) {
        v = tree.shape.parent[at(v)];
        const Cone cone = merge(tree.cones[at(v) + 1], tree.cones[at(tree.shape.right[at(v)])]);
        tree.counts.updates += tree.marks.touched[at(leaf.patch)] != 0 ? 0 : 2;
        if (cone.half == tree.cones[at(v)].half && cone.axis == tree.cones[at(v)].axis) return;
        tree.cones[at(v)] = cone;
    }
}

void FanCones::drop_told() {
    for (const std::int32_t l : m_restless) m_is_restless[at(l)] = 0;
    m_restless.clear();
}

}  // namespace plica
