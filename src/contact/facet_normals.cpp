#include "contact/facet_normals.hpp"

#include <algorithm>

namespace plica {
namespace {

std::vector<std::array<std::int32_t, 3>> list_triangles(const Surface& surface) {
    std::vector<std::array<std::int32_t, 3>> triangles;
    triangles.reserve(surface.triangles.size());
    for (const Triangle& t : surface.triangles) triangles.push_back({t.a, t.b, t.c});
    return triangles;
}

// A side by the normals of its ends: two triangles that have the same ones there are smooth across it.
struct Side {
    std::array<std::int32_t, 2> slots;
    std::size_t place;  // 3 triangle + the corner opposite

    friend bool operator<(const Side& a, const Side& b) {
        return a.slots != b.slots ? a.slots < b.slots : a.place < b.place;
    }
};

std::vector<double> find_creases(const NormalSlots& slots) {
    std::vector<Side> sides;
    for (std::size_t t = 0; t < slots.slot.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(slots.slot[t][(k + 1) % 3], slots.slot[t][(k + 2) % 3]);
            sides.push_back({{a, b}, 3 * t + k});
        }
    }
    std::sort(sides.begin(), sides.end());
    std::vector<double> creases(sides.size(), 1.0);
    for (std::size_t i = 1; i < sides.size(); ++i) {
        if (sides[i].slots == sides[i - 1].slots) creases[sides[i].place] = creases[sides[i - 1].place] = 0.0;
    }
    return creases;
}

}  // namespace

FacetNormals::FacetNormals(const Surface& surface, std::span<const Vec3> rest, NormalKind kind)
    : m_smooth(list_triangles(surface), rest), m_creases(find_creases(m_smooth.slots())), m_kind(kind) {}

}  // namespace plica
