#include "collision/tree/search.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace plica {
namespace {

constexpr std::size_t most_shares = 16;  // of a traversal

// More than a shift?
bool is_turned(const Pose& pose) {
    const Pose still{};
    return !std::equal(std::begin(pose.row), std::end(pose.row), std::begin(still.row));
}

}  // namespace

// Every two bodies meet, whether they are near or not.
PairSearch::PairSearch(const Hierarchy& tree) : m_isa(tree.isa) {
    m_shares.resize(most_shares);
    for (Share& share : m_shares) {
        share.stack.resize(1024);
        share.found.reserve(2 * tree.leaves.size());
        share.facet_pairs.reserve(tree.leaves.size());
    }
    for (auto* each : {&m_facet_pairs, &m_pairs, &m_found, &m_kept, &m_merged}) each->reserve(16 * tree.leaves.size());
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

bool PairSearch::renew(const TreeContext& context, bool all) {
    drop_pairs(context.tree, all);
    search_all(context, all);
    return merge_found();
}

// Pairs that are searched for again.
void PairSearch::drop_pairs(const Hierarchy& tree, bool all) {
    m_kept.clear();
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
            m_kept.push_back(pair);
    }
}

void PairSearch::list_searches(const Hierarchy& tree, bool all) {
    m_searches.clear();
    Share& first = m_shares[0];
    first.open = 0;
    const auto open = [&](std::int32_t a, std::int32_t b, const Search& s) {
        first.push(a, b, static_cast<std::int32_t>(m_searches.size()));
        m_searches.push_back(s);
    };
    for (const HierarchyBody& body : tree.bodies) {
        if (!body.own || body.sample.empty()) continue;
        Search s;
        s.cull = body.closed && tree.settings.cones;
        s.all = all;
        open(body.first_volume, body.first_volume, s);
    }
    for (const Meeting& m : m_meetings) {
        const HierarchyBody& a = tree.bodies[at(m.a)];
        const HierarchyBody& b = tree.bodies[at(m.b)];
        Search s;
        s.b_to_a = compose(invert(m.at_a), m.at_b);
        s.turned = is_turned(s.b_to_a);
        s.margin = m.margin;
        s.cull = m.cull;
        s.all = m.expired;
        open(a.first_volume, b.first_volume, s);
    }
}

// Goes on in breadth until there is enough to share out, and deals it out. The paper's way refits what it looks into:
// that stays in one hand.
std::size_t PairSearch::share_out(const TreeContext& context) {
    constexpr std::size_t enough = 8 * most_shares;
    Share& first = m_shares[0];
    if (context.tree.settings.update != TreeUpdate::margins) return 1;
    std::size_t next = 0;
    while (next < first.open && first.open - next < enough) look_at(context, Open{first.stack[next++]}, first);
    if (first.open - next < enough) {
        first.open = 0;
        return 1;  // there was no more
    }
    const std::size_t open = first.open;
    for (std::size_t k = 1; k < most_shares; ++k) m_shares[k].open = 0;
    for (std::size_t i = next; i < open; ++i) {
        if ((i - next) % most_shares == 0) continue;
        const Open& each = first.stack[i];
        m_shares[(i - next) % most_shares].push(each.a, each.b, each.search);
    }
    first.open = 0;
    for (std::size_t i = next; i < open; i += most_shares) first.stack[first.open++] = first.stack[i];
    return most_shares;
}

void PairSearch::search_all(const TreeContext& context, bool all) {
    Hierarchy& tree = context.tree;
    for (Share& share : m_shares) {
        share.found.clear();
        share.facet_pairs.clear();
        share.visits = 0;
    }
    list_searches(tree, all);
    const std::size_t shares = share_out(context);
    for_pieces(tree, shares, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) work_on(context, m_shares[k]);
    });
    gather_found(tree, shares);
    for (std::size_t k = 0; k < shares; ++k) {
        const Share& share = m_shares[k];
        tree.counts.visits += share.visits;
        m_facet_pairs.insert(m_facet_pairs.end(), share.facet_pairs.begin(), share.facet_pairs.end());
    }
    tree.counts.facet_pairs = static_cast<std::int64_t>(m_facet_pairs.size());
}

