#include "collision/recall.hpp"

#include <algorithm>
#include <numeric>

#include "core/index.hpp"

namespace plica {
namespace {

// Its place in the list, or the list's size.
std::size_t find(const std::vector<Pair>& list, std::int32_t a, std::int32_t b) {
    Pair pair;
    pair.a = std::min(a, b);
    pair.b = std::max(a, b);
    const auto place = std::lower_bound(list.begin(), list.end(), pair);
    const bool there = place != list.end() && same_pair(*place, pair);
    return there ? static_cast<std::size_t>(place - list.begin()) : list.size();
}

// Union-find over the colliding pairs; each ends with the number of its region.
class Regions {
public:
    Regions(const Neighbours& neighbours, const std::vector<Pair>& pairs) : m_parent(pairs.size()) {
        std::iota(m_parent.begin(), m_parent.end(), std::size_t{0});
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto join_with = [&](std::int32_t a, std::int32_t b) {
                const std::size_t other = find(pairs, a, b);
                if (other < pairs.size()) m_parent[root(other)] = root(i);
            };
            for (const std::int32_t a : neighbours.of(pairs[i].a)) {
                join_with(a, pairs[i].b);
                for (const std::int32_t b : neighbours.of(pairs[i].b)) join_with(a, b);
            }
            for (const std::int32_t b : neighbours.of(pairs[i].b)) join_with(pairs[i].a, b);
        }
    }
    std::size_t root(std::size_t i) {
        while (m_parent[i] != i) i = m_parent[i] = m_parent[m_parent[i]];
        return i;
    }

private:
    std::vector<std::size_t> m_parent;
};

}  // namespace

void RecallCount::add(const RecallCount& other) {
    regions += other.regions;
    held += other.held;
    pairs += other.pairs;
    delivered += other.delivered;
    wrong += other.wrong;
}

CollidingPairs::CollidingPairs(const TrackedView& view, const TrackSettings& settings, std::vector<Pair> near)
    : m_pairs(std::move(near)) {
    const auto capsule = [&](std::int32_t i) -> const Capsule& { return view.surface.capsules[at(i)]; };
    const auto is_apart = [&](const Pair& p) {
        return !(p.gap_at_build < (settings.touching - 1.0) * (capsule(p.a).radius + capsule(p.b).radius));
    };
    m_pairs.erase(std::remove_if(m_pairs.begin(), m_pairs.end(), is_apart), m_pairs.end());
    Regions regions(view.neighbours, m_pairs);
    for (std::size_t i = 0; i < m_pairs.size(); ++i) m_region.push_back(regions.root(i));
    for (const Capsule& c : view.surface.capsules) m_edge.push_back(c.edge ? 1 : 0);
}

Recall CollidingPairs::count(std::span<const ActivePair> active, std::span<const Pair> delivered) const {
    Recall recall;
    const auto count_of = [&](const Pair& pair) -> RecallCount& {
        return m_edge[at(pair.a)] != 0 || m_edge[at(pair.b)] != 0 ? recall.edges : recall.tubes;
    };
    std::vector<std::uint8_t> held(m_pairs.size(), 0);
    for (const ActivePair& pair : active) {
        const std::size_t place = find(m_pairs, pair.a, pair.b);
        if (place < m_pairs.size()) held[m_region[place]] = 1;
    }
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        RecallCount& count = count_of(m_pairs[i]);
        ++count.pairs;
        if (m_region[i] != i) continue;
        ++count.regions;
        count.held += held[i];
    }
    for (const Pair& pair : delivered) {
        RecallCount& count = count_of(pair);
        ++(find(m_pairs, pair.a, pair.b) < m_pairs.size() ? count.delivered : count.wrong);
    }
    return recall;
}

CollidingPairs find_colliding(const TrackedView& view, const TrackSettings& settings, DetectorKind detector) {
    double largest = 0.0;
    for (const Capsule& c : view.surface.capsules) largest = std::max(largest, c.radius);
    CandidateList list;
    list.margin.assign(view.x.size(), (settings.touching - 1.0) * largest);
    ThreadPool pool;
    DetectorScratch scratch;
    rebuild(list, detector, {view.surface, view.enabled, view.x}, pool, scratch);
    return {view, settings, std::move(list.pairs)};
}

Recall compute_recall(const TrackedView& view, const TrackSettings& settings, std::span<const ActivePair> active,
                      std::span<const Pair> delivered) {
    return find_colliding(view, settings, DetectorKind::brute).count(active, delivered);
}

}  // namespace plica
