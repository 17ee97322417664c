#include "geometry/smooth_normals.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

using Triangles = std::span<const std::array<std::int32_t, 3>>;

void check_nodes(Triangles triangles, std::size_t nodes) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (const std::int32_t node : triangles[t]) {
            if (node >= 0 && at(node) < nodes) continue;
            throw Error("triangle " + std::to_string(t) + " has node " + std::to_string(node) + "; there are " +
                        std::to_string(nodes));
        }
    }
}

// Corners (3 t + k) that share a normal.
class Groups {
public:
    explicit Groups(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0U); }
    std::size_t find(std::size_t i) {
        while (m_parent[i] != i) i = m_parent[i] = m_parent[m_parent[i]];
        return i;
    }
    void join(std::size_t i, std::size_t j) {
        const std::size_t p = find(i), q = find(j);
        m_parent[std::max(p, q)] = std::min(p, q);
    }

private:
    std::vector<std::size_t> m_parent;
};

// A side of a triangle, by its lower and its higher node and the corners that are there.
struct Side {
    std::array<std::int32_t, 2> nodes;
    std::array<std::size_t, 2> corners;

    friend bool operator<(const Side& a, const Side& b) {
        return a.nodes != b.nodes ? a.nodes < b.nodes : a.corners[0] < b.corners[0];
    }
};

std::vector<Side> find_sides(Triangles triangles) {
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t next = (k + 1) % 3;
            Side side{{triangles[t][k], triangles[t][next]}, {3 * t + k, 3 * t + next}};
            if (side.nodes[0] > side.nodes[1]) {
                std::swap(side.nodes[0], side.nodes[1]);
                std::swap(side.corners[0], side.corners[1]);
            }
            sides.push_back(side);
        }
    }
    std::sort(sides.begin(), sides.end());
    return sides;
}

double turn_between(Triangles triangles, std::span<const Vec3> rest, const Side& a, const Side& b) {
    const auto normal = [&](const Side& side) {
        const auto& t = triangles[side.corners[0] / 3];
        return cross(rest[at(t[1])] - rest[at(t[0])], rest[at(t[2])] - rest[at(t[0])]);
    };
    const Vec3 m = normal(a), n = normal(b);
    return elementary::atan2(norm(cross(m, n)), dot(m, n));
}

// Joins corners over smooth edges; returns 1 for every node at the end of another one.
std::vector<std::uint8_t> join_corners(Triangles triangles, std::span<const Vec3> rest, double crease, Groups& groups) {
    std::vector<std::uint8_t> creased(rest.size(), 0);
    const std::vector<Side> sides = find_sides(triangles);
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].nodes == sides[i].nodes) ++end;
        if (end - i == 2 && turn_between(triangles, rest, sides[i], sides[i + 1]) <= crease) {
            for (const std::size_t k : {0U, 1U}) groups.join(sides[i].corners[k], sides[i + 1].corners[k]);
        } else {
            for (const std::int32_t node : sides[i].nodes) creased[at(node)] = 1;
        }
        i = end;
    }
    return creased;
}

void list_corners(NormalSlots& slots) {
    slots.first.assign(slots.count() + 1, 0);
    for (const auto& corners : slots.slot) {
        for (const std::int32_t slot : corners) ++slots.first[at(slot) + 1];
    }
    std::partial_sum(slots.first.begin(), slots.first.end(), slots.first.begin());
    slots.corners.resize(3 * slots.slot.size());
    std::vector<std::int32_t> next(slots.first.begin(), slots.first.end() - 1);
    for (std::size_t t = 0; t < slots.slot.size(); ++t) {
        for (std::int32_t k = 0; k < 3; ++k) {
            std::int32_t& place = next[at(slots.slot[t][at(k)])];
            slots.corners[at(place++)] = {static_cast<std::int32_t>(t), k};
        }
    }
}

}  // namespace

NormalSlots find_normal_slots(Triangles triangles, std::span<const Vec3> rest, double crease) {
    check_nodes(triangles, rest.size());
    Groups groups(3 * triangles.size());
    const std::vector<std::uint8_t> creased = join_corners(triangles, rest, crease, groups);
    NormalSlots slots;
    slots.slot.resize(triangles.size());
    std::vector<std::int32_t> slot_of(3 * triangles.size(), -1);
    for (std::size_t i = 0; i < slot_of.size(); ++i) {
        std::int32_t& slot = slot_of[groups.find(i)];
        if (slot < 0) {
            slot = static_cast<std::int32_t>(slots.count());
            slots.node.push_back(triangles[i / 3][i % 3]);
            slots.creased.push_back(creased[at(slots.node.back())]);
        }
        slots.slot[i / 3][i % 3] = slot;
    }
    list_corners(slots);
    return slots;
}

SmoothNormals::SmoothNormals(Triangles triangles, std::span<const Vec3> rest, double crease)
    : m_slots(find_normal_slots(triangles, rest, crease)),
      m_triangles(static_cast<int>(triangles.size())),
      m_normal(m_slots.count()) {
    const std::size_t padded = (triangles.size() + 7) / 8 * 8;
    for (std::size_t k = 0; k < 3; ++k) {
        m_node[k].reserve(padded);
        for (const auto& t : triangles) m_node[k].push_back(t[k]);
        if (!triangles.empty()) m_node[k].resize(padded, triangles.back()[k]);
        m_facet[k].resize(padded);
        m_weight[k].resize(padded);
    }
    update(rest);
}

void SmoothNormals::update(std::span<const Vec3> positions, NormalWeight weight, Isa isa) {
    if (m_triangles == 0) return;
    const auto compute = PLICA_PICK_KERNEL(isa, compute_facets);
    compute(&positions[0].x, {m_node[0].data(), m_node[1].data(), m_node[2].data()}, m_triangles,
            weight == NormalWeight::angle_and_area, {m_facet[0].data(), m_facet[1].data(), m_facet[2].data()},
            {m_weight[0].data(), m_weight[1].data(), m_weight[2].data()});
    for (std::size_t s = 0; s < m_normal.size(); ++s) {
        Vec3 sum;
        for (std::int32_t i = m_slots.first[s]; i < m_slots.first[s + 1]; ++i) {
            const NormalSlots::Corner& corner = m_slots.corners[at(i)];
            sum += facet(at(corner.triangle)) * m_weight[at(corner.at)][at(corner.triangle)];
        }
        m_normal[s] = normalized(sum);
    }
}

}  // namespace plica
