#pragma once
#include <cstdint>

#include "core/isa.hpp"

namespace plica::bench {

// Floating-point operations of one round, per lane.
inline constexpr int operations_a_round = 24;

PLICA_KERNEL_VARIANTS(
    // Multiplies and adds in registers, twelve chains at a time, not fused; returns something that depends on all.
    float multiply_and_add(std::int64_t rounds); int float_lanes())

}  // namespace plica::bench
