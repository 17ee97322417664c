#include "audit/solids.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "audit/exact.hpp"
#include "audit/primitive.hpp"
#include "core/error.hpp"

namespace plica::audit {
namespace {

constexpr double most_strips = 256.0;

double coordinate(double value) {
    if (!(std::abs(value) <= largest_coordinate)) throw Error("audit: a position is not finite", Status::invalid);
    return std::abs(value) < least_coordinate ? 0.0 : value;
}

// Without branches: whether they do is hard to foresee.
bool share_node_of(const std::array<std::size_t, 3>& p, const std::array<std::size_t, 3>& q) {
    bool shared = false;
    for (const std::size_t node : p) shared |= (node == q[0]) | (node == q[1]) | (node == q[2]);
    return shared;
}

double along(const Vec3& p, std::size_t axis) {
    return axis == 0 ? p.x : (axis == 1 ? p.y : p.z);
}

std::size_t longest_axis(const std::vector<Vec3>& points) {
    std::size_t longest = 0;
    double length = -1.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double lo = along(points.front(), axis), hi = lo;
        for (const Vec3& p : points) {
            lo = std::min(lo, along(p, axis));
            hi = std::max(hi, along(p, axis));
        }
        if (hi - lo > length) longest = axis;
        length = std::max(length, hi - lo);
    }
    return longest;
}

}  // namespace

Solids::Solids(const Surface& surface) : m_first(static_cast<std::int32_t>(surface.capsules.size())) {
    const auto is_closed = [](const Triangle& t) { return t.chain < 0; };
    if (std::none_of(surface.triangles.begin(), surface.triangles.end(), is_closed)) return;
    std::vector<std::size_t> place;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const Triangle& triangle = surface.triangles[t];
        if (is_closed(triangle) || triangle.sheet) add_triangle(triangle, static_cast<std::int32_t>(t), place);
    }
    list_neighbours();
    m_points.resize(m_nodes.size());
    m_boxes.resize(m_triangles.size());
    m_filed.reserve(4 * m_triangles.size());
    m_near.reserve(4 * m_triangles.size());
    m_strip_ends.reserve(static_cast<std::size_t>(most_strips) + 1);
}

void Solids::add_triangle(const Triangle& triangle, std::int32_t number, std::vector<std::size_t>& place) {
    constexpr std::size_t unused = static_cast<std::size_t>(-1);
    Nodes nodes{index(triangle.a), index(triangle.b), index(triangle.c)};
    for (std::size_t& node : nodes) {
        if (node >= place.size()) place.resize(node + 1, unused);
        if (place[node] == unused) {
            place[node] = m_nodes.size();
            m_nodes.push_back(node);
        }
        node = place[node];
    }
    m_starts.push_back({0.0, m_triangles.size()});
    m_numbers.push_back(number);
    m_open.push_back(triangle.chain < 0 ? 0 : 1);
    m_triangles.push_back(nodes);
}

void Solids::list_neighbours() {
    std::vector<std::vector<std::size_t>> around(m_nodes.size());
    for (std::size_t t = 0; t < m_triangles.size(); ++t)
        for (const std::size_t node : m_triangles[t]) around[node].push_back(t);
    std::vector<std::size_t> near;
    for (std::size_t t = 0; t < m_triangles.size(); ++t) {
        near.clear();
        for (const std::size_t node : m_triangles[t])
            std::copy_if(around[node].begin(), around[node].end(), std::back_inserter(near),
                         [&](std::size_t other) { return other > t && !are_open(t, other); });
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        for (const std::size_t other : near) add_neighbours(t, other);
    }
}

void Solids::add_neighbours(std::size_t i, std::size_t j) {
    Neighbours n{i, j, m_triangles[i], m_triangles[j], 0};
    for (std::size_t k = 0; k < 3; ++k) {
        const auto found = std::find(n.q.begin() + static_cast<std::ptrdiff_t>(n.common), n.q.end(), n.p[k]);
        if (found == n.q.end()) continue;
        std::swap(n.p[n.common], n.p[k]);
        std::iter_swap(n.q.begin() + static_cast<std::ptrdiff_t>(n.common), found);
        ++n.common;
    }
    m_neighbours.push_back(n);
}

std::span<const std::array<std::int32_t, 2>> Solids::find(const Vec3* positions) {
    m_pairs.clear();
    if (empty()) return m_pairs;
    take_points(positions);
    for (const Neighbours& n : m_neighbours)
        if (intersect(n)) add_pair(n.i, n.j);
    sort_boxes();
    lay_strips();
    fill_strips();
    for (std::size_t strip = 0; strip < m_strips.count; ++strip) sweep(strip);
    std::sort(m_pairs.begin(), m_pairs.end());
    return m_pairs;
}

