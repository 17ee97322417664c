#include "audit/audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "audit/crossing.hpp"
#include "audit/separation.hpp"
#include "core/error.hpp"

namespace plica::audit {
namespace {

Edge edge_of(const std::array<std::size_t, 3>& n, const Vec3* x) {
    return {x[n[0]], x[n[1]]};
}

// p is a capsule.
double distance_of(const Primitive& p, const Primitive& q, const Vec3* x) {
    if (q.capsule) return separation(edge_of(p.nodes, x), edge_of(q.nodes, x));
    return separation(edge_of(p.nodes, x), Face{x[q.nodes[0]], x[q.nodes[1]], x[q.nodes[2]]});
}

bool crosses(const Primitive& p, const Primitive& q, const Vec3* from, const Vec3* to) {
    const auto path = [from, to](std::size_t node) { return Path{from[node], to[node]}; };
    const Path p0 = path(p.nodes[0]), p1 = path(p.nodes[1]), q0 = path(q.nodes[0]), q1 = path(q.nodes[1]);
    if (q.capsule) return edges_cross(p0, p1, q0, q1);
    const Path q2 = path(q.nodes[2]);
    const bool sphere = p.nodes[0] == p.nodes[1];
    return sphere ? point_crosses_face(p0, q0, q1, q2) : edge_crosses_face(p0, p1, q0, q1, q2);
}

}  // namespace

Audit::Audit(const Surface& surface, std::span<const Vec3> rest_positions, int bodies)
    : m_nodes(rest_positions.size()), m_bodies(std::max(bodies, 0)) {
    add_primitives(surface);
    check_indices();
    m_neighbours = Neighbours(m_primitives, rest_positions);
    m_sheets = Sheets(surface, rest_positions);
    m_solids = Solids(surface);
    list_nodes();
    m_travel.resize(m_nodes);
    m_node_boxes.resize(m_nodes);
    m_boxes.resize(m_primitives.size());
    m_capsules.resize(surface.capsules.size());
    m_triangles.resize(surface.triangles.size());
}

void Audit::add_primitives(const Surface& surface) {
    m_primitives.reserve(surface.capsules.size() + surface.triangles.size());
    for (const Capsule& c : surface.capsules)
        m_primitives.push_back({.nodes = {index(c.a), index(c.b), index(c.b)},
                                .radius = c.radius,
                                .body = c.body,
                                .chain = c.chain,
                                .column_min = c.column,
                                .column_max = c.column + 1,
                                .capsule = true,
                                .exempt = c.exempt});
    for (const Triangle& t : surface.triangles)
        m_primitives.push_back({.nodes = {index(t.a), index(t.b), index(t.c)},
                                .radius = t.half_thickness,
                                .body = t.body,
                                .chain = t.chain,
                                .column_min = t.column_min,
                                .column_max = t.column_max,
                                .capsule = false,
                                .exempt = false});
}

void Audit::check_indices() const {
    for (std::size_t i = 0; i < m_primitives.size(); ++i) {
        const Primitive& p = m_primitives[i];
        const bool nodes_known = p.nodes[0] < m_nodes && p.nodes[1] < m_nodes && p.nodes[2] < m_nodes;
        if (!nodes_known || p.body < 0 || p.body >= m_bodies)
            throw Error("audit: primitive " + std::to_string(i) + " names a node or a body that does not exist");
        if (!(p.radius >= 0.0) || !std::isfinite(p.radius))
            throw Error("audit: the radius of primitive " + std::to_string(i) + " is not a finite length");
    }
}

void Audit::list_nodes() {
    std::vector<std::uint8_t> used(m_nodes, 0);
    for (const Primitive& p : m_primitives)
        for (const std::size_t node : p.nodes) used[node] = 1;
    for (std::size_t n = 0; n < m_nodes; ++n)
        if (used[n] != 0) m_used.push_back(n);
}

const StepFindings& Audit::examine(std::span<const Vec3> trail, int moves, int interval) {
    if (moves < 1 || interval < 1 || trail.size() != (index(moves) + 1) * m_nodes)
        throw Error("audit: the trail must hold the start of the step and the end of each substep");
    m_findings = {};
    m_touching.clear();
    m_crossings.clear();
    m_intersections.clear();
    const Trail view{trail.data(), m_nodes, moves};
    if (has_moving_pairs()) {
        measure_nodes(view);
        measure_boxes();
        sort_intervals(longest_axis(m_boxes));
        sweep(view);
        examine_sheets(view);
    }
    if (!m_solids.empty()) examine_solids(view, interval);
    return m_findings;
}

int Audit::trail_interval() const {
    return has_moving_pairs() ? 1 : substeps_per_look;
}

void Audit::examine_solids(const Trail& trail, int interval) {
    const int stride = std::max(1, substeps_per_look / interval);
    for (int s = 1; s <= trail.substeps; ++s)
        if (s % stride == 0 || s == trail.substeps) look_at_solids(trail.frame(s));
}

void Audit::look_at_solids(const Vec3* positions) {
    const auto pairs = m_solids.find(positions);
    ++m_findings.looks;
    const auto count = static_cast<int>(std::min<std::size_t>(pairs.size(), std::numeric_limits<int>::max()));
    if (count <= m_findings.intersections) return;
    m_intersections.assign(pairs.begin(), pairs.end());
    const auto [a, b] = pairs.front();
    const std::int32_t body_a = m_primitives[index(a)].body, body_b = m_primitives[index(b)].body;
    m_findings.intersections = count;
    m_findings.intersection_a = a;
    m_findings.intersection_b = b;
    m_findings.intersection_bodies = {std::min(body_a, body_b), std::max(body_a, body_b)};
}

int Audit::touching(int body_a, int body_b) const {
    const BodyPair pair{std::min(body_a, body_b), std::max(body_a, body_b)};
    if (pair.a < 0 || pair.b >= m_bodies) throw Error("audit: there is no such body");
    return static_cast<int>(std::count(m_touching.begin(), m_touching.end(), pair));
}

bool Audit::examines(std::int32_t capsule, std::int32_t other) const {
    return !share_node(m_primitives[index(capsule)].nodes, m_primitives[index(other)].nodes) &&
           !m_neighbours.contain(m_primitives, capsule, other);
}

bool Audit::has_pairs() const {
    if (!m_sheets.empty() || !m_solids.empty()) return true;
    const auto primitives = static_cast<std::int32_t>(m_primitives.size());
    const auto capsules = static_cast<std::int32_t>(m_capsules.size());
    for (std::int32_t i = 0; i < capsules; ++i)
        for (std::int32_t j = primitives - 1; j > i; --j)
            if (!m_neighbours.contain(m_primitives, i, j)) return true;
    return false;
}

void Audit::examine_sheets(const Trail& trail) {
    if (m_sheets.empty()) return;
    const SheetFindings& found =
        m_sheets.examine({trail.positions, trail.nodes, trail.substeps, m_node_boxes, m_motion, m_travel});
    m_findings.pass_throughs += static_cast<int>(found.crossings.size());
    m_findings.touching += static_cast<int>(found.touching.size());
    for (const SheetPair& pair : found.crossings) m_crossings.push_back(pair.triangles);
    for (const SheetPair& pair : found.touching) m_touching.push_back({pair.bodies[0], pair.bodies[1]});
    if (!(found.worst > m_findings.worst)) return;
    m_findings.worst = found.worst;
    m_findings.worst_a = found.worst_pair.triangles[0];
    m_findings.worst_b = found.worst_pair.triangles[1];
}

void Audit::count_touching(const Primitive& p, const Primitive& q) {
    ++m_findings.touching;
    m_touching.push_back({std::min(p.body, q.body), std::max(p.body, q.body)});
}

void Audit::measure_nodes(const Trail& trail) {
    m_motion.resize(index(trail.substeps) * m_nodes);
    std::fill(m_travel.begin(), m_travel.end(), 0.0);
    const Vec3* start = trail.frame(0);
    for (const std::size_t n : m_used)
        m_node_boxes[n] = {{start[n].x, start[n].y, start[n].z}, {start[n].x, start[n].y, start[n].z}};
    for (int s = 0; s < trail.substeps; ++s) {
        const Vec3* from = trail.frame(s);
        const Vec3* to = trail.frame(s + 1);
        double* motion_here = m_motion.data() + index(s) * m_nodes;
        for (const std::size_t n : m_used) {
            motion_here[n] = distance(from[n], to[n]);
            m_travel[n] += motion_here[n];
            Box& box = m_node_boxes[n];
            box.lo = {std::min(box.lo[0], to[n].x), std::min(box.lo[1], to[n].y), std::min(box.lo[2], to[n].z)};
            box.hi = {std::max(box.hi[0], to[n].x), std::max(box.hi[1], to[n].y), std::max(box.hi[2], to[n].z)};
        }
    }
    for (const double travel : m_travel)  // a position that is not finite leaves a travel that is not
        if (!std::isfinite(travel)) throw Error("audit: a position is not finite", Status::invalid);
}

void Audit::measure_boxes() {
    for (std::size_t i = 0; i < m_primitives.size(); ++i) {
        const Primitive& p = m_primitives[i];
        Box& box = m_boxes[i];
        box = m_node_boxes[p.nodes[0]];
        double widest = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            box.lo[k] = std::min({box.lo[k], m_node_boxes[p.nodes[1]].lo[k], m_node_boxes[p.nodes[2]].lo[k]});
            box.hi[k] = std::max({box.hi[k], m_node_boxes[p.nodes[1]].hi[k], m_node_boxes[p.nodes[2]].hi[k]});
            widest = std::max(widest, box.hi[k] - box.lo[k]);
        }
        const double margin = touch_factor * p.radius + slack_factor * (p.radius + widest);
        for (std::size_t k = 0; k < 3; ++k) {
            box.lo[k] -= margin;
            box.hi[k] += margin;
        }
    }
}

