#include "collision/tree/search.hpp"

#include <algorithm>

#include "collision/tree/margins.hpp"
#include "core/elementary.hpp"
#include "core/index.hpp"

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

// Every two bodies meet, whether they are near or not.
PairSearch::PairSearch(const Hierarchy& tree) : m_isa(tree.isa) {
    m_stack.resize(4096);
    for (auto* each : {&m_facet_pairs, &m_pairs, &m_found, &m_merged}) each->reserve(16 * tree.leaves.size());
    m_meeting_of.assign(tree.bodies.size() * tree.bodies.size(), -1);
    for (std::size_t a = 0; a < tree.bodies.size(); ++a) {
        for (std::size_t b = a + 1; b < tree.bodies.size(); ++b) {
            if (tree.bodies[a].sample.empty() || tree.bodies[b].sample.empty()) continue;
            const auto number = static_cast<std::int32_t>(m_meetings.size());
            m_meeting_of[a * tree.bodies.size() + b] = m_meeting_of[b * tree.bodies.size() + a] = number;
            Meeting meeting{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
            if (tree.bodies[a].rigid) std::swap(meeting.a, meeting.b);
            m_meetings.push_back(meeting);
        }
    }
}

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

bool PairSearch::renew(const TreeContext& context, bool all) {
    drop_pairs(context.tree, all);
    search_all(context, all);
    return merge_found();
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

// Pairs that are searched for again.
void PairSearch::drop_pairs(const Hierarchy& tree, bool all) {
    m_merged.clear();
    if (all) {
        m_facet_pairs.clear();
        return;
    }
    const auto is_open = [&](std::int32_t p, std::int32_t q) {
        if (tree.marks.touched[at(p)] != 0 || tree.marks.touched[at(q)] != 0) return true;
        const std::int32_t a = tree.patches.body[at(p)], b = tree.patches.body[at(q)];
        return a != b && m_meetings[at(m_meeting_of[at(a) * tree.bodies.size() + at(b)])].expired;
    };
    std::erase_if(m_facet_pairs, [&](const auto& pair) { return is_open(pair[0], pair[1]); });
    for (const auto& pair : m_pairs) {
        if (!is_open(tree.patch_of_primitive[at(pair[0])], tree.patch_of_primitive[at(pair[1])]))
            m_merged.push_back(pair);
    }
}

void PairSearch::search_all(const TreeContext& context, bool all) {
    Hierarchy& tree = context.tree;
    m_found.clear();
    for (const HierarchyBody& body : tree.bodies) {
        if (!body.own || body.sample.empty()) continue;
        Search s;
        s.cull = body.closed && tree.settings.cones;
        s.all = all;
        search(context, body.first_volume, body.first_volume, s);
    }
    for (const Meeting& m : m_meetings) {
        const HierarchyBody& a = tree.bodies[at(m.a)];
        const HierarchyBody& b = tree.bodies[at(m.b)];
        Search s;
        s.b_to_a = compose(invert(m.at_a), m.at_b);
        s.turned = a.rigid || b.rigid;
        s.margin = m.margin;
        s.cull = m.cull;
        s.all = m.expired;
        search(context, a.first_volume, b.first_volume, s);
    }
    keep_near(m_corner_batch, 5);
    keep_near(m_edge_batch, 4);
    tree.counts.facet_pairs = static_cast<std::int64_t>(m_facet_pairs.size());
}

// Both are called from one place, millions of times a second.
inline void PairSearch::expand_self(const TreeContext& context, std::int32_t v, const Search& s) {
    Hierarchy& tree = context.tree;
    if (tree.shape.right[at(v)] == 0 || !(s.all || tree.is_dirty(v))) return;
    if (s.cull && !tree.is_wide(tree.cones[at(v)])) return;
    const std::int32_t u = tree.patch_of[at(v)];
    if (context.lazy.is_behind(u)) context.lazy.refit_below(tree, context.cones, at(u));
    const std::int32_t left = v + 1, right = tree.shape.right[at(v)];
    push(left, right);
    push(right, right);
    push(left, left);
}

inline void PairSearch::compare(const TreeContext& context, std::int32_t a, std::int32_t b, const Search& s) {
    Hierarchy& tree = context.tree;
    if (!(s.all || tree.is_dirty(a) || tree.is_dirty(b))) return;
    ++tree.counts.visits;
    Bounds box = tree.boxes[at(b)];
    if (s.turned) {
        box = moved(s.b_to_a, box);
    } else {
        box.lo += s.b_to_a.shift;
        box.hi += s.b_to_a.shift;
    }
    const Bounds& mine = tree.boxes[at(a)];
    if (!overlap(mine, box, s.margin)) return;
    if (s.cull) {
        Cone cone = tree.cones[at(b)];
        if (s.turned) cone.axis = turn(s.b_to_a, cone.axis);
        if (!can_oppose(tree.cones[at(a)], cone, tree.limit)) return;
    }
    const std::int32_t right_a = tree.shape.right[at(a)], right_b = tree.shape.right[at(b)];
    if (right_a == 0 && right_b == 0) {
        emit(tree, tree.leaves[at(tree.shape.first[at(a)])], tree.leaves[at(tree.shape.first[at(b)])], s);
        return;
    }
    const bool into_a =
        right_b == 0 || (right_a != 0 && squared_norm(mine.hi - mine.lo) >= squared_norm(box.hi - box.lo));
    const std::int32_t u = tree.patch_of[at(into_a ? a : b)];
    if (context.lazy.is_behind(u)) context.lazy.refit_below(tree, context.cones, at(u));
    if (into_a) {
        push(right_a, b);
        push(a + 1, b);
    } else {
        push(a, right_b);
        push(a, b + 1);
    }
}

void PairSearch::search(const TreeContext& context, std::int32_t a, std::int32_t b, const Search& s) {
    m_open = 0;
    push(a, b);
    while (m_open > 0) {
        const auto [p, q] = m_stack[--m_open];
        if (p == q) {
            expand_self(context, p, s);
        } else {
            compare(context, p, q, s);
        }
    }
}

bool PairSearch::merge_found() {
    std::sort(m_found.begin(), m_found.end());
    const auto kept = static_cast<std::ptrdiff_t>(m_merged.size());
    m_merged.insert(m_merged.end(), m_found.begin(), m_found.end());
    m_found.resize(m_merged.size());
    std::merge(m_merged.begin(), m_merged.begin() + kept, m_merged.begin() + kept, m_merged.end(), m_found.begin());
    const bool changed = m_found != m_pairs;
    m_pairs.swap(m_found);
    return changed;
}

}  // namespace plica
