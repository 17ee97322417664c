#pragma once
#include "bench/common/bench.hpp"

namespace plica::bench {

// Resident memory of a world that holds nothing but a block of `side`^3 x 6 tetrahedra, without contact: in the steady
// state after some steps, and at its peak until it was built and until then. Measured in a process of its own.
Json measure_world_memory(int side);

}  // namespace plica::bench
