#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "audit/primitive.hpp"
#include "geometry/vec3.hpp"

namespace plica::audit {

// For chains without columns. Adds each pair (capsule, other) of a chain that has a node in common or is closer than an
// arc of pi r, r the larger radius of two capsules, that of the capsule for a triangle. Both orders may come up for two
// capsules, each with the smaller number first.
void find_near_by_arc(std::span<const Primitive> primitives, std::span<const Vec3> rest,
                      std::vector<std::array<std::int32_t, 2>>& pairs);

}  // namespace plica::audit
