#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "audit/primitive.hpp"
#include "geometry/vec3.hpp"

namespace plica::audit {

// The pairs of one chain that touch by construction. A tube of radius r cannot meet itself closer along its length than
// a U-turn of arc pi r: by columns that is ceil(pi r / h) of them, h the chain's mean segment at rest; where a chain
// has no columns it is the arc between the nearest ends, measured at rest along its segments (to a triangle: along its
// segments and the edges of its triangles). Besides these, triangles that an exempt capsule of their chain overlaps at
// rest.
class Neighbours {
public:
    Neighbours() = default;
    // The indices of the primitives must have been checked. Throws Error where a chain has no length.
    Neighbours(std::span<const Primitive> primitives, std::span<const Vec3> rest);

    // The same primitives again; capsule < other.
    [[nodiscard]] bool contain(std::span<const Primitive> primitives, std::int32_t capsule, std::int32_t other) const;

private:
    void set_reach(std::span<const Primitive> primitives, std::span<const Vec3> rest);
    void find_overlaps(std::span<const Primitive> primitives, std::span<const Vec3> rest);

    std::vector<std::int32_t> m_reach;                  // per primitive: columns along the chain
    std::vector<std::array<std::int32_t, 2>> m_listed;  // pairs that the columns do not tell, sorted
};

}  // namespace plica::audit
