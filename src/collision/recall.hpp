#pragma once
#include "collision/tracked.hpp"

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

// Against every pair, at the place of the detection. Allocates; not for use within a step.
Recall compute_recall(const TrackedView& view, const TrackSettings& settings, std::span<const ActivePair> active,
                      std::span<const Pair> delivered);

}  // namespace plica
