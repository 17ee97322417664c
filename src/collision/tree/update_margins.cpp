#include <algorithm>
#include <cmath>

#include "collision/tree/margins.hpp"
#include "collision/tree/motion.hpp"
#include "collision/tree/refit.hpp"
#include "collision/tree/update.hpp"
#include "core/elementary.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// From where nodes are to where they are predicted.
struct Step {
    std::span<const Vec3> x, p;
};

// m: by any node, from where it was seen last, at x and at p.
double farthest_from_seen(Isa isa, const HierarchyBody& body, const Step& step) {
    const CornerArrays nodes{body.seen.node.data(),
                             body.seen.x.data(),
                             body.seen.y.data(),
                             body.seen.z.data(),
                             0,
                             static_cast<int>(body.seen.node.size())};
    const auto measure = PLICA_PICK_KERNEL(isa, measure_motion);
    return std::sqrt(measure(&step.x[0].x, &step.p[0].x, nodes, &body.start.shift.x, &body.end.shift.x).farthest);
}

void see(HierarchyBody& body, std::span<const Vec3> p) {
    HierarchyBody::Seen& seen = body.seen;
    for (std::size_t i = 0; i < seen.node.size(); ++i) {
        const Vec3 place = p[at(seen.node[i])] - body.end.shift;
        seen.x[i] = place.x;
        seen.y[i] = place.y;
        seen.z[i] = place.z;
    }
}

bool is_turn_limited(const Hierarchy& tree, std::size_t u) {
    return tree.bodies[at(tree.patches.body[u])].closed && tree.settings.cones && tree.patches.sine[u] <= 1.0;
}

// m: how far corners of a triangle moved against each other since the last refit.
double farthest_apart(const Patches& patches, const Leaf& leaf, std::span<const Vec3> positions, const Vec3& frame) {
    Vec3 w[3];
    for (int k = 0; k < 3; ++k) w[k] = positions[at(leaf.node[k])] - frame - patches.corner(leaf.place[k]);
    return std::sqrt(std::max({squared_norm(w[1] - w[0]), squared_norm(w[2] - w[1]), squared_norm(w[0] - w[2])}));
}

// m: how far corners may yet go before a normal may have left its margin: two of them may each go that far.
double margin_to_turn(const Hierarchy& tree, std::size_t u, std::span<const Vec3> positions, const Vec3& frame) {
    const std::int32_t root = tree.patches.volume[u];
    double least = HUGE_VAL;
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        const Leaf& leaf = tree.leaves[at(l)];
        least = std::min(least,
                         tree.patches.sine[u] * leaf.altitude - farthest_apart(tree.patches, leaf, positions, frame));
    }
    return 0.5 * least;
}

// m: how far nodes may go from p before the patch must be refitted; negative when it must be, because on the way from x
// to p a corner has left its margin or a normal its own. On this straight way both bounds are convex.
double find_margin_left(Hierarchy& tree, std::size_t u, const Step& step) {
    const HierarchyBody& body = tree.bodies[at(tree.patches.body[u])];
    const CornerArrays corners{tree.patches.node.data(), tree.patches.x.data(), tree.patches.y.data(),
                               tree.patches.z.data(),    tree.patches.first[u], tree.patches.first[u + 1]};
    const auto measure = PLICA_PICK_KERNEL(tree.isa, measure_motion);
    const CornerMotion moved = measure(&step.x[0].x, &step.p[0].x, corners, &body.start.shift.x, &body.end.shift.x);
    const double left = tree.patches.margin[u] - std::sqrt(moved.farthest);
    if (!(left >= 0.0) || !is_turn_limited(tree, u)) return left;
    double turn = 0.5 * (tree.patches.sine[u] * tree.patches.altitude[u] - std::sqrt(moved.spread));
    if (turn < left)
        turn = std::min(margin_to_turn(tree, u, step.x, body.start.shift),
                        margin_to_turn(tree, u, step.p, body.end.shift));
    if (!(turn >= 0.0)) tree.patches.granted[u] = std::min(1.5 * tree.patches.granted[u], most_turn_margin);
    return std::min(left, turn);
}

// Of a patch that was just refitted.
double margin_when_new(const Hierarchy& tree, std::size_t u) {
    return is_turn_limited(tree, u)
               ? std::min(tree.patches.margin[u], 0.5 * tree.patches.sine[u] * tree.patches.altitude[u])
               : tree.patches.margin[u];
}

