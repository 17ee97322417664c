#pragma once
#include <cstdint>

#include "core/isa.hpp"

// Culling of candidate pairs before the narrow phase: the vector kernels of the search for rows. Counts are padded to
// multiples of eight by their callers.
namespace plica {

// |p - x - mean| per node.
PLICA_KERNEL_VARIANTS(void compute_node_travel(const double* x, const double* p, const double (&mean)[3], int nodes,
                                               double* travel))
// Per owner the largest travel of its three nodes (a capsule has one twice), and that plus its path: its path now.
// Returns by how much this has grown at most since it was `listed`.
struct PathArrays {
    const double* node_travel;
    const std::int32_t* node[3];  // per owner
    const double *path, *listed;  // m, per owner
    int owners;
};
PLICA_KERNEL_VARIANTS(double compute_paths(const PathArrays& arrays, double* travel, double* now))
// Pairs that are due: the paths of their owners a and b, and this much more, add up to that; in order. Returns how
// many.
struct DueArrays {
    const std::int32_t *a, *b;  // per pair: owners
    const double* due;          // m, per pair
    const double* path;         // m, per owner
    int pairs;
};
PLICA_KERNEL_VARIANTS(int find_due(const DueArrays& arrays, double more, std::int32_t* found))

// Pairs as convex sides that face each other.
struct FacingArrays {
    const std::int32_t* node[5];  // two of side a, three of side b; some repeated
    const double* normal[3];      // from b to a
};
// m, of these pairs (as many as a multiple of eight): how far side a lies beyond side b along the normal. Whatever
// normal it is, the sides are at least that far apart.
PLICA_KERNEL_VARIANTS(void compute_clearance(const double* x, const FacingArrays& pairs, const std::int32_t* which,
                                             int count, double* clearance))

}  // namespace plica
