#pragma once
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

// All that enters a step. What is recorded per step is this, so a replay needs nothing else.
struct ToolInput {
    static constexpr bool packed_doubles = true;
    Vec3 target;               // m, where the tool's handle is at the end of the step; it moves there linearly
    std::int32_t node = -1;    // the node a grab tool holds; -1: none
    std::int32_t present = 0;  // 0: withdrawn, touches and pulls nothing
};

struct Inputs {
    Vec3 gravity;  // m/s^2
    std::vector<ToolInput> tools;
};

}  // namespace plica
