#include "render/sheet_surface.hpp"

#include <algorithm>
#include <cstring>

#include "core/index.hpp"

namespace plica::render {
namespace {

void store_sheet(const Vec3& v, float (&to)[3]) {
    to[0] = static_cast<float>(v.x);
    to[1] = static_cast<float>(v.y);
    to[2] = static_cast<float>(v.z);
}

// Bits of a float that is not negative are ordered as it is; the farthest first.
std::uint64_t farthest_first(float squared_distance, std::size_t triangle) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &squared_distance, sizeof bits);
    return (static_cast<std::uint64_t>(~bits) << 32) | triangle;
}

}  // namespace

SheetSurface::SheetSurface(const Sheet& sheet)
    : nodes(sheet.nodes.size()),
      order(sheet.triangles.size()),
      m_normal(sheet.nodes.size()),
      m_keys(sheet.triangles.size()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].along = sheet.place[i][0];
        nodes[i].from_root = sheet.place[i][1];
    }
}

void SheetSurface::update(const Sheet& sheet, std::span<const Vec3> positions, const Vec3& eye) {
    std::fill(m_normal.begin(), m_normal.end(), Vec3{});
    for (std::size_t t = 0; t < sheet.triangles.size(); ++t) {
        const auto& [i, j, k] = sheet.triangles[t];
        const Vec3& a = positions[at(sheet.nodes[at(i)])];
        const Vec3& b = positions[at(sheet.nodes[at(j)])];
        const Vec3& c = positions[at(sheet.nodes[at(k)])];
        const Vec3 n = cross(b - a, c - a);  // long as the triangle is large
        for (const std::int32_t corner : {i, j, k}) m_normal[at(corner)] += n;
        m_keys[t] = farthest_first(static_cast<float>(squared_norm((a + b + c) / 3.0 - eye)), t);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        store_sheet(positions[at(sheet.nodes[i])], nodes[i].position);
        store_sheet(normalized(m_normal[i]), nodes[i].normal);
    }
    std::sort(m_keys.begin(), m_keys.end());
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = static_cast<std::int32_t>(m_keys[t] & 0xffffffffU);
}

}  // namespace plica::render
