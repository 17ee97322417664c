#include "collision/recall.hpp"

#include <algorithm>
#include <numeric>

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// Every pair that collides, by the double loop.
std::vector<Pair> find_all(const TrackedView& view, const TrackSettings& settings) {
    double largest = 0.0;
    for (const Capsule& c : view.surface.capsules) largest = std::max(largest, c.radius);
    const std::vector<double> margin(view.x.size(), (settings.touching - 1.0) * largest);
    ThreadPool pool;
    DetectorScratch scratch;
    std::vector<Pair> found;
    find_pairs_brute(view.surface, view.enabled, view.x, margin, pool, scratch, found);
    const auto is_apart = [&](const Pair& p) {
        const double radii = view.surface.capsules[at(p.a)].radius + view.surface.capsules[at(p.b)].radius;
        return !(p.gap_at_build < (settings.touching - 1.0) * radii);
    };
    found.erase(std::remove_if(found.begin(), found.end(), is_apart), found.end());
    return found;
}

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

Recall compute_recall(const TrackedView& view, const TrackSettings& settings, std::span<const ActivePair> active,
                      std::span<const Pair> delivered) {
    const std::vector<Pair> all = find_all(view, settings);
    Regions regions(view.neighbours, all);
    Recall recall;
    const auto count_of = [&](std::int32_t a, std::int32_t b) -> RecallCount& {
        const bool edge = view.surface.capsules[at(a)].edge || view.surface.capsules[at(b)].edge;
        return edge ? recall.edges : recall.tubes;
    };
    std::vector<std::uint8_t> held(all.size(), 0);
    for (const ActivePair& pair : active) {
        const std::size_t place = find(all, pair.a, pair.b);
        if (place < all.size()) held[regions.root(place)] = 1;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        RecallCount& count = count_of(all[i].a, all[i].b);
        ++count.pairs;
        if (regions.root(i) != i) continue;
        ++count.regions;
        count.held += held[i];
    }
    for (const Pair& pair : delivered) {
        RecallCount& count = count_of(pair.a, pair.b);
        ++(find(all, pair.a, pair.b) < all.size() ? count.delivered : count.wrong);
    }
    return recall;
}

}  // namespace plica
