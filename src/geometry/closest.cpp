#include "geometry/closest.hpp"

#include <algorithm>

namespace plica {
namespace {

double clamp01(double v) noexcept {
    return std::clamp(v, 0.0, 1.0);
}

// Below this share of the squared scale a segment is a point.
constexpr double degenerate = 1e-24;
// Segments with sin^2 of their angle below this are treated as parallel.
constexpr double parallel = 1e-9;

SegmentPair at(const Vec3& r, const Vec3& d1, const Vec3& d2, double s, double t) noexcept {
    return {s, t, squared_norm(r + d1 * s - d2 * t)};
}

}  // namespace

SegmentPair closest_segment_segment(const Vec3& p1, const Vec3& p2, const Vec3& q1, const Vec3& q2) noexcept {
    const Vec3 d1 = p2 - p1;
    const Vec3 d2 = q2 - q1;
    const Vec3 r = p1 - q1;
    const double a = squared_norm(d1);
    const double e = squared_norm(d2);
    const double b = dot(d1, d2);
    const double c = dot(d1, r);
    const double f = dot(d2, r);
    const double tiny = degenerate * (a + e + squared_norm(r));
    if (a <= tiny && e <= tiny) return at(r, d1, d2, 0.0, 0.0);
    if (a <= tiny) return at(r, d1, d2, 0.0, clamp01(f / e));
    if (e <= tiny) return at(r, d1, d2, clamp01(-c / a), 0.0);

    const double den = a * e - b * b;
    double s = 0.0;
    if (den > parallel * a * e) {
        s = clamp01((b * f - c * e) / den);
    } else {
        const double middle = 0.5 * (clamp01(f / e) + clamp01((b + f) / e));
        s = clamp01((b * middle - c) / a);
    }
    const double t = (b * s + f) / e;
    const double clamped = clamp01(t);
    if (clamped != t) s = clamp01((b * clamped - c) / a);
    return at(r, d1, d2, s, clamped);
}

// Voronoi regions of the triangle, tested vertex, edge, face (Ericson 2005, sec. 5.1.5).
TrianglePoint closest_point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
    const auto with = [&](double u, double v, double w) {
        return TrianglePoint{u, v, w, squared_norm(p - (a * u + b * v + c * w))};
    };
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const Vec3 ap = p - a;
    const double d1 = dot(ab, ap);
    const double d2 = dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return with(1, 0, 0);
    const Vec3 bp = p - b;
    const double d3 = dot(ab, bp);
    const double d4 = dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return with(0, 1, 0);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3) {
        const double v = d1 / (d1 - d3);
        return with(1.0 - v, v, 0);
    }
    const Vec3 cp = p - c;
    const double d5 = dot(ab, cp);
    const double d6 = dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return with(0, 0, 1);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6) {
        const double w = d2 / (d2 - d6);
        return with(1.0 - w, 0, w);
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 >= d3 && d5 >= d6 && (d4 - d3) + (d5 - d6) > 0.0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return with(0, 1.0 - w, w);
    }
    const double sum = va + vb + vc;
    if (!(sum > 0.0)) return with(1, 0, 0);
    return with(va / sum, vb / sum, vc / sum);
}

namespace {

// Where the segment passes through the face, if it does.
bool pierces(const Vec3& p1, const Vec3& p2, const Vec3& a, const Vec3& b, const Vec3& c,
             SegmentTriangle& hit) noexcept {
    const Vec3 n = cross(b - a, c - a);
    const double h1 = dot(n, p1 - a);
    const double h2 = dot(n, p2 - a);
    if ((h1 > 0.0) == (h2 > 0.0) || h1 == h2) return false;
    const double s = clamp01(h1 / (h1 - h2));
    const Vec3 p = p1 + (p2 - p1) * s;
    const double u = dot(n, cross(b - p, c - p));
    const double v = dot(n, cross(c - p, a - p));
    const double w = dot(n, cross(a - p, b - p));
    if (u < 0.0 || v < 0.0 || w < 0.0) return false;
    const double sum = u + v + w;
    if (!(sum > 0.0)) return false;
    hit = {s, u / sum, v / sum, w / sum, 0.0, true};
    return true;
}

}  // namespace

SegmentTriangle closest_segment_triangle(const Vec3& p1, const Vec3& p2, const Vec3& a, const Vec3& b,
                                         const Vec3& c) noexcept {
    SegmentTriangle best{};
    if (pierces(p1, p2, a, b, c, best)) return best;
    const TrianglePoint e1 = closest_point_triangle(p1, a, b, c);
    best = {0.0, e1.u, e1.v, e1.w, e1.squared_distance, false};
    const TrianglePoint e2 = closest_point_triangle(p2, a, b, c);
    if (e2.squared_distance < best.squared_distance) best = {1.0, e2.u, e2.v, e2.w, e2.squared_distance, false};
    const SegmentPair ab = closest_segment_segment(p1, p2, a, b);
    if (ab.squared_distance < best.squared_distance) best = {ab.s, 1.0 - ab.t, ab.t, 0.0, ab.squared_distance, false};
    const SegmentPair bc = closest_segment_segment(p1, p2, b, c);
    if (bc.squared_distance < best.squared_distance) best = {bc.s, 0.0, 1.0 - bc.t, bc.t, bc.squared_distance, false};
    const SegmentPair ca = closest_segment_segment(p1, p2, c, a);
    if (ca.squared_distance < best.squared_distance) best = {ca.s, ca.t, 0.0, 1.0 - ca.t, ca.squared_distance, false};
    return best;
}

}  // namespace plica
