#include "audit/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "audit/arcs.hpp"
#include "audit/separation.hpp"
#include "core/error.hpp"

namespace plica::audit {
Neighbours::Neighbours(std::span<const Primitive> primitives, std::span<const Vec3> rest) {
    set_reach(primitives, rest);
    find_overlaps(primitives, rest);
    find_near_by_arc(primitives, rest, m_listed);
    std::sort(m_listed.begin(), m_listed.end());
    m_listed.erase(std::unique(m_listed.begin(), m_listed.end()), m_listed.end());
}

void Neighbours::set_reach(std::span<const Primitive> primitives, std::span<const Vec3> rest) {
    struct Length {
        double sum = 0.0;
        int segments = 0;
    };
    std::int32_t chains = 0;
    for (const Primitive& p : primitives) chains = std::max(chains, p.chain + 1);
    std::vector<Length> lengths(index(chains));
    for (const Primitive& p : primitives) {
        if (!p.capsule || p.chain < 0 || p.nodes[0] == p.nodes[1]) continue;
        lengths[index(p.chain)].sum += distance(rest[p.nodes[0]], rest[p.nodes[1]]);
        ++lengths[index(p.chain)].segments;
    }
    m_reach.assign(primitives.size(), 0);
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const Primitive& p = primitives[i];
        if (!p.capsule || p.chain < 0 || lengths[index(p.chain)].segments == 0) continue;
        const double mean = lengths[index(p.chain)].sum / lengths[index(p.chain)].segments;
        if (!(mean > 0.0)) throw Error("audit: a chain has segments without length at rest");
        m_reach[i] = static_cast<std::int32_t>(std::min(std::ceil(std::numbers::pi * p.radius / mean), 1e8));
    }
}

// What the anatomy lays into each other by construction, a tenth of the radii to spare, is no finding.
void Neighbours::find_overlaps(std::span<const Primitive> primitives, std::span<const Vec3> x) {
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const Primitive& p = primitives[i];
        if (!p.exempt) continue;
        for (std::size_t j = 0; j < primitives.size(); ++j) {
            const Primitive& q = primitives[j];
            if (q.capsule || q.chain != p.chain) continue;
            const Edge edge{x[p.nodes[0]], x[p.nodes[1]]};
            const Face face{x[q.nodes[0]], x[q.nodes[1]], x[q.nodes[2]]};
            if (separation(edge, face) < 1.1 * (p.radius + q.radius) * (1.0 + 1e-9)) {
                m_listed.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
            }
        }
    }
}

bool Neighbours::contain(std::span<const Primitive> primitives, std::int32_t capsule, std::int32_t other) const {
    const Primitive& p = primitives[index(capsule)];
    const Primitive& q = primitives[index(other)];
    if (p.chain < 0 || p.chain != q.chain) return false;
    const bool columns = p.column_min >= 0 && q.column_min >= 0;
    const std::int32_t reach = m_reach[index(capsule)];
    if (columns && q.capsule) return std::abs(p.column_min - q.column_min) <= std::max(reach, m_reach[index(other)]);
    if (columns && q.column_max >= p.column_min - reach && q.column_min <= p.column_max + reach) return true;
    if (columns && !p.exempt) return false;
    return std::binary_search(m_listed.begin(), m_listed.end(), std::array<std::int32_t, 2>{capsule, other});
}

}  // namespace plica::audit
