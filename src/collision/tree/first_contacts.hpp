#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

// The exact counterpart of the normal cones' test, for feature pairs: which can be a first contact.
namespace plica {

// A corner and a triangle, or two edges, numbered as the surface does.
using FeaturePair = std::array<std::int32_t, 2>;

// Says which pairs can be a first contact of closed bodies: those whose facets have normals in no common open
// half-space. A search by cones may leave out the others.
class FirstContacts {
public:
    FirstContacts(const Surface& surface, std::size_t nodes);

    // False only when a half-space was found.
    [[nodiscard]] bool contain(const FeaturePair& pair, std::span<const Vec3> x) const;

private:
    [[nodiscard]] std::vector<std::int32_t> facets_around(std::int32_t primitive) const;

    const Surface& m_surface;
    std::vector<std::vector<std::int32_t>> m_fans;  // per node: triangles
};

}  // namespace plica