inline void PairSearch::expand_self(const TreeContext& context, const Open& next, const Search& s, Share& share) {
    Hierarchy& tree = context.tree;
    const std::int32_t v = next.a;
    if (tree.shape.right[at(v)] == 0 || !(s.all || tree.is_dirty(v))) return;
    if (s.cull && !tree.is_wide(tree.cones[at(v)])) return;
    const std::int32_t u = tree.patch_of[at(v)];
    if (context.lazy.is_behind(u)) context.lazy.refit_below(tree, context.cones, at(u));
    const std::int32_t left = v + 1, right = tree.shape.right[at(v)];
    const bool is_left = s.all || tree.is_dirty(left), is_right = s.all || tree.is_dirty(right);
    if (is_left || is_right) share.push(left, right, next.search);
    if (is_right) share.push(right, right, next.search);
    if (is_left) share.push(left, left, next.search);
}

inline void PairSearch::compare(const TreeContext& context, const Open& next, const Search& s, Share& share) const {
    Hierarchy& tree = context.tree;
    const std::int32_t a = next.a, b = next.b;
    const bool every_a = s.all || tree.is_dirty(b), every_b = s.all || tree.is_dirty(a);  // of a's parts, of b's
    if (!(every_a || every_b)) return;
    ++share.visits;
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
        emit(tree, tree.leaves[at(tree.shape.first[at(a)])], tree.leaves[at(tree.shape.first[at(b)])], s, share);
        return;
    }
    const bool into_a =
        right_b == 0 || (right_a != 0 && squared_norm(mine.hi - mine.lo) >= squared_norm(box.hi - box.lo));
    const std::int32_t u = tree.patch_of[at(into_a ? a : b)];
    if (context.lazy.is_behind(u)) context.lazy.refit_below(tree, context.cones, at(u));
    if (into_a) {
        if (every_a || tree.is_dirty(right_a)) share.push(right_a, b, next.search);
        if (every_a || tree.is_dirty(a + 1)) share.push(a + 1, b, next.search);
    } else {
        if (every_b || tree.is_dirty(right_b)) share.push(a, right_b, next.search);
        if (every_b || tree.is_dirty(b + 1)) share.push(a, b + 1, next.search);
    }
}

// Called millions of times a second.
inline void PairSearch::look_at(const TreeContext& context, const Open& next, Share& share) const {
    const Search& s = m_searches[at(next.search)];
    if (next.a == next.b) {
        expand_self(context, next, s, share);
    } else {
        compare(context, next, s, share);
    }
}

void PairSearch::work_on(const TreeContext& context, Share& share) const {
    while (share.open > 0) look_at(context, Open{share.stack[--share.open]}, share);
    keep_near(share.corners, 5, share);
    keep_near(share.edges, 4, share);
    std::sort(share.found.begin(), share.found.end());
}

// What the shares found, in order: two and two are merged, side by side, until there is one list.
void PairSearch::gather_found(const Hierarchy& tree, std::size_t shares) {
    std::ptrdiff_t first[most_shares + 1] = {};
    m_found.clear();
    for (std::size_t k = 0; k < shares; ++k) {
        m_found.insert(m_found.end(), m_shares[k].found.begin(), m_shares[k].found.end());
        first[k + 1] = static_cast<std::ptrdiff_t>(m_found.size());
    }
    for (std::size_t width = 1; width < shares; width *= 2) {
        m_merged.resize(m_found.size());
        for_pieces(tree, shares / (2 * width), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = 2 * width * begin; k < 2 * width * end; k += 2 * width) {
                const auto from = m_found.begin();
                std::merge(from + first[k], from + first[k + width], from + first[k + width],
                           from + first[k + 2 * width], m_merged.begin() + first[k]);
            }
        });
        m_found.swap(m_merged);
    }
}

bool PairSearch::merge_found() {
    m_merged.resize(m_kept.size() + m_found.size());
    std::merge(m_kept.begin(), m_kept.end(), m_found.begin(), m_found.end(), m_merged.begin());
    const bool changed = m_merged != m_pairs;
    m_pairs.swap(m_merged);
    return changed;
}

}  // namespace plica
