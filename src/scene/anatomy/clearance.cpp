#include "scene/anatomy/clearance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plica {
namespace {

double point_segment_distance(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double dd = dot(d, d);
    const double t = dd > 0.0 ? std::clamp(dot(p - a, d) / dd, 0.0, 1.0) : 0.0;
    return distance(p, a + d * t);
}

// Distance to the triangle's face where p projects into it, else to its edges.
double point_triangle_distance(const Vec3& p, const std::array<Vec3, 3>& t) {
    double best = std::min({point_segment_distance(p, t[0], t[1]), point_segment_distance(p, t[1], t[2]),
                            point_segment_distance(p, t[2], t[0])});
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double nn = dot(n, n);
    if (nn <= 0.0) return best;
    for (std::size_t k = 0; k < 3; ++k) {
        if (dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n) < 0.0) return best;
    }
    return std::min(best, std::abs(dot(p - t[0], n)) / std::sqrt(nn));
}

bool pierces(const Vec3& a0, const Vec3& a1, const std::array<Vec3, 3>& t) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double d0 = dot(a0 - t[0], n), d1 = dot(a1 - t[0], n);
    if (d0 * d1 > 0.0 || d0 == d1) return false;
    const Vec3 p = a0 + (a1 - a0) * (d0 / (d0 - d1));
    for (std::size_t k = 0; k < 3; ++k) {
        if (dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n) < 0.0) return false;
    }
    return true;
}

}  // namespace

double segment_segment_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    // The minimum is at an end point of one of the two, or where both lines are closest.
    double best = std::min({point_segment_distance(a0, b0, b1), point_segment_distance(a1, b0, b1),
                            point_segment_distance(b0, a0, a1), point_segment_distance(b1, a0, a1)});
    const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const double det = uu * vv - uv * uv;
    if (det <= 1e-14 * uu * vv) return best;  // parallel: an end point is among the closest
    const double s = (uv * vw - vv * uw) / det, t = (uu * vw - uv * uw) / det;
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) return best;
    return std::min(best, norm(w + u * s - v * t));
}

double segment_triangle_distance(const Vec3& a0, const Vec3& a1, const std::array<Vec3, 3>& t) {
    if (pierces(a0, a1, t)) return 0.0;
    return std::min({point_triangle_distance(a0, t), point_triangle_distance(a1, t),
                     segment_segment_distance(a0, a1, t[0], t[1]), segment_segment_distance(a0, a1, t[1], t[2]),
                     segment_segment_distance(a0, a1, t[2], t[0])});
}

int excluded_columns(double radius, double chord) {
    return std::max(1, static_cast<int>(std::ceil(std::numbers::pi * radius / chord)));
}

GutClearance::GutClearance(const IntestineGeometry& geometry, double half_thickness)
    : m_geometry(geometry), m_half_thickness(half_thickness), m_columns(geometry.gut_nodes), m_bands(geometry.bands) {
    for (const double radius : geometry.radius) m_exclude.push_back(excluded_columns(radius, geometry.chord));
    m_runs.reserve(2 * static_cast<std::size_t>(m_columns));
    add_run(0, m_columns - 1);
}

Vec3 GutClearance::at(int row, int column) const {
    const Vec3& x = m_geometry.nodes[static_cast<std::size_t>(column)];
    const Vec3& q = m_geometry.ruling_end[static_cast<std::size_t>(column)];
    return row == m_bands ? q : x + (q - x) * (static_cast<double>(row) / m_bands);
}

std::int32_t GutClearance::add_run(int first, int last) {
    const std::size_t index = m_runs.size();
    m_runs.push_back({first, last, -1, -1, {}, 0.0, 0});
    m_strips.resize(m_strips.size() + static_cast<std::size_t>(m_bands));
    Run run = m_runs[index];
    bound(run);
    for (int k = 0; k < m_bands; ++k) {
        const int mid = (first + last) / 2;
        Capsule strip{at(k, mid), at(k + 1, mid), 0.0};
        for (int j = first; j <= last; ++j) {  // all triangles lie in the hull of these nodes
            strip.radius = std::max({strip.radius, point_segment_distance(at(k, j), strip.a, strip.b),
                                     point_segment_distance(at(k + 1, j), strip.a, strip.b)});
        }
        m_strips[index * static_cast<std::size_t>(m_bands) + static_cast<std::size_t>(k)] = strip;
    }
    if (last - first > 1) {
        run.left = add_run(first, (first + last) / 2);
        run.right = add_run((first + last) / 2, last);
    }
    m_runs[index] = run;
    return static_cast<std::int32_t>(index);
}

