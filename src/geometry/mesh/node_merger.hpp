#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

// Gives equal places the same number; places that differ in one bit are different, but for the sign of zero.
class NodeMerger {
public:
    std::vector<Vec3> nodes;

    std::int32_t add(Vec3 place) {
        place += Vec3{0.0, 0.0, 0.0};  // -0 becomes 0
        if (2 * (nodes.size() + 1) > m_slots.size()) grow();
        std::size_t slot = hash(place);
        while (m_slots[slot] >= 0) {
            if (nodes[static_cast<std::size_t>(m_slots[slot])] == place) return m_slots[slot];
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        m_slots[slot] = static_cast<std::int32_t>(nodes.size());
        nodes.push_back(place);
        return m_slots[slot];
    }

private:
    [[nodiscard]] std::size_t hash(const Vec3& p) const {
        std::uint64_t state = 0;
        for (const double c : {p.x, p.y, p.z}) {
            state = (state ^ std::bit_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15ULL;
            state ^= state >> 29U;
        }
        return static_cast<std::size_t>(state) & (m_slots.size() - 1);
    }
    void grow() {
        m_slots.assign(m_slots.empty() ? 1024 : 2 * m_slots.size(), -1);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            std::size_t slot = hash(nodes[i]);
            while (m_slots[slot] >= 0) slot = (slot + 1) & (m_slots.size() - 1);
            m_slots[slot] = static_cast<std::int32_t>(i);
        }
    }

    std::vector<std::int32_t> m_slots;  // a power of two
};

}  // namespace plica
