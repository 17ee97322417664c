#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/candidates.hpp"
#include "collision/neighbours.hpp"
#include "collision/pair_set.hpp"
#include "core/random.hpp"

// Stochastic closest-feature tracking, the papers' detector: local minima of the distance between segments, tracked
// from one detection to the next and found by chance (Raghupathi 2003, sec. 4; 2004, sec. 4.1). It sees capsules, their
// neighbours and positions, and may miss what the exact detectors find: docs/papers/raghupathi.md.
namespace plica {

// A pair whose distance is a local minimum, or on its way to one. a < b.
struct ActivePair {
    std::int32_t a, b;
};

struct TrackSettings {
    std::int32_t draws = 0;  // n: random pairs in each detection, of tubes, and as many of tubes and edges
    double near = 1.5;       // in sums of radii: pairs further apart are not worth tracking
    // In sums of radii: closer pairs collide. A contact that is solved rests at 1, up to rounding; at 1 it would come
    // and go with every substep.
    double touching = 1.02;
};

struct TrackedView {
    const Surface& surface;
    const Neighbours& neighbours;
    std::span<const std::uint8_t> enabled;  // per capsule
    std::span<const Vec3> x;
};

// Distance tests of one detection.
struct TrackCounts {
    std::int64_t tests = 0;  // all of them
    std::int64_t update = 0, draw = 0, flood = 0;
    std::int64_t tracked = 0;                // pairs that were active before
    std::int32_t most_tubes = 0;             // in one move of a pair of tubes: 9 at most
    std::int32_t most_edges = 0;             // of a tube and an edge: 13 at most
    std::int32_t draws = 0, edge_draws = 0;  // that found a pair which may touch
};

struct TrackScratch {
    std::vector<ActivePair> next;
    std::vector<ActivePair> stack;
    PairSet tracked, visited;
};

// Makes room for what a dense pile needs.
void reserve_tracks(const Neighbours& neighbours, const TrackSettings& settings, std::vector<ActivePair>& active,
                    TrackScratch& scratch);

// One detection: every active pair moves to the closest of its neighbours, n random pairs are tried, what is too far or
// doubled is dropped, and the areas around active pairs that collide are searched. `colliding` comes sorted.
TrackCounts track(const TrackedView& view, const TrackSettings& settings, Random& random,
                  std::vector<ActivePair>& active, TrackScratch& scratch, std::vector<Pair>& colliding);

// All colliding pairs that are connected, neighbour by neighbour, with those of `seeds` that collide. Sorted. Returns
// the tests.
std::int64_t flood(const TrackedView& view, const TrackSettings& settings, std::span<const ActivePair> seeds,
                   TrackScratch& scratch, std::vector<Pair>& colliding);

}  // namespace plica