void GutClearance::bound(Run& run) {
    const auto node = [&](int j) { return m_geometry.nodes[static_cast<std::size_t>(j)]; };
    run.gut = {node(run.first), node(run.last), 0.0};
    run.min_exclude = m_columns;
    for (int j = run.first; j <= run.last; ++j) {
        run.gut.radius = std::max(run.gut.radius, point_segment_distance(node(j), run.gut.a, run.gut.b));
        if (j == run.last) break;
        run.max_radius = std::max(run.max_radius, m_geometry.radius[static_cast<std::size_t>(j)]);
        run.min_exclude = std::min(run.min_exclude, m_exclude[static_cast<std::size_t>(j)]);
    }
}

double GutClearance::gap(const Capsule& a, const Capsule& b) {
    return segment_segment_distance(a.a, a.b, b.a, b.b) - a.radius - b.radius;
}

bool GutClearance::gut_overlaps(std::int32_t ia, std::int32_t ib) const {
    const Run& a = m_runs[static_cast<std::size_t>(ia)];
    const Run& b = m_runs[static_cast<std::size_t>(ib)];
    const int exclude = std::max(a.min_exclude, b.min_exclude);
    if (b.last - 1 - a.first <= exclude) return false;  // a is never after b
    const double limit = a.max_radius + b.max_radius;
    if (ia != ib && gap(a.gut, b.gut) >= limit) return false;
    if (ia == ib) {
        if (a.left < 0) return false;
        return gut_overlaps(a.left, a.left) || gut_overlaps(a.left, a.right) || gut_overlaps(a.right, a.right);
    }
    if (a.left < 0 && b.left < 0) return true;  // the capsules are the segments themselves
    if (b.left < 0 || (a.left >= 0 && a.last - a.first > b.last - b.first)) {
        return gut_overlaps(a.left, ib) || gut_overlaps(a.right, ib);
    }
    return gut_overlaps(ia, b.left) || gut_overlaps(ia, b.right);
}

bool GutClearance::rows_near(const Run& gut, std::int32_t mesentery) const {
    const std::size_t begin = static_cast<std::size_t>(mesentery) * static_cast<std::size_t>(m_bands);
    const double limit = gut.max_radius + m_half_thickness;
    for (std::size_t k = 0; k < static_cast<std::size_t>(m_bands); ++k) {
        if (gap(gut.gut, m_strips[begin + k]) < limit) return true;
    }
    return false;
}

bool GutClearance::mesentery_overlaps(std::int32_t ig, std::int32_t im, int first, int last) const {
    const Run& gut = m_runs[static_cast<std::size_t>(ig)];
    const Run& mesentery = m_runs[static_cast<std::size_t>(im)];
    if (gut.first >= last || gut.last <= first) return false;
    // Quad c has columns c and c + 1; it is left out for segment i when one of them is in [i - kex, i + 1 + kex].
    const int kex = gut.min_exclude;
    if (mesentery.first + 1 >= gut.last - 1 - kex && mesentery.last - 1 <= gut.first + 1 + kex) return false;
    if (!rows_near(gut, im)) return false;
    if (gut.left < 0 && mesentery.left < 0) return quads_overlap(gut.first, mesentery.first);
    if (mesentery.left < 0 || (gut.left >= 0 && gut.last - gut.first > mesentery.last - mesentery.first)) {
        return mesentery_overlaps(gut.left, im, first, last) || mesentery_overlaps(gut.right, im, first, last);
    }
    return mesentery_overlaps(ig, mesentery.left, first, last) || mesentery_overlaps(ig, mesentery.right, first, last);
}

bool GutClearance::quads_overlap(int segment, int column) const {
    const std::size_t i = static_cast<std::size_t>(segment);
    const int kex = m_exclude[i];
    if (column + 1 >= segment - kex && column <= segment + 1 + kex) return false;
    const double limit = m_geometry.radius[i] + m_half_thickness;
    const Vec3 a0 = m_geometry.nodes[i], a1 = m_geometry.nodes[i + 1];
    for (int k = 0; k < m_bands; ++k) {
        const Vec3 a = at(k, column), b = at(k, column + 1), c = at(k + 1, column + 1), d = at(k + 1, column);
        if (segment_triangle_distance(a0, a1, {a, b, c}) < limit) return true;
        if (segment_triangle_distance(a0, a1, {a, c, d}) < limit) return true;
    }
    return false;
}

int GutClearance::last_overlap(int first, int last) const {
    if (first >= last || !mesentery_overlaps(first, last)) return -1;
    while (last - first > 1) {
        const int mid = (first + last) / 2;
        if (mesentery_overlaps(mid, last))
            first = mid;
        else
            last = mid;
    }
    return first;
}

int GutClearance::first_overlap(int first, int last) const {
    if (first >= last || !mesentery_overlaps(first, last)) return -1;
    while (last - first > 1) {
        const int mid = (first + last) / 2;
        if (mesentery_overlaps(first, mid))
            last = mid;
        else
            first = mid;
    }
    return first;
}

}  // namespace plica
