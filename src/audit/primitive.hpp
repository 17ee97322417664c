#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace plica::audit {

// Capsules and triangles alike. The audit numbers them as the surface does: capsules first, then triangles.
struct Primitive {
    std::array<std::size_t, 3> nodes;  // the last one repeated where there are fewer
    double radius;
    std::int32_t body;
    std::int32_t chain;                   // -1: none
    std::int32_t column_min, column_max;  // -1: the places along the chain are not known
    bool capsule, exempt;
};

}  // namespace plica::audit
