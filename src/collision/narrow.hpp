#pragma once
#include <cstdint>

#include "core/isa.hpp"

// The vector kernels of detection: box overlaps of the broad phase, and the distances that end it.
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

// The planes of triangles, one array per number, each with eight more entries than triangles. A triangle that has
// hardly an area has no plane: its normal is zero.
struct PlaneArrays {
    const double *nx, *ny, *nz, *offset;  // unit normal; n.x = offset
};
PLICA_KERNEL_VARIANTS(void compute_planes(const double* x, const std::int32_t* const (&node)[3], int triangles,
                                          double* const (&normal)[3], double* offset))

// What a segment from p to q is looking for: triangles nearer than `radius` + their own `near`.
struct SegmentQuery {
    double p[3], q[3];
    double radius;
};
// Leaves out the triangles (ids from `first` on) that are known to be too far: the segment lies wholly on one side of
// their plane. What has a smaller id stays. In place; returns how many are left. `ids` has room for eight more.
PLICA_KERNEL_VARIANTS(int keep_beside(const PlaneArrays& planes, const double* near, const SegmentQuery& query,
                                      int first, std::int32_t* ids, int count))

// Squared distance of eight pairs: capsule axes (nodes == 4) or an axis and a triangle (nodes == 5).
PLICA_KERNEL_VARIANTS(void measure_pairs(const double* x, const std::int32_t (&node)[5][8], int nodes,
                                         double (&squared_distance)[8]))

}  // namespace plica
