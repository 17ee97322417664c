#include "audit/sheets.hpp"

#include <algorithm>
#include <numbers>
#include <set>
#include <utility>

#include "audit/crossing.hpp"
#include "audit/primitive.hpp"
#include "audit/separation.hpp"

namespace plica::audit {
namespace {

constexpr double rest_factor = 1.00001;  // positions at rest may have been rounded to floats

double most(std::span<const double> of_nodes, std::size_t offset, const std::array<std::size_t, 3>& nodes) {
    return std::max({of_nodes[offset + nodes[0]], of_nodes[offset + nodes[1]], of_nodes[offset + nodes[2]]});
}
}  // namespace

double widest(const Box& box) {
    return std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]});
}

std::size_t longest_axis(const std::vector<Box>& boxes) {
    Box all = boxes.front();
    for (const Box& box : boxes)
        for (std::size_t k = 0; k < 3; ++k) {
            all.lo[k] = std::min(all.lo[k], box.lo[k]);
            all.hi[k] = std::max(all.hi[k], box.hi[k]);
        }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (all.hi[k] - all.lo[k] > all.hi[axis] - all.lo[axis]) axis = k;
    return axis;
}

Sheets::Sheets(const Surface& surface, std::span<const Vec3> rest) {
    std::set<std::size_t> tubes;
    std::set<std::pair<std::size_t, std::size_t>> edges;  // those of tubes are taken
    for (const Capsule& c : surface.capsules) {
        if (c.a == c.b) continue;
        tubes.insert({index(c.a), index(c.b)});
        edges.insert(std::minmax(index(c.a), index(c.b)));
    }
    std::int32_t number = static_cast<std::int32_t>(surface.capsules.size());
    for (const Triangle& t : surface.triangles) {
        const std::int32_t triangle = number++;
        if (!t.sheet || !t.own || t.chain < 0) continue;
        const std::array<std::size_t, 3> n{index(t.a), index(t.b), index(t.c)};
        const auto part = [&](std::size_t a, std::size_t b, std::size_t c) {
            return Part{{a, b, c}, t.half_thickness, t.body, t.chain, triangle};
        };
        m_faces.push_back(part(n[0], n[1], n[2]));
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t next = (k + 1) % 3;
            if (tubes.insert(n[k]).second) m_corners.push_back(part(n[k], n[k], n[k]));
            if (edges.insert(std::minmax(n[k], n[next])).second) m_edges.push_back(part(n[k], n[next], n[next]));
        }
    }
    if (!empty()) m_rest.assign(rest.begin(), rest.end());
}

const SheetFindings& Sheets::examine(const Moves& moves) {
    m_findings.worst = 0.0;
    m_findings.worst_pair = {};
    m_findings.crossings.clear();
    m_findings.touching.clear();
    if (empty()) return m_findings;
    measure_boxes(moves, m_corners, m_corner_boxes);
    measure_boxes(moves, m_edges, m_edge_boxes);
    measure_boxes(moves, m_faces, m_face_boxes);
    const std::size_t axis = longest_axis(m_face_boxes);
    sort_intervals(m_corner_boxes, axis, m_corner_intervals);
    sort_intervals(m_edge_boxes, axis, m_edge_intervals);
    sort_intervals(m_face_boxes, axis, m_face_intervals);
    for (std::size_t i = 0; i < m_edge_intervals.size(); ++i) {
        const Interval& first = m_edge_intervals[i];
        for (std::size_t k = i + 1; k < m_edge_intervals.size() && m_edge_intervals[k].lo <= first.hi; ++k)
            consider(moves, Kind::edge_edge, first.part, m_edge_intervals[k].part);
    }
    // Each pair once, at the one of the two that begins first (the corner, if both do).
    std::size_t face = 0;
    std::size_t corner = 0;
    while (corner < m_corner_intervals.size() || face < m_face_intervals.size()) {
        const bool at_corner =
            face >= m_face_intervals.size() ||
            (corner < m_corner_intervals.size() && m_corner_intervals[corner].lo <= m_face_intervals[face].lo);
        const Interval& first = at_corner ? m_corner_intervals[corner++] : m_face_intervals[face++];
        const std::vector<Interval>& others = at_corner ? m_face_intervals : m_corner_intervals;
        for (std::size_t k = at_corner ? face : corner; k < others.size() && others[k].lo <= first.hi; ++k)
            consider(moves, Kind::corner_face, at_corner ? first.part : others[k].part,
                     at_corner ? others[k].part : first.part);
    }
    return m_findings;
}

