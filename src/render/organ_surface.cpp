#include "render/organ_surface.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "geometry/smooth_normals.hpp"

namespace plica::render {
namespace {

void store(const Vec3& v, float (&to)[3]) {
    to[0] = static_cast<float>(v.x);
    to[1] = static_cast<float>(v.y);
    to[2] = static_cast<float>(v.z);
}

double angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

}  // namespace

OrganSurface::OrganSurface(const Organ& organ) {
    NormalSlots slots = find_normal_slots(organ.triangles, organ.rest);
    for (const std::uint8_t creased : slots.creased) {
        vertices.push_back({{}, -1.0F, {}, creased != 0 ? 0.0F : 1.0F});
    }
    nodes = std::move(slots.node);
    triangles = std::move(slots.slot);
    m_normal.resize(nodes.size());
}

void OrganSurface::update(const Organ& organ, std::span<const Vec3> positions) {
    std::fill(m_normal.begin(), m_normal.end(), Vec3{});
    const auto place = [&](std::int32_t vertex) -> const Vec3& {
        return positions[at(organ.nodes[at(nodes[at(vertex)])])];
    };
    for (const auto& [i, j, k] : triangles) {
        const Vec3 ab = place(j) - place(i), bc = place(k) - place(j), ca = place(i) - place(k);
        const Vec3 normal = normalized(cross(ab, -ca));
        m_normal[at(i)] += angle_between(ab, -ca) * normal;
        m_normal[at(j)] += angle_between(bc, -ab) * normal;
        m_normal[at(k)] += angle_between(ca, -bc) * normal;
    }
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        store(place(static_cast<std::int32_t>(i)), vertices[i].position);
        store(normalized(m_normal[i]), vertices[i].normal);
    }
}

void OrganSurface::set_field(const Organ& organ, std::span<const float> field, const FieldRange& range) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const std::size_t node = at(organ.nodes[at(nodes[i])]);
        const double value = node < field.size() ? static_cast<double>(field[node]) : std::nan("");
        const double share = (value - range.low) / (range.high - range.low);
        vertices[i].share = std::isfinite(share) ? static_cast<float>(std::clamp(share, 0.0, 1.0)) : -1.0F;
    }
}

}  // namespace plica::render
