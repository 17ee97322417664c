#pragma once
#include <cstdint>

#include "core/isa.hpp"

// The vector kernel that bounds the motion of a patch since its last refit.
namespace plica {

// The corners of patches, one array per number; each patch has a multiple of eight of them, some repeated.
struct CornerArrays {
    const std::int32_t* node;
    const double *x, *y, *z;  // m: where they were at the last refit, in the frame of their body
    int first, last;          // those of the patch: first .. last - 1
};

// m^2. How far corners went at most, and how far any two of them against each other. Infinite when one is not finite.
struct CornerMotion {
    double farthest, spread;
};

// Of the corners at x in a frame at `from` and at p in a frame at `to`, since the last refit.
PLICA_KERNEL_VARIANTS(CornerMotion measure_motion(const double* x, const double* p, const CornerArrays& corners,
                                                  const double* from, const double* to))

}  // namespace plica
