#pragma once
#include <cstdint>

#include "core/isa.hpp"

namespace plica {

// The corners of patches, one array per number; each patch has a multiple of eight of them, some repeated.
struct CornerArrays {
    const std::int32_t* node;
    const double *x, *y, *z;  // m: where they were at the last refit, in the frame of their body
};

// How corners first .. last - 1 moved, in a frame that moved from `from` to `to`: -1 when one has left its skin on the
// way from x to p, otherwise the largest squared difference (m^2) between the displacements of any two.
PLICA_KERNEL_VARIANTS(double measure_motion(const double* x, const double* p, const CornerArrays& corners, int first,
                                            int last, const double* from, const double* to, double squared_skin))

}  // namespace plica
