#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

// What a search for pairs must find: every two parts of solids that are within their contact radii, by looking at all.
namespace plica::app {

using PartPair = std::array<std::int32_t, 2>;  // a corner and a triangle or two edges, numbered as the surface does

// Those that may touch and are closer than their radii at the start, in the middle or at the end of the way from x to
// p; ascending. Distances are the audit's.
std::vector<PartPair> find_near_pairs(const Surface& surface, std::span<const Vec3> x, std::span<const Vec3> p);

// Those of `near` that are not in `listed`; both ascending.
std::vector<PartPair> find_unlisted(const std::vector<PartPair>& near, std::span<const PartPair> listed);

// Says which pairs can be a first contact of closed bodies: those whose facets have normals in no common open
// half-space.
class FirstContacts {
public:
    FirstContacts(const Surface& surface, std::size_t nodes);

    // False only when a half-space was found.
    [[nodiscard]] bool contain(const PartPair& pair, std::span<const Vec3> x) const;

private:
    [[nodiscard]] std::vector<std::int32_t> facets_around(std::int32_t primitive) const;

    const Surface& m_surface;
    std::vector<std::vector<std::int32_t>> m_fans;  // per node: triangles
};

}  // namespace plica::app