void Audit::sort_intervals(std::size_t axis) {
    for (std::size_t i = 0; i < m_primitives.size(); ++i) {
        const bool capsule = i < m_capsules.size();
        Interval& slot = capsule ? m_capsules[i] : m_triangles[i - m_capsules.size()];
        slot = {m_boxes[i].lo[axis], m_boxes[i].hi[axis], static_cast<std::int32_t>(i)};
    }
    const auto earlier = [](const Interval& a, const Interval& b) {
        return a.lo < b.lo || (a.lo == b.lo && a.primitive < b.primitive);
    };
    std::sort(m_capsules.begin(), m_capsules.end(), earlier);
    std::sort(m_triangles.begin(), m_triangles.end(), earlier);
}

// Each pair that overlaps on the axis comes up once, at the one of the two that begins first (the capsule, if both do).
void Audit::sweep(const Trail& trail) {
    std::size_t triangle = 0;
    for (std::size_t c = 0; c < m_capsules.size(); ++c) {
        for (; triangle < m_triangles.size() && m_triangles[triangle].lo < m_capsules[c].lo; ++triangle)
            sweep_from(trail, m_triangles[triangle], m_capsules, c);
        sweep_from(trail, m_capsules[c], m_capsules, c + 1);
        sweep_from(trail, m_capsules[c], m_triangles, triangle);
    }
}

