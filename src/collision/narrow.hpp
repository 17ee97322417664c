#pragma once
#include <cstdint>

#include "core/isa.hpp"

// The vector kernels of detection.
namespace plica {

// Axis-aligned boxes, one array per side, each with eight more entries than boxes. The fourth axis is the place along
// a chain: what overlaps there is too close along it to touch.
struct BoxArrays {
    const double* lo[4];
    const double* hi[4];
};
struct Box {
    double lo[4], hi[4];
};

// Those of the boxes first .. last - 1 that overlap this one, and not along the chain: their ids, as many as returned.
// `out` has room for eight more than last - first.
PLICA_KERNEL_VARIANTS(int find_overlaps(const BoxArrays& boxes, const std::int32_t* id, int first, int last,
                                        const Box& box, std::int32_t* out))

// A tree of boxes, eight children a node: level 0 are the primitives' own in an order that keeps neighbours together,
// and box i of level k + 1 is around the boxes 8 i .. 8 i + 7 of level k. The last level has at most eight.
inline constexpr int most_levels = 10;
struct BoxTree {
    BoxArrays level[most_levels];
    int levels;
    const std::int32_t* id;  // of level 0
};

// Boxes of the next level; `count` is of the lower one.
PLICA_KERNEL_VARIANTS(void bound_level(const BoxArrays& lower, int count, double* const (&lo)[3],
                                       double* const (&hi)[3]))
// What find_overlaps() finds, through the tree; `out` has room for all.
PLICA_KERNEL_VARIANTS(int find_in_tree(const BoxTree& tree, const Box& box, std::int32_t* out))

// Squared distance of eight pairs: capsule axes (nodes == 4) or an axis and a triangle (nodes == 5); for the latter a
// distance that is known to be larger than `near` may come out as infinite.
PLICA_KERNEL_VARIANTS(void measure_pairs(const double* x, const std::int32_t (&node)[5][8], int nodes,
                                         const double (&near)[8], double (&squared_distance)[8]))

}  // namespace plica
