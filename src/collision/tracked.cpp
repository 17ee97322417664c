#include "collision/tracked.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "geometry/closest.hpp"

namespace plica {
namespace {

// Draws that meet only pairs which may not touch are given up after this many.
constexpr int most_tries = 64;

struct Measured {
    ActivePair pair;
    double distance;  // m, between the axes
};

// One detection at one place.
class Tracker {
public:
    Tracker(const TrackedView& view, const TrackSettings& settings, TrackScratch& scratch, std::vector<Pair>& colliding)
        : m_view(view), m_settings(settings), m_scratch(scratch), m_colliding(colliding) {
        m_scratch.tracked.clear();
        m_scratch.visited.clear();
        m_scratch.next.clear();
        m_scratch.stack.clear();
        m_colliding.clear();
    }

    TrackCounts counts;

    // Raghupathi 2004, sec. 4.1: the current pair or one formed with neighbours, whichever is closest now.
    void update(ActivePair pair) {
        if (is_legal(pair.a, pair.b)) add(move(pair));
    }

    // Draws among pairs of `first` and `second` that may touch; those under the threshold are moved once and tracked.
    void draw(const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& second, Random& random,
              std::int32_t& drawn) {
        ActivePair pair{};
        if (!pick(first, second, random, pair)) return;
        ++drawn;
        if (measure(pair.a, pair.b).distance < near(pair)) add(move(pair));
    }

    // An explicit stack instead of the papers' recursion, which thousands of colliding pairs would overflow.
    void flood() {
        while (!m_scratch.stack.empty()) {
            const ActivePair from = m_scratch.stack.back();
            m_scratch.stack.pop_back();
            for_neighbours(from.a,
                           [&](std::int32_t a) { for_neighbours(from.b, [&](std::int32_t b) { visit(a, b); }); });
        }
        std::sort(m_colliding.begin(), m_colliding.end());
    }

    // Colliding pairs are where the flood starts.
    void start_flood(const Measured& m) {
        if (collides(m) && m_scratch.visited.insert(m.pair.a, m.pair.b)) deliver(m);
    }

    // Every distance of the tracker comes from here, and every one is counted.
    Measured measure(std::int32_t a, std::int32_t b) {
        ++counts.tests;
        const ActivePair pair{std::min(a, b), std::max(a, b)};
        const Capsule& p = m_view.surface.capsules[at(pair.a)];
        const Capsule& q = m_view.surface.capsules[at(pair.b)];
        const auto& x = m_view.x;
        return {pair,
                std::sqrt(closest_segment_segment(x[at(p.a)], x[at(p.b)], x[at(q.a)], x[at(q.b)]).squared_distance)};
    }

private:
    [[nodiscard]] const Capsule& capsule(std::int32_t i) const { return m_view.surface.capsules[at(i)]; }
    [[nodiscard]] double radii(const ActivePair& p) const { return capsule(p.a).radius + capsule(p.b).radius; }
    [[nodiscard]] double near(const ActivePair& p) const { return m_settings.near * radii(p); }
    [[nodiscard]] bool collides(const Measured& m) const {
        const double r = radii(m.pair);
        return m.distance - r < (m_settings.touching - 1.0) * r;
    }
    [[nodiscard]] bool is_legal(std::int32_t a, std::int32_t b) const {
        return a != b && m_view.enabled[at(a)] != 0 && m_view.enabled[at(b)] != 0 &&
               capsules_can_touch(m_view.surface, at(std::min(a, b)), at(std::max(a, b)));
    }

    // The capsule itself first, then its neighbours.
    template <class Visit>
    void for_neighbours(std::int32_t i, Visit&& visit) const {
        visit(i);
        for (const std::int32_t n : m_view.neighbours.of(i)) visit(n);
    }

    Measured move(ActivePair pair) {
        const std::int64_t before = counts.tests;
        const bool edges = capsule(pair.a).edge || capsule(pair.b).edge;
        const Measured best = edges ? move_in_two_steps(pair) : move_in_nine(pair);
        std::int32_t& most = edges ? counts.most_edges : counts.most_tubes;
        most = std::max(most, static_cast<std::int32_t>(counts.tests - before));
        return best;
    }

    void keep_closer(std::int32_t a, std::int32_t b, Measured& best) {
        if (!is_legal(a, b)) return;
        const Measured other = measure(a, b);
        if (other.distance < best.distance) best = other;  // a tie keeps the pair
    }

    // The 3 x 3 pairs around this one, itself included: it has moved as well. Fewer at the ends of a chain, next to
    // what may not touch, and for spheres.
    Measured move_in_nine(ActivePair pair) {
        Measured best = measure(pair.a, pair.b);
        for_neighbours(pair.a, [&](std::int32_t a) {
            for_neighbours(pair.b, [&](std::int32_t b) {
                if (a != pair.a || b != pair.b) keep_closer(a, b, best);
            });
        });
        return best;
    }

