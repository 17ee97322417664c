#pragma once
#include <cstdint>

#include "core/isa.hpp"

// The vector kernels of detection.
namespace plica {

// Axis-aligned boxes, one array per side; eight more entries than boxes.
struct BoxArrays {
    const double* lo[3];
    const double* hi[3];
};

// Those of the boxes first .. last - 1 that overlap this one: their ids, as many as returned. `out` has room for eight
// more than last - first.
PLICA_KERNEL_VARIANTS(int find_overlaps(const BoxArrays& boxes, const std::int32_t* id, int first, int last,
                                        const double (&lo)[3], const double (&hi)[3], std::int32_t* out))

// Squared distance of eight pairs: capsule axes (nodes == 4) or an axis and a triangle (nodes == 5); for the latter a
// distance that is known to be larger than `near` may come out as infinite.
PLICA_KERNEL_VARIANTS(void measure_pairs(const double* x, const std::int32_t (&node)[5][8], int nodes,
                                         const double (&near)[8], double (&squared_distance)[8]))

}  // namespace plica