// Sine of a bound on how far a normal of the patch has turned: its corners cannot leave the old plane by more than they
// moved against each other, and the triangle is nowhere narrower than its smallest altitude.
double most_turned(const Hierarchy& tree, std::size_t u, std::span<const Vec3> positions, const Vec3& frame) {
    const std::int32_t root = tree.patches.volume[u];
    double most = 0.0;
    for (std::int32_t l = tree.shape.first[at(root)]; l < tree.shape.last[at(root)]; ++l) {
        const Leaf& leaf = tree.leaves[at(l)];
        const double apart = farthest_apart(tree.patches, leaf, positions, frame);
        if (!(apart <= most * leaf.altitude)) most = apart / leaf.altitude;
    }
    return most;
}

bool bears_cones(const Hierarchy& tree, const HierarchyBody& body) {
    return !tree.warm || (body.closed && tree.settings.cones);
}

// All of a patch that its neighbours need not be told.
void refit(Hierarchy& tree, FanCones& cones, std::size_t u, const Step& step) {
    set_references(tree, u, step.x, step.p);
    const HierarchyBody& body = tree.bodies[at(tree.patches.body[u])];
    const double sine = most_turned(tree, u, step.x, body.start.shift);
    const double before = tree.patches.turn[u];
    tree.patches.turn[u] =
        std::max(tree.patches.granted[u], sine < 1.0 ? 1.5 * elementary::asin(sine) : std::numbers::pi);
    const bool bounded = tree.patches.turn[u] < 0.5 * std::numbers::pi;
    tree.patches.sine[u] = bounded ? elementary::sin(tree.patches.turn[u]) : Bounds::nothing;
    if (bears_cones(tree, body)) cones.take_normals(tree, u, !tree.warm || tree.patches.turn[u] != before);
    refit_boxes(tree, tree.patches.volume[u], tree.patches.end[u], tree.patches.margin[u]);
    tree.patches.margin_left[u] = margin_when_new(tree, u);
}

// Calls work(patch) for the body's patches, side by side where there are threads.
template <class Work>
void for_patches(const Hierarchy& tree, const HierarchyBody& body, const Work& work) {
    constexpr std::size_t patches_a_piece = 8;
    const auto first = at(body.first_patch);
    for_pieces(tree, at(body.last_patch) - first, patches_a_piece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t u = first + begin; u < first + end; ++u) work(u);
    });
}

// Patches are looked at when a node of the body has gone so far that one of them may have left its bounds. When one
// has, those that will soon follow are refitted with it: searches for many cost less than one for each.
void update_body(Hierarchy& tree, FanCones& cones, HierarchyBody& body, const Step& step) {
    if (tree.warm && farthest_from_seen(tree.isa, body, step) < body.margin_left) return;
    for_patches(tree, body, [&](std::size_t u) {
        tree.patches.margin_left[u] = tree.warm ? find_margin_left(tree, u, step) : -1.0;
    });
    const auto first = at(body.first_patch), last = at(body.last_patch);
    bool any = !tree.warm;
    for (std::size_t u = first; u < last; ++u) any = any || !(tree.patches.margin_left[u] >= 0.0);
    if (any) {
        for_patches(tree, body, [&](std::size_t u) {
            if (tree.patches.margin_left[u] >= tree.settings.soon * margin_when_new(tree, u)) return;
            refit(tree, cones, u, step);
            tree.marks.touched[u] = 1;
        });
        for (std::size_t u = first; u < last; ++u) {
            if (tree.marks.touched[u] == 0) continue;
            ++tree.counts.refits;
            tree.counts.updates += tree.patches.end[u] - tree.patches.volume[u];
            if (bears_cones(tree, body)) cones.tell(tree, u);
            touch(tree, u);
        }
    }
    const auto margins = tree.patches.margin_left.begin();
    body.margin_left = HUGE_VAL;
    std::for_each(margins + body.first_patch, margins + body.last_patch,
                  [&](double left) { body.margin_left = std::min(body.margin_left, left); });
    see(body, step.p);
}

}  // namespace

void update_by_margins(Hierarchy& tree, FanCones& cones, std::span<const Vec3> x, std::span<const Vec3> p) {
    clear_marks(tree);
    for (HierarchyBody& body : tree.bodies) {
        if (!body.rigid) update_body(tree, cones, body, {x, p});
    }
    cones.refit(tree);
    refit_ancestors(tree);
}

}  // namespace plica