    // Raghupathi 2004, sec. 4.1, for the mesentery: S1' closest to S2, then S2' closest to S1'. At most 3 + 10 tests.
    Measured move_in_two_steps(ActivePair pair) {
        const bool first_is_edge = capsule(pair.a).edge;
        const std::int32_t tube = first_is_edge ? pair.b : pair.a;
        const std::int32_t edge = first_is_edge ? pair.a : pair.b;
        Measured best = measure(tube, edge);
        for (const std::int32_t t : m_view.neighbours.of(tube)) keep_closer(t, edge, best);
        const std::int32_t moved = capsule(best.pair.a).edge ? best.pair.b : best.pair.a;
        for (const std::int32_t e : m_view.neighbours.of(edge)) keep_closer(moved, e, best);
        return best;
    }

    // Along the band of pairs that are too close along the tube to touch, the distance falls towards the band: minima
    // there are none.
    [[nodiscard]] bool is_at_band(const ActivePair& pair) const {
        const Capsule& p = capsule(capsule(pair.a).edge ? pair.b : pair.a);
        const Capsule& q = capsule(capsule(pair.a).edge ? pair.a : pair.b);
        if (p.chain < 0 || p.chain != q.chain) return false;
        if (q.edge) {
            return q.column + q.span == p.column - p.exclude - 1 || q.column == p.column + 1 + p.exclude + 1;
        }
        return std::abs(p.column - q.column) == std::max(p.exclude, q.exclude) + 1;
    }

    // The papers' suppression: too far, or doubled; and what only ran into the band.
    void add(const Measured& m) {
        if (!(m.distance <= near(m.pair))) return;
        if (is_at_band(m.pair) && !collides(m)) return;
        if (!m_scratch.tracked.insert(m.pair.a, m.pair.b)) return;
        m_scratch.next.push_back(m.pair);
        start_flood(m);
    }

    bool pick(const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& second, Random& random,
              ActivePair& pair) const {
        const auto one_of = [&](const std::vector<std::int32_t>& list) {
            return list[static_cast<std::size_t>(random.uniform() * static_cast<double>(list.size()))];
        };
        for (int tries = 0; tries < most_tries; ++tries) {
            const std::int32_t a = one_of(first);
            const std::int32_t b = one_of(second);
            pair = {std::min(a, b), std::max(a, b)};
            if (is_legal(a, b)) return true;
        }
        return false;
    }

    void deliver(const Measured& m) {
        m_scratch.stack.push_back(m.pair);
        Pair pair;
        pair.a = m.pair.a;
        pair.b = m.pair.b;
        pair.gap_at_build = m.distance - radii(m.pair);
        m_colliding.push_back(pair);
    }

    // Visited are those as well that were tested and do not collide.
    void visit(std::int32_t a, std::int32_t b) {
        if (!is_legal(a, b) || !m_scratch.visited.insert(std::min(a, b), std::max(a, b))) return;
        const Measured m = measure(a, b);
        if (collides(m)) deliver(m);
    }

    const TrackedView& m_view;
    const TrackSettings& m_settings;
    TrackScratch& m_scratch;
    std::vector<Pair>& m_colliding;
};

}  // namespace

void reserve_tracks(const Neighbours& neighbours, const TrackSettings& settings, std::vector<ActivePair>& active,
                    TrackScratch& scratch) {
    const std::size_t kinds = neighbours.edges.empty() ? 1 : 4;
    const std::size_t pairs = kinds * (16 * neighbours.tubes.size() + at(settings.draws));
    active.reserve(pairs);
    scratch.next.reserve(pairs);
    scratch.stack.reserve(2 * pairs);
    scratch.tracked.reserve(pairs);
    scratch.visited.reserve(4 * pairs);
}

TrackCounts track(const TrackedView& view, const TrackSettings& settings, Random& random,
                  std::vector<ActivePair>& active, TrackScratch& scratch, std::vector<Pair>& colliding) {
    Tracker tracker(view, settings, scratch, colliding);
    TrackCounts& counts = tracker.counts;
    counts.tracked = static_cast<std::int64_t>(active.size());
    for (const ActivePair& pair : active) tracker.update(pair);
    counts.update = counts.tests;
    const std::vector<std::int32_t>& tubes = view.neighbours.tubes;
    const std::vector<std::int32_t>& edges = view.neighbours.edges;
    for (std::int32_t i = 0; i < settings.draws && !tubes.empty(); ++i) {
        tracker.draw(tubes, tubes, random, counts.draws);
        if (!edges.empty()) tracker.draw(tubes, edges, random, counts.edge_draws);
    }
    counts.draw = counts.tests - counts.update;
    tracker.flood();
    counts.flood = counts.tests - counts.update - counts.draw;
    active.swap(scratch.next);
    return counts;
}

std::int64_t flood(const TrackedView& view, const TrackSettings& settings, std::span<const ActivePair> seeds,
                   TrackScratch& scratch, std::vector<Pair>& colliding) {
    Tracker tracker(view, settings, scratch, colliding);
    for (const ActivePair& seed : seeds) tracker.start_flood(tracker.measure(seed.a, seed.b));
    tracker.flood();
    return tracker.counts.tests;
}

}  // namespace plica
