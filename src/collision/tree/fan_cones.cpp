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
      m_coned(tree.patches.size(), 0),
      m_taken(tree.leaves.size(), 0),
      m_climbed(tree.patches.size(), 0) {
    m_restless.reserve(tree.leaves.size());
    m_coned_list.reserve(tree.patches.size());
}

void FanCones::take_normals(const Hierarchy& tree, std::size_t u, bool all) {
    const double close = elementary::cos(normal_tolerance);
    const std::int32_t root = tree.patches.volume[u];
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        const Leaf& leaf = tree.leaves[at(l)];
        const Vec3 a = tree.patches.corner(leaf.place[0]);
        const Vec3 normal =
            normalized(cross(tree.patches.corner(leaf.place[1]) - a, tree.patches.corner(leaf.place[2]) - a));
        m_taken[at(l)] = all || dot(normal, m_normals[at(l)]) < close ? 1 : 0;
        if (m_taken[at(l)] != 0) m_normals[at(l)] = normal;
    }
}

void FanCones::tell(const Hierarchy& tree, std::size_t u) {
    const std::int32_t root = tree.patches.volume[u];
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        if (m_taken[at(l)] == 0) continue;
        m_taken[at(l)] = 0;
        for (const std::int32_t node : tree.leaves[at(l)].node) {
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

// The cone of a leaf whose fan was told of new normals; true when it changed. Where the old one will do it stays, but
// for every so many times: fans may have become narrower.
bool FanCones::refit_leaf(Hierarchy& tree, std::int32_t l) {
    constexpr int patience = 16;
    const Leaf& leaf = tree.leaves[at(l)];
    Fit& fit = m_fits[at(l)];
    if (tree.warm && ++fit.age < patience && is_bounded(tree, leaf, fit)) return false;
    fit = {};
    Cone cone = compute(tree, leaf, fit.extra);
    if (cone.half < std::numbers::pi) {
        fit.cosine = elementary::cos(cone.half - fit.extra + cone_margin);
        cone.half += cone_margin;
        if (tree.is_wide(cone)) cone = all_directions;
    }
    if (!(cone.half < std::numbers::pi)) fit.cosine = -2.0;  // it holds whatever comes
    tree.cones[at(leaf.volume)] = cone;
    return true;
}

// Leaf by leaf, then patch by patch what lies above those that changed.
void FanCones::refit(Hierarchy& tree) {
    constexpr std::size_t leaves_a_piece = 32, patches_a_piece = 2;
    for_pieces(tree, m_restless.size(), leaves_a_piece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) m_taken[at(m_restless[i])] = refit_leaf(tree, m_restless[i]) ? 1 : 0;
    });
    m_coned_list.clear();
    for (const std::int32_t l : m_restless) {
        const std::int32_t u = tree.leaves[at(l)].patch;
        m_is_restless[at(l)] = 0;
        tree.counts.updates += tree.marks.touched[at(u)] != 0 ? 0 : 1;
        if (m_taken[at(l)] == 0 || m_coned[at(u)] != 0) continue;
        m_coned[at(u)] = 1;
        m_coned_list.push_back(u);
    }
    for_pieces(tree, m_coned_list.size(), patches_a_piece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto u = at(m_coned_list[i]);
            const std::int32_t root = tree.patches.volume[u];
            m_climbed[u] = 0;
            for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
                if (m_taken[at(l)] != 0) m_climbed[u] += climb(tree, tree.leaves[at(l)]);
                m_taken[at(l)] = 0;
            }
        }
    });
    for (const std::int32_t u : m_coned_list) {
        tree.counts.updates += tree.marks.touched[at(u)] != 0 ? 0 : 2 * m_climbed[at(u)];
        touch(tree, at(u));
        m_coned[at(u)] = 0;
    }
    m_restless.clear();
}

// Merges cones from a leaf up to the root of its patch; how many.
int FanCones::climb(Hierarchy& tree, const Leaf& leaf) {
    int merged = 0;
    for (std::int32_t v = leaf.volume; v != tree.patches.volume[at(leaf.patch)];) {
        v = tree.shape.parent[at(v)];
        const Cone cone = merge(tree.cones[at(v) + 1], tree.cones[at(tree.shape.right[at(v)])]);
        ++merged;
        if (cone.half == tree.cones[at(v)].half && cone.axis == tree.cones[at(v)].axis) break;
        tree.cones[at(v)] = cone;
    }
    return merged;
}

void FanCones::drop_told() {
    for (const std::int32_t l : m_restless) m_is_restless[at(l)] = 0;
    m_restless.clear();
}

}  // namespace plica
