#include <algorithm>
#include <cmath>

#include "collision/tree/margins.hpp"
#include "collision/tree/motion.hpp"
#include "collision/tree/surface_tree.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

Vec3 mean_of(std::span<const std::int32_t> nodes, std::span<const Vec3> x) {
    Vec3 sum;
    for (const std::int32_t n : nodes) sum += x[at(n)];
    return nodes.empty() ? sum : sum / static_cast<double>(nodes.size());
}

}  // namespace

bool SurfaceTree::update(std::span<const Vec3> x, std::span<const Vec3> p, std::span<const Pose> start,
                         std::span<const Pose> end) {
    move_frames(x, p, start, end);
    const bool all = !m_warm || m_settings.update != TreeUpdate::margins;
    if (m_settings.update == TreeUpdate::margins) {
        update_by_margins(x, p);
    } else {
        update_as_paper(x, p);
    }
    bool any = all || !m_ancestors.empty();
    for (const std::uint8_t touched : m_touched) any = any || touched != 0;
    for (Meeting& meeting : m_meetings) {
        meeting.expired = all || has_drifted(meeting);
        if (!meeting.expired) continue;
        arrange(meeting);
        any = true;
    }
    m_warm = true;
    if (!any) return false;
    ++m_counts.searches;
    drop_pairs(all);
    search_all(all);
    return merge_found();
}

void SurfaceTree::move_frames(std::span<const Vec3> x, std::span<const Vec3> p, std::span<const Pose> start,
                              std::span<const Pose> end) {
    for (std::size_t b = 0; b < m_bodies.size(); ++b) {
        Body& body = m_bodies[b];
        if (body.rigid) {
            body.start = start[b];
            body.end = end[b];
        } else {
            body.start.shift = mean_of(body.sample, x);
            body.end.shift = mean_of(body.sample, p);
        }
    }
}

void SurfaceTree::update_by_margins(std::span<const Vec3> x, std::span<const Vec3> p) {
    std::fill(m_touched.begin(), m_touched.end(), std::uint8_t{0});
    for (const std::int32_t v : m_ancestors) m_marked[at(v)] = 0;
    m_ancestors.clear();
    for (Body& body : m_bodies) {
        if (!body.rigid) update_body(body, x, p);
    }
    refit_cones();
    refit_ancestors();
}

// Patches are looked at when a node of the body has gone so far that one of them may have left its bounds. When one
// has, those that will soon follow are refitted with it: a search for many costs little more than for one.
void SurfaceTree::update_body(Body& body, std::span<const Vec3> x, std::span<const Vec3> p) {
    constexpr double soon = 0.5;  // of its margin is left
    if (m_warm && farthest_from_seen(body, x, p) < body.margin_left) return;
    bool any = !m_warm;
    for (std::size_t u = at(body.first_patch); u < at(body.last_patch); ++u) {
        m_patches.margin_left[u] = m_warm ? find_margin_left(u, x, p) : -1.0;
        any = any || !(m_patches.margin_left[u] >= 0.0);
    }
    body.margin_left = HUGE_VAL;
    for (std::size_t u = at(body.first_patch); u < at(body.last_patch); ++u) {
        if (any && !(m_patches.margin_left[u] >= soon * margin_when_new(u))) {
            refit(u, x, p);
            m_patches.margin_left[u] = margin_when_new(u);
        }
        body.margin_left = std::min(body.margin_left, m_patches.margin_left[u]);
    }
    see(body, p);
}

// m: by any node, from where it was seen last, at x and at p.
double SurfaceTree::farthest_from_seen(const Body& body, std::span<const Vec3> x, std::span<const Vec3> p) const {
    const CornerArrays nodes{body.seen.node.data(),
                             body.seen.x.data(),
                             body.seen.y.data(),
                             body.seen.z.data(),
                             0,
                             static_cast<int>(body.seen.node.size())};
    const auto measure = PLICA_PICK_KERNEL(m_isa, measure_motion);
    return std::sqrt(measure(&x[0].x, &p[0].x, nodes, &body.start.shift.x, &body.end.shift.x).farthest);
}

