#pragma once
#include "collision/tracked.hpp"

// Recall of the tracked detector against the exact broad phase.
namespace plica {

// How much of what brute force finds the papers' detector found. A region is a set of colliding pairs that are
// connected, neighbour by neighbour (in index space: its 8-connected components).
struct RecallCount {
    std::int64_t regions = 0;
    std::int64_t held = 0;  // regions with at least one active pair
    std::int64_t pairs = 0;
    std::int64_t delivered = 0;  // pairs that the flood gave to the response
    std::int64_t wrong = 0;      // delivered, but not colliding: always none

    void add(const RecallCount& other);
};

struct Recall {
    RecallCount tubes;  // tube against tube
    RecallCount edges;  // tube against edge
};

// Every pair that collides in one configuration, and the regions they form: what a detector's finds are counted
// against.
class CollidingPairs {
public:
    // `near` holds them all, sorted, and maybe others that are not as close.
    CollidingPairs(const TrackedView& view, const TrackSettings& settings, std::vector<Pair> near);

    [[nodiscard]] Recall count(std::span<const ActivePair> active, std::span<const Pair> delivered) const;
    [[nodiscard]] const std::vector<Pair>& pairs() const { return m_pairs; }
    // Of the pair at this place in pairs(): the place of the pair that stands for its region.
    [[nodiscard]] std::size_t region(std::size_t place) const { return m_region[place]; }

private:
    std::vector<Pair> m_pairs;
    std::vector<std::size_t> m_region;
    std::vector<std::uint8_t> m_edge;  // per capsule: an edge of a mesh
};

// The colliding pairs as this exact detector finds them. Allocates.
CollidingPairs find_colliding(const TrackedView& view, const TrackSettings& settings, DetectorKind detector);

// Against every pair, at the place of the detection. Allocates; not for use within a step.
Recall compute_recall(const TrackedView& view, const TrackSettings& settings, std::span<const ActivePair> active,
                      std::span<const Pair> delivered);

}  // namespace plica