void Sheets::measure_boxes(const Moves& moves, const std::vector<Part>& parts, std::vector<Box>& boxes) const {
    boxes.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Box& box = boxes[i];
        box = moves.boxes[parts[i].nodes[0]];
        for (const std::size_t node : parts[i].nodes)
            for (std::size_t k = 0; k < 3; ++k) {
                box.lo[k] = std::min(box.lo[k], moves.boxes[node].lo[k]);
                box.hi[k] = std::max(box.hi[k], moves.boxes[node].hi[k]);
            }
        const double margin = touch_factor * parts[i].radius + slack_factor * (parts[i].radius + widest(box));
        for (std::size_t k = 0; k < 3; ++k) {
            box.lo[k] -= margin;
            box.hi[k] += margin;
        }
    }
}

void Sheets::sort_intervals(const std::vector<Box>& boxes, std::size_t axis, std::vector<Interval>& intervals) const {
    intervals.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i) intervals.push_back({boxes[i].lo[axis], boxes[i].hi[axis], i});
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.lo < b.lo || (a.lo == b.lo && a.part < b.part); });
}

void Sheets::consider(const Moves& moves, Kind kind, std::size_t i, std::size_t j) {
    const bool edges = kind == Kind::edge_edge;
    const Box& a = edges ? m_edge_boxes[i] : m_corner_boxes[i];
    const Box& b = edges ? m_edge_boxes[j] : m_face_boxes[j];
    for (std::size_t k = 0; k < 3; ++k)
        if (a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k]) return;
    const Part& p = edges ? m_edges[i] : m_corners[i];
    const Part& q = edges ? m_edges[j] : m_faces[j];
    if (share_node(p.nodes, q.nodes)) return;
    examine_pair(moves, kind, p, q);
}

double Sheets::distance_of(Kind kind, const Part& p, const Part& q, const Vec3* x) {
    if (kind == Kind::edge_edge)
        return separation(Edge{x[p.nodes[0]], x[p.nodes[1]]}, Edge{x[q.nodes[0]], x[q.nodes[1]]});
    return separation(x[p.nodes[0]], Face{x[q.nodes[0]], x[q.nodes[1]], x[q.nodes[2]]});
}

bool Sheets::crosses(Kind kind, const Part& p, const Part& q, const Vec3* from, const Vec3* to) {
    const auto path = [from, to](std::size_t node) { return Path{from[node], to[node]}; };
    if (kind == Kind::edge_edge)
        return edges_cross(path(p.nodes[0]), path(p.nodes[1]), path(q.nodes[0]), path(q.nodes[1]));
    return point_crosses_face(path(p.nodes[0]), path(q.nodes[0]), path(q.nodes[1]), path(q.nodes[2]));
}

bool Sheets::is_left_out(Kind kind, const Part& p, const Part& q) const {
    if (p.chain < 0 || p.chain != q.chain) return false;
    return distance_of(kind, p, q, m_rest.data()) <= rest_factor * 0.5 * std::numbers::pi * (p.radius + q.radius);
}

// As Audit::examine_pair(): the distance falls by no more than the two move, and is measured anew only where that
// leaves something open.
void Sheets::examine_pair(const Moves& moves, Kind kind, const Part& p, const Part& q) {
    const double sum = p.radius + q.radius, touch = touch_factor * sum;
    double clearance = distance_of(kind, p, q, moves.frame(0));
    const double extent = norm(moves.frame(0)[p.nodes[0]] - moves.frame(0)[p.nodes[1]]) +
                          norm(moves.frame(0)[q.nodes[0]] - moves.frame(0)[q.nodes[1]]);
    const double slack = slack_factor * (extent + sum);
    if (clearance - most(moves.travel, 0, p.nodes) - most(moves.travel, 0, q.nodes) > touch + slack) return;
    if (is_left_out(kind, p, q)) return;
    const SheetPair pair{{std::min(p.triangle, q.triangle), std::max(p.triangle, q.triangle)},
                         {std::min(p.body, q.body), std::max(p.body, q.body)}};
    for (int s = 0; s < moves.substeps; ++s) {
        const std::size_t offset = index(s) * moves.nodes;
        const double least = clearance - most(moves.motion, offset, p.nodes) - most(moves.motion, offset, q.nodes);
        if (least <= slack && crosses(kind, p, q, moves.frame(s), moves.frame(s + 1)))
            m_findings.crossings.push_back(pair);
        const bool last = s + 1 == moves.substeps;
        clearance = least;
        if (least >= (last ? touch : sum * (1.0 - 0.5 * m_findings.worst))) continue;
        clearance = distance_of(kind, p, q, moves.frame(s + 1));
        if (last && clearance < touch) m_findings.touching.push_back(pair);
        const double depth = (sum - clearance) / (0.5 * sum);
        if (!(depth > m_findings.worst)) continue;
        m_findings.worst = depth;
        m_findings.worst_pair = pair;
    }
}

}  // namespace plica::audit
