#include "collision/tree/first_contacts.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace plica {
namespace {

bool has_node(const Triangle& t, std::int32_t node) {
    return t.a == node || t.b == node || t.c == node;
}

}  // namespace

FirstContacts::FirstContacts(const Surface& surface, std::size_t nodes) : m_surface(surface), m_fans(nodes) {
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const Triangle& triangle = surface.triangles[t];
        for (const std::int32_t n : {triangle.a, triangle.b, triangle.c}) {
            m_fans[at(n)].push_back(static_cast<std::int32_t>(t));
        }
    }
}

std::vector<std::int32_t> FirstContacts::facets_around(std::int32_t primitive) const {
    const auto capsules = static_cast<std::int32_t>(m_surface.capsules.size());
    if (primitive >= capsules) return {primitive - capsules};
    const Capsule& c = m_surface.capsules[at(primitive)];
    std::vector<std::int32_t> facets;
    for (const std::int32_t t : m_fans[at(c.a)]) {
        if (has_node(m_surface.triangles[at(t)], c.b)) facets.push_back(t);
    }
    return facets;
}

// A direction that turns towards whichever normal it does not see: it comes to rest if there is a half-space with room
// to spare.
bool FirstContacts::contain(const FeaturePair& pair, std::span<const Vec3> x) const {
    constexpr int most_turns = 1000;
    std::vector<Vec3> normals;
    for (const std::int32_t primitive : pair) {
        for (const std::int32_t t : facets_around(primitive)) {
            const Triangle& f = m_surface.triangles[at(t)];
            normals.push_back(normalized(cross(x[at(f.b)] - x[at(f.a)], x[at(f.c)] - x[at(f.a)])));
        }
    }
    Vec3 direction;
    for (const Vec3& n : normals) direction += n;
    for (int i = 0; i < most_turns; ++i) {
        const auto hidden =
            std::find_if(normals.begin(), normals.end(), [&](const Vec3& n) { return !(dot(n, direction) > 1e-9); });
        if (hidden == normals.end()) return false;
        direction += *hidden;
    }
    return true;
}

}  // namespace plica