void SurfaceTree::see(Body& body, std::span<const Vec3> p) const {
    Seen& seen = body.seen;
    for (std::size_t i = 0; i < seen.node.size(); ++i) {
        const Vec3 place = p[at(seen.node[i])] - body.end.shift;
        seen.x[i] = place.x;
        seen.y[i] = place.y;
        seen.z[i] = place.z;
    }
}

// m: how far nodes may go from p before the patch must be refitted; negative when it must be, because on the way from x
// to p a corner has left its margin or a normal its own. On this straight way both bounds are convex.
double SurfaceTree::find_margin_left(std::size_t u, std::span<const Vec3> x, std::span<const Vec3> p) {
    const Body& body = m_bodies[at(m_patches.body[u])];
    const CornerArrays corners{m_patches.node.data(), m_patches.x.data(), m_patches.y.data(),
                               m_patches.z.data(),    m_patches.first[u], m_patches.first[u + 1]};
    const auto measure = PLICA_PICK_KERNEL(m_isa, measure_motion);
    const CornerMotion moved = measure(&x[0].x, &p[0].x, corners, &body.start.shift.x, &body.end.shift.x);
    const double left = m_patches.margin[u] - std::sqrt(moved.farthest);
    if (!(left >= 0.0) || !is_turn_limited(u)) return left;
    double turn = 0.5 * (m_patches.sine[u] * m_patches.altitude[u] - std::sqrt(moved.spread));
    if (turn < left) turn = std::min(margin_to_turn(u, x, body.start.shift), margin_to_turn(u, p, body.end.shift));
    if (!(turn >= 0.0)) m_patches.granted[u] = std::min(1.5 * m_patches.granted[u], most_turn_margin);
    return std::min(left, turn);
}

// Of a patch that was just refitted.
double SurfaceTree::margin_when_new(std::size_t u) const {
    return is_turn_limited(u) ? std::min(m_patches.margin[u], 0.5 * m_patches.sine[u] * m_patches.altitude[u])
                              : m_patches.margin[u];
}

bool SurfaceTree::is_turn_limited(std::size_t u) const {
    return m_bodies[at(m_patches.body[u])].closed && m_settings.cones && m_patches.sine[u] <= 1.0;
}

// m: how far corners may yet go before a normal may have left its margin: two of them may each go that far.
double SurfaceTree::margin_to_turn(std::size_t u, std::span<const Vec3> positions, const Vec3& frame) const {
    const std::int32_t root = m_patches.volume[u];
    double least = HUGE_VAL;
    for (std::int32_t l = m_shape.first[at(root)]; l < m_shape.last[at(root)]; ++l) {
        const Leaf& leaf = m_leaves[at(l)];
        least = std::min(least, m_patches.sine[u] * leaf.altitude - farthest_apart(leaf, positions, frame));
    }
    return 0.5 * least;
}

// m: how far corners of a triangle moved against each other since the last refit.
double SurfaceTree::farthest_apart(const Leaf& leaf, std::span<const Vec3> positions, const Vec3& frame) const {
    Vec3 w[3];
    for (int k = 0; k < 3; ++k) w[k] = positions[at(leaf.node[k])] - frame - m_patches.corner(leaf.place[k]);
    return std::sqrt(std::max({squared_norm(w[1] - w[0]), squared_norm(w[2] - w[1]), squared_norm(w[0] - w[2])}));
}

// Sine of a bound on how far a normal of the patch has turned: its corners cannot leave the old plane by more than they
// moved against each other, and the triangle is nowhere narrower than its smallest altitude.
double SurfaceTree::most_turned(std::size_t u, std::span<const Vec3> positions, const Vec3& frame) const {
    const std::int32_t root = m_patches.volume[u];
    double most = 0.0;
    for (std::int32_t l = m_shape.first[at(root)]; l < m_shape.last[at(root)]; ++l) {
        const Leaf& leaf = m_leaves[at(l)];
        const double apart = farthest_apart(leaf, positions, frame);
        if (!(apart <= most * leaf.altitude)) most = apart / leaf.altitude;
    }
    return most;
}

