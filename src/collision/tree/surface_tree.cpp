#include "collision/tree/surface_tree.hpp"

#include <algorithm>

#include "collision/tree/margins.hpp"
#include "collision/tree/refit.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// Its one patch is where it was at rest, in its own frame, for ever.
void place_rigid(Hierarchy& tree, FanCones& cones, HierarchyBody& body, std::span<const Vec3> rest) {
    for (std::int32_t u = body.first_patch; u < body.last_patch; ++u) {
        for (std::int32_t i = tree.patches.first[at(u)]; i < tree.patches.first[at(u) + 1]; ++i) {
            tree.patches.set_corner(i, rest[at(tree.patches.node[at(i)])]);
            include(body.rest, rest[at(tree.patches.node[at(i)])]);
        }
        tree.patches.turn[at(u)] = turn_margin;
        cones.take_normals(tree, at(u), true);
        cones.tell(tree, at(u));
        refit_boxes(tree, body.first_volume, body.last_volume, 0.0);
    }
    cones.refit(tree);
    std::fill(tree.marks.touched.begin(), tree.marks.touched.end(), std::uint8_t{0});
}

Vec3 mean_of(std::span<const std::int32_t> nodes, std::span<const Vec3> x) {
    Vec3 sum;
    for (const std::int32_t n : nodes) sum += x[at(n)];
    return nodes.empty() ? sum : sum / static_cast<double>(nodes.size());
}

void move_frames(std::span<const Vec3> x, std::span<const Vec3> p, std::span<const Pose> start,
                 std::span<const Pose> end, std::span<HierarchyBody> bodies) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        HierarchyBody& body = bodies[b];
        if (body.rigid) {
            body.start = start[b];
            body.end = end[b];
        } else {
            body.start.shift = mean_of(body.sample, x);
            body.end.shift = mean_of(body.sample, p);
        }
    }
}

}  // namespace

SurfaceTree::SurfaceTree(const Surface& surface, std::span<const TreeBody> bodies, std::span<const Vec3> rest,
                         const TreeSettings& settings)
    : m_tree(build_hierarchy(surface, bodies, rest, settings)), m_cones(m_tree), m_lazy(m_tree), m_search(m_tree) {
    for (HierarchyBody& body : m_tree.bodies) {
        if (body.rigid) place_rigid(m_tree, m_cones, body, rest);
    }
    m_tree.counts.updates = 0;
}

bool SurfaceTree::update(std::span<const Vec3> x, std::span<const Vec3> p, std::span<const Pose> start,
                         std::span<const Pose> end) {
    move_frames(x, p, start, end, m_tree.bodies);
    const bool ours = m_tree.settings.update == TreeUpdate::margins;
    const bool all = !m_tree.warm || !ours;
    if (ours) {
        update_by_margins(m_tree, m_cones, x, p);
    } else {
        m_lazy.update(m_tree, m_cones, x, p);
    }
    bool any = all || !m_tree.marks.ancestors.empty();
    for (const std::uint8_t touched : m_tree.marks.touched) any = any || touched != 0;
    any = m_search.expire(m_tree, all) || any;
    m_tree.warm = true;
    if (!any) return false;
    ++m_tree.counts.searches;
    return m_search.renew({m_tree, m_cones, m_lazy}, all);
}

int SurfaceTree::depth() const {
    const auto deepest = std::max_element(m_tree.shape.level.begin(), m_tree.shape.level.end());
    return deepest == m_tree.shape.level.end() ? 0 : *deepest + 1;
}

Bounds SurfaceTree::box(std::int32_t volume) const {
    for (const HierarchyBody& body : m_tree.bodies) {
        if (volume >= body.first_volume && volume < body.last_volume) return moved(body.end, m_tree.boxes[at(volume)]);
    }
    return {};
}

Cone SurfaceTree::cone(std::int32_t volume) const {
    Cone cone = m_tree.cones[at(volume)];
    for (const HierarchyBody& body : m_tree.bodies) {
        if (volume >= body.first_volume && volume < body.last_volume) cone.axis = turn(body.end, cone.axis);
    }
    return cone;
}

double SurfaceTree::candidates_per_corner() const {
    return static_cast<double>(pairs().size()) / std::max(1.0, static_cast<double>(m_tree.surface.features.corners));
}

}  // namespace plica