void Solids::take_points(const Vec3* positions) {
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const Vec3& p = positions[m_nodes[i]];
        m_points[i] = {coordinate(p.x), coordinate(p.y), coordinate(p.z)};
    }
}

void Solids::sort_boxes() {
    const std::size_t axis = longest_axis(m_points);
    const auto ends = [&](std::size_t triangle, std::size_t k) {
        return std::minmax(
            {along(corner(triangle, 0), k), along(corner(triangle, 1), k), along(corner(triangle, 2), k)});
    };
    for (Start& start : m_starts) start.lo = ends(start.triangle, axis).first;
    std::sort(m_starts.begin(), m_starts.end(),
              [](const Start& a, const Start& b) { return a.lo < b.lo || (a.lo == b.lo && a.triangle < b.triangle); });
    for (std::size_t i = 0; i < m_starts.size(); ++i) {
        m_boxes[i].triangle = m_starts[i].triangle;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [lo, hi] = ends(m_starts[i].triangle, (axis + k) % 3);
            m_boxes[i].lo[k] = lo;
            m_boxes[i].hi[k] = hi;
        }
    }
}

// Never falls as x rises, however it is rounded.
std::size_t Solids::Strips::at(double x) const {
    return static_cast<std::size_t>(std::min((x - lo) * per_metre, static_cast<double>(count - 1)));
}

// Twice as wide as a box is on average.
void Solids::lay_strips() {
    double lo = m_boxes.front().lo[1], hi = lo, widths = 0.0;
    for (const Box& box : m_boxes) {
        lo = std::min(lo, box.lo[1]);
        hi = std::max(hi, box.hi[1]);
        widths += box.hi[1] - box.lo[1];
    }
    const double fitting = 0.5 * (hi - lo) * static_cast<double>(m_boxes.size()) / widths;
    m_strips.lo = lo;
    m_strips.count = fitting >= 1.0 ? static_cast<std::size_t>(std::min(fitting, most_strips)) : 1;
    m_strips.per_metre = hi > lo ? static_cast<double>(m_strips.count) / (hi - lo) : 0.0;
}

void Solids::fill_strips() {
    m_strip_ends.assign(m_strips.count + 1, 0);
    for (const Box& box : m_boxes)
        for (std::size_t s = m_strips.at(box.lo[1]); s <= m_strips.at(box.hi[1]); ++s) ++m_strip_ends[s + 1];
    for (std::size_t s = 0; s < m_strips.count; ++s) m_strip_ends[s + 1] += m_strip_ends[s];
    m_filed.resize(m_strip_ends.back());
    m_near.resize(m_filed.size());
    for (const Box& box : m_boxes)  // the start of each strip moves on to its end
        for (std::size_t s = m_strips.at(box.lo[1]); s <= m_strips.at(box.hi[1]); ++s) m_filed[m_strip_ends[s]++] = box;
}

// Two boxes that overlap are both in the strip where the later of them begins: there they are looked at.
void Solids::sweep(std::size_t strip) {
    const Box* boxes = m_filed.data();
    const Box** near = m_near.data();
    const Box* end = boxes + m_strip_ends[strip];
    for (const Box* first = boxes + (strip == 0 ? 0 : m_strip_ends[strip - 1]); first < end; ++first) {
        const Box a = *first;
        std::size_t count = 0;
        for (const Box* b = first + 1; b < end && b->lo[0] <= a.hi[0]; ++b) {
            near[count] = b;
            const bool overlap =
                (a.lo[1] <= b->hi[1]) & (b->lo[1] <= a.hi[1]) & (a.lo[2] <= b->hi[2]) & (b->lo[2] <= a.hi[2]);
            count += overlap ? 1U : 0U;
        }
        for (std::size_t k = 0; k < count; ++k) {
            const Box& b = *near[k];
            if (are_open(a.triangle, b.triangle)) continue;
            if (share_node_of(m_triangles[a.triangle], m_triangles[b.triangle])) continue;
            if (m_strips.at(std::max(a.lo[1], b.lo[1])) != strip) continue;
            if (triangles_meet(corners(a.triangle), corners(b.triangle))) add_pair(a.triangle, b.triangle);
        }
    }
}

bool Solids::intersect(const Neighbours& n) const {
    const auto p = [&](std::size_t k) { return m_points[n.p[k]]; };
    const auto q = [&](std::size_t k) { return m_points[n.q[k]]; };
    if (n.common == 1) return meet_beyond_corner({p(0), p(1), p(2)}, {q(0), q(1), q(2)});
    return n.common == 3 || are_folded(p(0), p(1), p(2), q(2));
}

void Solids::add_pair(std::size_t i, std::size_t j) {
    const auto [first, second] = std::minmax(m_numbers[i], m_numbers[j]);
    m_pairs.push_back({m_first + first, m_first + second});
}

}  // namespace plica::audit