void SurfaceTree::refit(std::size_t u, std::span<const Vec3> x, std::span<const Vec3> p) {
    ++m_counts.refits;
    m_counts.updates += m_patches.end[u] - m_patches.volume[u];
    set_references(u, x, p);
    const Body& body = m_bodies[at(m_patches.body[u])];
    const double sine = most_turned(u, x, body.start.shift);
    const double before = m_patches.turn[u];
    m_patches.turn[u] = std::max(m_patches.granted[u], sine < 1.0 ? 1.5 * std::asin(sine) : std::numbers::pi);
    const bool bounded = m_patches.turn[u] < 0.5 * std::numbers::pi;
    m_patches.sine[u] = bounded ? std::sin(m_patches.turn[u]) : Bounds::nothing;
    if (!m_warm || (body.closed && m_settings.cones)) publish_normals(u, !m_warm || m_patches.turn[u] != before);
    refit_boxes(m_patches.volume[u], m_patches.end[u], m_patches.margin[u]);
    touch(u);
}

// Corners are remembered where they are going.
void SurfaceTree::set_references(std::size_t u, std::span<const Vec3> x, std::span<const Vec3> p) {
    const Body& body = m_bodies[at(m_patches.body[u])];
    double step = 0.0;
    for (std::int32_t i = m_patches.first[u]; i < m_patches.first[u + 1]; ++i) {
        const std::size_t n = at(m_patches.node[at(i)]);
        const Vec3 reference = p[n] - body.end.shift;
        m_patches.set_corner(i, reference);
        step = std::max(step, squared_norm(x[n] - body.start.shift - reference));
    }
    const bool lasts = m_settings.update == TreeUpdate::margins;  // others are for one step
    m_patches.margin[u] = lasts ? std::max(body.margin, 1.5 * std::sqrt(step)) : std::sqrt(step);
    if (!(m_patches.margin[u] < absurd)) m_patches.margin[u] = body.margin;
    m_patches.altitude[u] = Bounds::nothing;
    const std::int32_t root = m_patches.volume[u];
    for (std::int32_t l = m_shape.first[at(root)]; l < m_shape.last[at(root)]; ++l) {
        Leaf& leaf = m_leaves[at(l)];
        const Vec3 a = m_patches.corner(leaf.place[0]), b = m_patches.corner(leaf.place[1]),
                   c = m_patches.corner(leaf.place[2]);
        const double longest = std::max({squared_norm(b - a), squared_norm(c - b), squared_norm(a - c)});
        leaf.altitude = longest > 0.0 ? norm(cross(b - a, c - a)) / std::sqrt(longest) : 0.0;
        m_patches.altitude[u] = std::min(m_patches.altitude[u], leaf.altitude);
    }
}

// From the leaves up: volumes root .. end - 1.
void SurfaceTree::refit_boxes(std::int32_t root, std::int32_t end, double margin) {
    for (std::int32_t v = end; v-- > root;) {
        if (m_shape.right[at(v)] != 0) {
            m_boxes[at(v)] = merge(m_boxes[at(v) + 1], m_boxes[at(m_shape.right[at(v)])]);
            continue;
        }
        const Leaf& leaf = m_leaves[at(m_shape.first[at(v)])];
        Bounds box;
        for (const std::int32_t place : leaf.place) include(box, m_patches.corner(place));
        m_boxes[at(v)] = grown(box, leaf.radius + margin + 0.5 * m_settings.layer + rounding);
    }
}

