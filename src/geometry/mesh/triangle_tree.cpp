#include "geometry/mesh/triangle_tree.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/closest.hpp"

namespace plica {
namespace {

constexpr std::int32_t leaf_size = 4;

Vec3 lower(const Vec3& a, const Vec3& b) {
    return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
Vec3 upper(const Vec3& a, const Vec3& b) {
    return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}

// Whether the line from o along d passes the edge a b on its left. Seen from the other triangle the edge runs the other
// way and the answer is the opposite one, to the last bit, also when the line meets the edge.
bool passes_left(const Vec3& o, const Vec3& d, const std::vector<Vec3>& nodes, std::int32_t a, std::int32_t b) {
    const bool turned = a > b;
    const Vec3 p = nodes[static_cast<std::size_t>(turned ? b : a)] - o;
    const Vec3 q = nodes[static_cast<std::size_t>(turned ? a : b)] - o;
    return (dot(d, cross(p, q)) >= 0.0) != turned;
}

}  // namespace

TriangleTree::TriangleTree(SurfaceMesh surface) : m_surface(std::move(surface)) {
    m_order.resize(m_surface.triangles.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    m_nodes.reserve(m_order.size());
    if (!m_order.empty()) build(0, static_cast<std::int32_t>(m_order.size()));
}

TriangleTree::Box TriangleTree::box_of(std::int32_t triangle) const {
    const auto& t = m_surface.triangles[static_cast<std::size_t>(triangle)];
    const Vec3& a = m_surface.nodes[static_cast<std::size_t>(t[0])];
    const Vec3& b = m_surface.nodes[static_cast<std::size_t>(t[1])];
    const Vec3& c = m_surface.nodes[static_cast<std::size_t>(t[2])];
    return {lower(lower(a, b), c), upper(upper(a, b), c)};
}

void TriangleTree::build(std::int32_t begin, std::int32_t end) {
    Box box = box_of(m_order[static_cast<std::size_t>(begin)]);
    for (std::int32_t i = begin + 1; i < end; ++i) {
        const Box other = box_of(m_order[static_cast<std::size_t>(i)]);
        box = {lower(box.low, other.low), upper(box.high, other.high)};
    }
    const std::size_t self = m_nodes.size();
    m_nodes.push_back({box, begin, end - begin});
    if (end - begin <= leaf_size) return;
    const Vec3 size = box.high - box.low;
    double Vec3::* const axis =
        size.x >= size.y && size.x >= size.z ? &Vec3::x : (size.y >= size.z ? &Vec3::y : &Vec3::z);
    const auto middle_of = [&](std::int32_t triangle) {
        const Box b = box_of(triangle);
        return b.low.*axis + b.high.*axis;
    };
    const std::int32_t half = begin + (end - begin) / 2;
    std::nth_element(m_order.begin() + begin, m_order.begin() + half, m_order.begin() + end,
                     [&](std::int32_t a, std::int32_t b) {
                         const double ma = middle_of(a);
                         const double mb = middle_of(b);
                         return ma != mb ? ma < mb : a < b;
                     });
    build(begin, half);
    m_nodes[self].first = static_cast<std::int32_t>(m_nodes.size());
    m_nodes[self].count = 0;
    build(half, end);
}

template <class Visit>
void TriangleTree::visit_near(const Box& box, Visit&& visit) const {
    if (m_nodes.empty()) return;
    const auto apart = [&](const Box& b) {
        return b.low.x > box.high.x || b.high.x < box.low.x || b.low.y > box.high.y || b.high.y < box.low.y ||
               b.low.z > box.high.z || b.high.z < box.low.z;
    };
    std::int32_t stack[64];  // halving: never deeper than 32
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::int32_t at = stack[--depth];
        const Node& node = m_nodes[static_cast<std::size_t>(at)];
        if (apart(node.box)) continue;
        if (node.count == 0) {
            stack[depth++] = node.first;
            stack[depth++] = at + 1;
            continue;
        }
        for (std::int32_t i = 0; i < node.count; ++i) {
            const std::int32_t triangle = m_order[static_cast<std::size_t>(node.first + i)];
            if (!apart(box_of(triangle))) visit(m_surface.triangles[static_cast<std::size_t>(triangle)]);
        }
    }
}

void TriangleTree::find_crossings(const Vec3& from, const Vec3& to, std::vector<Crossing>& crossings) const {
    crossings.clear();
    const Vec3 d = to - from;
    const auto& nodes = m_surface.nodes;
    visit_near({lower(from, to), upper(from, to)}, [&](const std::array<std::int32_t, 3>& t) {
        const bool left = passes_left(from, d, nodes, t[0], t[1]);
        if (passes_left(from, d, nodes, t[1], t[2]) != left || passes_left(from, d, nodes, t[2], t[0]) != left) return;
        const Vec3& a = nodes[static_cast<std::size_t>(t[0])];
        const Vec3 n = cross(nodes[static_cast<std::size_t>(t[1])] - a, nodes[static_cast<std::size_t>(t[2])] - a);
        const double speed = dot(n, d);
        if (speed == 0.0) return;
        const double place = dot(n, a - from) / speed;
        if (place >= 0.0 && place <= 1.0) crossings.push_back({place, left ? -1 : 1});
    });
    std::sort(crossings.begin(), crossings.end(),
              [](const Crossing& a, const Crossing& b) { return a.t != b.t ? a.t < b.t : a.turn > b.turn; });
}

double TriangleTree::find_nearest(const Vec3& from, const Vec3& to, double reach) const {
    const Vec3 margin{reach, reach, reach};
    double best = reach * reach;
    double place = 0.5;
    visit_near({lower(from, to) - margin, upper(from, to) + margin}, [&](const std::array<std::int32_t, 3>& t) {
        const auto at = [&](std::size_t k) { return m_surface.nodes[static_cast<std::size_t>(t[k])]; };
        const SegmentTriangle found = closest_segment_triangle(from, to, at(0), at(1), at(2));
        if (found.squared_distance > best) return;
        best = found.squared_distance;
        place = found.s;
    });
    return place;
}

}  // namespace plica
