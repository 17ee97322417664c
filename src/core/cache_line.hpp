#pragma once

namespace plica {

// Eight doubles on a cache line: what std::vector is given when vector kernels work on it.
struct alignas(64) CacheLine {
    double at[8] = {};
};

}  // namespace plica