// Tells neighbours of normals that have turned by more than the tolerance since they were last told.
void SurfaceTree::publish_normals(std::size_t u, bool all) {
    const double close = std::cos(normal_tolerance);
    const std::int32_t root = m_patches.volume[u];
    for (std::int32_t l = m_shape.first[at(root)]; l < m_shape.last[at(root)]; ++l) {
        const Leaf& leaf = m_leaves[at(l)];
        const Vec3 a = m_patches.corner(leaf.place[0]);
        const Vec3 normal = normalized(cross(m_patches.corner(leaf.place[1]) - a, m_patches.corner(leaf.place[2]) - a));
        if (!all && dot(normal, m_normals[at(l)]) >= close) continue;
        m_normals[at(l)] = normal;
        for (const std::int32_t node : leaf.node) {
            for (const std::int32_t other : m_fans.around(node)) {
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
Cone SurfaceTree::fan_cone(const Leaf& leaf, double& extra) const {
    double shortest = 1.0;
    Vec3 sum;
    const auto for_each = [&](const auto& visit) {
        for (const std::int32_t node : leaf.node) {
            for (const std::int32_t l : m_fans.around(node)) visit(l);
        }
    };
    for_each([&](std::int32_t l) {
        const Vec3& n = m_normals[at(l)];
        sum += n;
        shortest = min(squared_norm(n), shortest);
        extra = std::max(extra, m_patches.turn[at(m_leaves[at(l)].patch)] - turn_margin);
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
    return is_wide(cone) ? all_directions : cone;
}

// Whether the leaf's cone still holds all normals around it.
bool SurfaceTree::is_bounded(const Leaf& leaf, const Fit& fit) const {
    const Vec3& axis = m_cones[at(leaf.volume)].axis;
    double least = 1.0, extra = 0.0;
    for (const std::int32_t node : leaf.node) {
        for (const std::int32_t l : m_fans.around(node)) {
            least = min(dot(axis, m_normals[at(l)]), least);
            extra = std::max(extra, m_patches.turn[at(m_leaves[at(l)].patch)] - turn_margin);
        }
    }
    return extra <= fit.extra && least >= fit.cosine;
}

// The cones of leaves whose fans were told of new normals, and those above them in their patches. Where the old one
// will do it stays, but for every so many times: fans may have become narrower.
void SurfaceTree::refit_cones() {
    constexpr int patience = 16;
    for (const std::int32_t l : m_restless) {
        const Leaf& leaf = m_leaves[at(l)];
        m_is_restless[at(l)] = 0;
        m_counts.updates += m_touched[at(leaf.patch)] != 0 ? 0 : 1;
        Fit& fit = m_fits[at(l)];
        if (m_warm && ++fit.age < patience && is_bounded(leaf, fit)) continue;
        fit = {};
        Cone cone = fan_cone(leaf, fit.extra);
        if (cone.half < std::numbers::pi) {
            fit.cosine = std::cos(cone.half - fit.extra + cone_margin);
            cone.half += cone_margin;
            if (is_wide(cone)) cone = all_directions;
        }
        if (!(cone.half < std::numbers::pi)) fit.cosine = -2.0;  // it holds whatever comes
        m_cones[at(leaf.volume)] = cone;
        climb(leaf);
    }
    for (const std::int32_t l : m_restless) {
        const auto u = at(m_leaves[at(l)].patch);
        if (m_coned[u] != 0) touch(u);
        m_coned[u] = 0;
    }
    m_restless.clear();
}

// Merges cones from a leaf up to the root of its patch.
void SurfaceTree::climb(const Leaf& leaf) {
    m_coned[at(leaf.patch)] = 1;
    for (std::int32_t v = leaf.volume; v != m_patches.volume[at(leaf.patch)];) {
        v = m_shape.parent[at(v)];
        const Cone cone = merge(m_cones[at(v) + 1], m_cones[at(m_shape.right[at(v)])]);
        m_counts.updates += m_touched[at(leaf.patch)] != 0 ? 0 : 2;
        if (cone.half == m_cones[at(v)].half && cone.axis == m_cones[at(v)].axis) return;
        m_cones[at(v)] = cone;
    }
}

void SurfaceTree::merge_cones(std::int32_t root, std::int32_t end) {
    for (std::int32_t v = end; v-- > root;) {
        if (m_shape.right[at(v)] != 0) {
            m_cones[at(v)] = merge(m_cones[at(v) + 1], m_cones[at(m_shape.right[at(v)])]);
        }
    }
}

void SurfaceTree::touch(std::size_t u) {
    m_touched[u] = 1;
    for (std::int32_t v = m_shape.parent[at(m_patches.volume[u])]; v >= 0 && m_marked[at(v)] == 0;
         v = m_shape.parent[at(v)]) {
        m_marked[at(v)] = 1;
        m_ancestors.push_back(v);
    }
}

void SurfaceTree::refit_ancestors() {
    std::sort(m_ancestors.begin(), m_ancestors.end(), std::greater<>());
    for (const std::int32_t v : m_ancestors) {
        const std::int32_t left = v + 1, right = m_shape.right[at(v)];
        m_boxes[at(v)] = merge(m_boxes[at(left)], m_boxes[at(right)]);
        m_cones[at(v)] = merge(m_cones[at(left)], m_cones[at(right)]);
        m_counts.updates += 1 + (is_dirty(left) ? 0 : 1) + (is_dirty(right) ? 0 : 1);
    }
}

}  // namespace plica
