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

inline std::size_t index(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

inline bool share_node(const std::array<std::size_t, 3>& p, const std::array<std::size_t, 3>& q) {
    for (const std::size_t node : p)
        if (node == q[0] || node == q[1] || node == q[2]) return true;
    return false;
}

inline constexpr double touch_factor = 1.02;  // of the radii: what is nearer counts as touching
inline constexpr double slack_factor = 1e-6;  // of a primitive's box: far above rounding and a crossing's tolerance

}  // namespace plica::audit
