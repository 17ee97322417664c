#include <algorithm>

#include "collision/tree/margins.hpp"
#include "collision/tree/search.hpp"
#include "core/elementary.hpp"
#include "core/index.hpp"

// When two bodies are to be searched again: their frames have come apart too far.
namespace plica {
namespace {

// m: the farthest that a corner of a box moved between two poses, less what everything moved.
double farthest_moved(const Bounds& box, const Pose& from, const Pose& to, const Vec3& common) {
    double most = 0.0;
    for (int k = 0; k < 8; ++k) {
        const Vec3 corner{(k & 1) != 0 ? box.hi.x : box.lo.x, (k & 2) != 0 ? box.hi.y : box.lo.y,
                          (k & 4) != 0 ? box.hi.z : box.lo.z};
        const double moved = norm(apply(to, corner) - apply(from, corner) - common);
        if (!(moved <= most)) most = moved;  // what is no number stays one
    }
    return most;
}

// rad
double angle_between(const Pose& a, const Pose& b) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) sum += squared_norm(a.row[i] - b.row[i]);
    return 2.0 * elementary::asin(std::min(1.0, std::sqrt(sum / 8.0)));
}

}  // namespace

bool PairSearch::expire(const Hierarchy& tree, bool all) {
    bool any = false;
    for (Meeting& meeting : m_meetings) {
        meeting.expired = all || has_drifted(tree, meeting);
        if (!meeting.expired) continue;
        arrange(tree, meeting);
        any = true;
    }
    return any;
}

// m: how far the frames of two bodies have come apart since they were searched.
double PairSearch::drift(const Hierarchy& tree, const Meeting& m, const Pose& a, const Pose& b) {
    const HierarchyBody& first = tree.bodies[at(m.a)];
    const HierarchyBody& second = tree.bodies[at(m.b)];
    const Vec3 middle = first.rigid ? 0.5 * (first.rest.lo + first.rest.hi) : Vec3{};
    const Vec3 common = apply(a, middle) - apply(m.at_a, middle);
    const double own = first.rigid ? farthest_moved(first.rest, m.at_a, a, common) : 0.0;
    return own +
           (second.rigid ? farthest_moved(second.rest, m.at_b, b, common) : norm(b.shift - m.at_b.shift - common));
}

bool PairSearch::has_drifted(const Hierarchy& tree, const Meeting& m) {
    const HierarchyBody& a = tree.bodies[at(m.a)];
    const HierarchyBody& b = tree.bodies[at(m.b)];
    if (!(drift(tree, m, a.start, b.start) <= m.margin && drift(tree, m, a.end, b.end) <= m.margin)) return true;
    const auto turned = [&](const HierarchyBody& body, const Pose& searched) {
        return body.rigid && !(angle_between(body.start, searched) <= turn_margin &&
                               angle_between(body.end, searched) <= turn_margin);
    };
    return m.cull && (turned(a, m.at_a) || turned(b, m.at_b));
}

// A new search from where the bodies are going: bodies that are far apart may drift half the way.
void PairSearch::arrange(const Hierarchy& tree, Meeting& m) {
    const HierarchyBody& a = tree.bodies[at(m.a)];
    const HierarchyBody& b = tree.bodies[at(m.b)];
    m.at_a = a.end;
    m.at_b = b.end;
    const Pose b_to_a = compose(invert(m.at_a), m.at_b);
    const double gap = gap_between(tree.boxes[at(a.first_volume)], moved(b_to_a, tree.boxes[at(b.first_volume)]));
    const double margin = std::max(a.rigid && !b.rigid ? 0.0 : a.margin, b.rigid && !a.rigid ? 0.0 : b.margin);
    m.margin = std::max({margin, 0.5 * gap, 1.5 * drift(tree, m, a.start, b.start)});
    if (!(m.margin < absurd)) m.margin = margin;
    const auto turns_fast = [](const HierarchyBody& body) {
        return body.rigid && !(1.5 * angle_between(body.start, body.end) <= turn_margin);
    };
    m.cull = tree.settings.cones && a.closed && b.closed && !turns_fast(a) && !turns_fast(b);
}

}  // namespace plica
