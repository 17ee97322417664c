#include "experiments/raghupathi/other_detectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "collision/find_pairs.hpp"
#include "contact/contact.hpp"
#include "core/index.hpp"

namespace plica::experiments {
namespace {

// Side of a voxel over the largest sphere's radius. The larger, the fewer neighbours lie in another voxel, and the more
// tests are made; the papers do not print it.
constexpr double literal_voxel = 4.0;

bool may_touch(const Surface& s, std::int32_t a, std::int32_t b) {
    const std::size_t capsules = s.capsules.size();
    if (at(a) >= capsules || b <= a) return false;
    return at(b) < capsules ? capsules_can_touch(s, at(a), at(b)) : can_touch(s, at(a), at(b) - capsules);
}

// Doubles go, then the exact distance decides.
void keep_near(const Surface& surface, std::span<const Vec3> x, double near, std::vector<PrimitivePair>& hits,
               Found& found) {
    std::sort(hits.begin(), hits.end());
    hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
    found.candidates += static_cast<std::int64_t>(hits.size());
    for (const PrimitivePair& hit : hits) {
        Pair pair;
        pair.a = hit[0];
        pair.b = hit[1];
        if (measure(surface, pair, x, {}).gap <= near) found.pairs.push_back(hit);
    }
}

Vec3 smaller(const Vec3& a, const Vec3& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 larger(const Vec3& a, const Vec3& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

}  // namespace

SphereGrid::SphereGrid(const Surface& surface, VoxelReading reading)
    : m_surface(surface), m_reading(reading), m_tube(std::numeric_limits<double>::infinity()) {
    for (const Capsule& c : surface.capsules) m_tube = c.edge ? m_tube : std::min(m_tube, c.radius);
}

void SphereGrid::cover_capsule(const Capsule& c, std::int32_t primitive, std::span<const Vec3> x, double near) {
    const Vec3 along = x[at(c.b)] - x[at(c.a)];
    const double length = norm(along);
    const int count = std::max(1, static_cast<int>(std::ceil(length / c.radius)));
    const double half = 0.5 * length / count;
    const double covering =
        m_reading == VoxelReading::covered ? std::sqrt(c.radius * c.radius + half * half) : c.radius;
    for (int i = 0; i <= count; ++i) {
        m_spheres.push_back({x[at(c.a)] + along * (static_cast<double>(i) / count), covering + 0.5 * near, primitive});
    }
}

// Cut into pieces that are no longer than a tube is wide.
void SphereGrid::cover_triangle(const Triangle& t, std::int32_t primitive, std::span<const Vec3> x, double near) {
    const Vec3& a = x[at(t.a)];
    const Vec3 u = x[at(t.b)] - a;
    const Vec3 v = x[at(t.c)] - a;
    const double longest = std::max({norm(u), norm(v), norm(u - v)});
    const int n = std::max(1, static_cast<int>(std::ceil(longest / (2.0 * m_tube))));
    const auto corner = [&](double i, double j) { return a + u * (i / n) + v * (j / n); };
    const auto add = [&](const Vec3& p, const Vec3& q, const Vec3& r) {
        const Vec3 centre = (p + q + r) / 3.0;
        const double covering = std::max({distance(centre, p), distance(centre, q), distance(centre, r)});
        m_spheres.push_back({centre, covering + t.half_thickness + 0.5 * near, primitive});
    };
    for (int i = 0; i < n; ++i) {
        for (int j = 0; i + j < n; ++j) {
            add(corner(i, j), corner(i + 1, j), corner(i, j + 1));
            if (i + j + 1 < n) add(corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
        }
    }
}

void SphereGrid::insert(std::int32_t sphere, const std::array<std::int32_t, 3>& voxel, bool stays, Found& found) {
    const auto key = static_cast<std::uint32_t>(voxel[0]) * 73856093U ^
                     static_cast<std::uint32_t>(voxel[1]) * 19349663U ^
                     static_cast<std::uint32_t>(voxel[2]) * 83492791U;
    std::int32_t& head = m_heads[key & (m_heads.size() - 1)];
    const Sphere& s = m_spheres[at(sphere)];
    for (std::int32_t e = head; e >= 0; e = m_entries[at(e)].next) {
        if (m_entries[at(e)].voxel != voxel) continue;
        const Sphere& other = m_spheres[at(m_entries[at(e)].sphere)];
        if (!may_touch(m_surface, other.primitive, s.primitive)) continue;
        ++found.coarse_tests;
        const double reach = s.radius + other.radius;
        if (squared_norm(s.centre - other.centre) <= reach * reach) m_hits.push_back({other.primitive, s.primitive});
    }
    if (!stays) return;
    m_entries.push_back({voxel, sphere, head});
    head = static_cast<std::int32_t>(m_entries.size()) - 1;
}

void SphereGrid::find(std::span<const Vec3> x, double near, Found& found) {
    found = {};
    m_spheres.clear();
    m_entries.clear();
    m_hits.clear();
    std::int32_t primitive = 0;
    for (const Capsule& c : m_surface.capsules) cover_capsule(c, primitive++, x, near);
    for (const Triangle& t : m_surface.triangles) cover_triangle(t, primitive++, x, near);
    found.parts = static_cast<std::int64_t>(m_spheres.size());
    double largest = 0.0;
    for (const Sphere& s : m_spheres) largest = std::max(largest, s.radius);
    std::size_t size = 64;
    while (size < 4 * m_spheres.size()) size *= 2;
    m_heads.assign(size, -1);
    const double voxel = (m_reading == VoxelReading::covered ? 2.0 : literal_voxel) * largest;
    const double per_metre = 1.0 / voxel;
    const auto along = [&](double where) { return static_cast<std::int32_t>(std::floor(where * per_metre)); };
    for (std::size_t i = 0; i < m_spheres.size(); ++i) {
        const Sphere& s = m_spheres[i];
        // The mesentery is tested against the gut only: its spheres need not stay.
        const bool stays = at(s.primitive) < m_surface.capsules.size();
        const double r = m_reading == VoxelReading::covered ? s.radius : 0.0;
        const Vec3 lo = s.centre - Vec3{r, r, r};
        const Vec3 hi = s.centre + Vec3{r, r, r};
        for (std::int32_t a = along(lo.x); a <= along(hi.x); ++a) {
            for (std::int32_t b = along(lo.y); b <= along(hi.y); ++b) {
                for (std::int32_t c = along(lo.z); c <= along(hi.z); ++c) {
                    insert(static_cast<std::int32_t>(i), {a, b, c}, stays, found);
                }
            }
        }
    }
    keep_near(m_surface, x, near, m_hits, found);
}

BinaryTree::BinaryTree(const Surface& surface, bool rebuild) : m_surface(surface), m_rebuild(rebuild) {
    m_order.resize(static_cast<std::size_t>(primitive_count(surface)));
    std::iota(m_order.begin(), m_order.end(), 0);
    build(0, m_order.size());
}

void BinaryTree::bound_leaves(std::span<const Vec3> x, double near) {
    m_boxes.clear();
    const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c, double radius) {
        const double grown = (radius + 0.5 * near) * (1.0 + 1e-9);
        const Vec3 margin{grown, grown, grown};
        m_boxes.push_back({smaller(smaller(a, b), c) - margin, larger(larger(a, b), c) + margin});
    };
    for (const Capsule& c : m_surface.capsules) add(x[at(c.a)], x[at(c.b)], x[at(c.b)], c.radius);
    for (const Triangle& t : m_surface.triangles) add(x[at(t.a)], x[at(t.b)], x[at(t.c)], t.half_thickness);
}

std::int32_t BinaryTree::build(std::size_t first, std::size_t last) {
    const auto self = static_cast<std::int32_t>(m_nodes.size());
    m_nodes.push_back({{}, -1, -1});
    if (last - first == 1) {
        m_nodes[at(self)].right = m_order[first];
        return self;
    }
    const std::size_t half = first + (last - first) / 2;
    const std::int32_t left = build(first, half);
    const std::int32_t right = build(half, last);
    m_nodes[at(self)].left = left;
    m_nodes[at(self)].right = right;
    return self;
}

void BinaryTree::sort_halves(std::size_t first, std::size_t last) {
    if (last - first < 2) return;
    const auto centre = [&](std::int32_t i) { return m_boxes[at(i)].lo + m_boxes[at(i)].hi; };
    Vec3 lo = centre(m_order[first]);
    Vec3 hi = lo;
    for (std::size_t i = first; i < last; ++i) {
        lo = smaller(lo, centre(m_order[i]));
        hi = larger(hi, centre(m_order[i]));
    }
    const Vec3 size = hi - lo;
    const auto key = [&](std::int32_t i) {
        const Vec3 c = centre(i);
        return size.x >= size.y && size.x >= size.z ? c.x : size.y >= size.z ? c.y : c.z;
    };
    const std::size_t half = first + (last - first) / 2;
    const auto begin = m_order.begin();
    using Step = std::ptrdiff_t;
    std::nth_element(begin + static_cast<Step>(first), begin + static_cast<Step>(half), begin + static_cast<Step>(last),
                     [&](std::int32_t i, std::int32_t j) { return key(i) != key(j) ? key(i) < key(j) : i < j; });
    sort_halves(first, half);
    sort_halves(half, last);
}

void BinaryTree::refit() {
    for (std::size_t i = m_nodes.size(); i-- > 0;) {
        Node& node = m_nodes[i];
        if (node.left < 0) {
            node.box = m_boxes[at(node.right)];
            continue;
        }
        const Box& a = m_nodes[at(node.left)].box;
        const Box& b = m_nodes[at(node.right)].box;
        node.box = {smaller(a.lo, b.lo), larger(a.hi, b.hi)};
    }
}

void BinaryTree::search(std::int32_t a, Found& found) {
    const Box& box = m_boxes[at(a)];
    m_stack.assign(1, 0);
    while (!m_stack.empty()) {
        const Node& node = m_nodes[at(m_stack.back())];
        m_stack.pop_back();
        ++found.coarse_tests;
        const Vec3& lo = node.box.lo;
        const Vec3& hi = node.box.hi;
        if (lo.x > box.hi.x || lo.y > box.hi.y || lo.z > box.hi.z || hi.x < box.lo.x || hi.y < box.lo.y ||
            hi.z < box.lo.z) {
            continue;
        }
        if (node.left >= 0) {
            m_stack.push_back(node.left);
            m_stack.push_back(node.right);
        } else if (may_touch(m_surface, a, node.right)) {
            m_hits.push_back({a, node.right});
        }
    }
}

void BinaryTree::find(std::span<const Vec3> x, double near, Found& found) {
    found = {};
    found.parts = static_cast<std::int64_t>(m_order.size());
    m_hits.clear();
    bound_leaves(x, near);
    if (m_rebuild) {
        sort_halves(0, m_order.size());
        m_nodes.clear();
        build(0, m_order.size());
    }
    refit();
    for (std::int32_t a = 0; at(a) < m_surface.capsules.size(); ++a) {
        if (!m_surface.capsules[at(a)].edge) search(a, found);
    }
    keep_near(m_surface, x, near, m_hits, found);
}

}  // namespace plica::experiments
