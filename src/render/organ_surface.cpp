#include "render/organ_surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace plica::render {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

void store(const Vec3& v, float (&to)[3]) {
    to[0] = static_cast<float>(v.x);
    to[1] = static_cast<float>(v.y);
    to[2] = static_cast<float>(v.z);
}

double angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

// Corners of triangles (3 t + k) that are one vertex.
class Corners {
public:
    explicit Corners(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0U); }
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

// Corners from which the two triangles of an edge see its ends; none: an edge of one triangle only.
struct Edge {
    std::array<std::size_t, 2> first{}, second{};
    int triangles = 0;
};

using Edges = std::map<std::array<std::int32_t, 2>, Edge>;

Edges find_edges(const Organ& organ) {
    Edges edges;
    for (std::size_t t = 0; t < organ.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t next = (k + 1) % 3;
            std::int32_t low = organ.triangles[t][k], high = organ.triangles[t][next];
            std::array<std::size_t, 2> ends{3 * t + k, 3 * t + next};
            if (low > high) {
                std::swap(low, high);
                std::swap(ends[0], ends[1]);
            }
            Edge& edge = edges[{low, high}];
            (edge.triangles == 0 ? edge.first : edge.second) = ends;
            ++edge.triangles;
        }
    }
    return edges;
}

Vec3 rest_normal(const Organ& organ, std::size_t triangle) {
    const auto& [a, b, c] = organ.triangles[triangle];
    return cross(organ.rest[at(b)] - organ.rest[at(a)], organ.rest[at(c)] - organ.rest[at(a)]);
}

bool is_smooth(const Organ& organ, const Edge& edge) {
    if (edge.triangles != 2) return false;
    return angle_between(rest_normal(organ, edge.first[0] / 3), rest_normal(organ, edge.second[0] / 3)) <= crease_angle;
}

}  // namespace

OrganSurface::OrganSurface(const Organ& organ) : triangles(organ.triangles.size()) {
    Corners corners(3 * organ.triangles.size());
    std::vector<std::uint8_t> creased(organ.nodes.size(), 0);
    for (const auto& [ends, edge] : find_edges(organ)) {
        if (is_smooth(organ, edge)) {
            corners.join(edge.first[0], edge.second[0]);
            corners.join(edge.first[1], edge.second[1]);
        } else {
            creased[at(ends[0])] = creased[at(ends[1])] = 1;
        }
    }
    std::vector<std::int32_t> vertex(3 * organ.triangles.size(), -1);
    for (std::size_t i = 0; i < vertex.size(); ++i) {
        const std::size_t root = corners.find(i);
        const std::int32_t node = organ.triangles[i / 3][i % 3];
        if (vertex[root] < 0) {
            vertex[root] = static_cast<std::int32_t>(nodes.size());
            nodes.push_back(node);
            vertices.push_back({{}, -1.0F, {}, creased[at(node)] != 0 ? 0.0F : 1.0F});
        }
        triangles[i / 3][i % 3] = vertex[root];
    }
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