void Audit::sweep_from(const Trail& trail, const Interval& first, const std::vector<Interval>& others,
                       std::size_t start) {
    for (std::size_t k = start; k < others.size() && others[k].lo <= first.hi; ++k)
        consider(trail, std::min(first.primitive, others[k].primitive), std::max(first.primitive, others[k].primitive));
}

// i < j, so i is a capsule.
void Audit::consider(const Trail& trail, std::int32_t i, std::int32_t j) {
    const Box& a = m_boxes[index(i)];
    const Box& b = m_boxes[index(j)];
    for (std::size_t k = 0; k < 3; ++k)
        if (a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k]) return;
    if (!m_neighbours.contain(m_primitives, i, j)) examine_pair(trail, i, j);
}

double Audit::motion(const std::vector<double>& of_nodes, std::size_t offset, const Primitive& p) const {
    return std::max({of_nodes[offset + p.nodes[0]], of_nodes[offset + p.nodes[1]], of_nodes[offset + p.nodes[2]]});
}

// The distance of two primitives falls by no more than the two move. `clearance` is never more than the distance at the
// start of the substep; it is measured anew only where that bound leaves something open.
void Audit::examine_pair(const Trail& trail, std::int32_t i, std::int32_t j) {
    const Primitive& p = m_primitives[index(i)];
    const Primitive& q = m_primitives[index(j)];
    const double sum = p.radius + q.radius, touch = touch_factor * sum;
    const double slack = slack_factor * (widest(m_boxes[index(i)]) + widest(m_boxes[index(j)]));
    const bool joined = share_node(p.nodes, q.nodes);
    double clearance = distance_of(p, q, trail.frame(0));
    if (clearance - motion(m_travel, 0, p) - motion(m_travel, 0, q) > touch + slack) return;
    for (int s = 0; s < trail.substeps; ++s) {
        const std::size_t offset = index(s) * m_nodes;
        const double least = clearance - motion(m_motion, offset, p) - motion(m_motion, offset, q);
        if (!joined && least <= slack && crosses(p, q, trail.frame(s), trail.frame(s + 1))) {
            ++m_findings.pass_throughs;
            m_crossings.push_back({i, j});
        }
        const bool last = s + 1 == trail.substeps;
        clearance = least;
        if (least >= (last ? touch : sum * (1.0 - 0.5 * m_findings.worst))) continue;
        clearance = distance_of(p, q, trail.frame(s + 1));
        if (last && clearance < touch) count_touching(p, q);
        const double depth = (sum - clearance) / (0.5 * sum);
        if (!(depth > m_findings.worst)) continue;
        m_findings.worst = depth;
        m_findings.worst_a = i;
        m_findings.worst_b = j;
    }
}

}  // namespace plica::audit
