#pragma once
#include "geometry/vec3.hpp"

// Closest points, without branches: the same source serves one pair (double) and eight at a time (core/wide.hpp), and
// gives the same bits.
namespace plica {

// Closest points of two segments p1 p2 and q1 q2: (1-s) p1 + s p2 and (1-t) q1 + t q2, s and t in the closed [0, 1].
template <class Real>
struct SegmentPairOf {
    Real s, t;
    Real squared_distance;
};
using SegmentPair = SegmentPairOf<double>;

// Closest points of segment p1 p2 and triangle a b c. A pierced triangle has distance 0 at the piercing point.
template <class Real>
struct SegmentTriangleOf {
    Real s;
    Real u, v, w;  // weights of a, b, c
    Real squared_distance;
    decltype(Real{} < Real{}) pierced;
};
using SegmentTriangle = SegmentTriangleOf<double>;

template <class Real>
PLICA_INLINE Real clamp01(const Real& v) noexcept {
    return min(max(v, Real(0.0)), Real(1.0));
}

// m^2: a segment shorter than a femtometre is a point.
inline constexpr double degenerate_segment = 1e-30;
// Segments with sin^2 of their angle below this are treated as parallel.
inline constexpr double parallel_segments = 1e-9;

// Clamped two-parameter minimisation. Parallel segments answer with the middle of their overlap, so that (s, t) do not
// jump between its ends from step to step (a flicker torque). With evenness, a squared angle, those at about that angle
// already lean towards it: not the closest points any more, but points that move evenly. Zero-length segments are
// points.
template <class Real>
PLICA_INLINE SegmentPairOf<Real> closest_segment_segment(const Vec3Of<Real>& p1, const Vec3Of<Real>& p2,
                                                         const Vec3Of<Real>& q1, const Vec3Of<Real>& q2,
                                                         double evenness = 0.0) noexcept {
    const Vec3Of<Real> d1 = p2 - p1;
    const Vec3Of<Real> d2 = q2 - q1;
    const Vec3Of<Real> r = p1 - q1;
    const Real a = squared_norm(d1);
    const Real e = squared_norm(d2);
    const Real b = dot(d1, d2);
    const Real c = dot(d1, r);
    const Real f = dot(d2, r);
    const auto is_segment1 = a > Real(degenerate_segment);
    const auto is_segment2 = e > Real(degenerate_segment);
    const Real over_a = Real(1.0) / select(is_segment1, a, Real(1.0));
    const Real over_e = Real(1.0) / select(is_segment2, e, Real(1.0));
    const Real den = a * e - b * b;
    const auto skew = den > Real(parallel_segments) * (a * e);
    const Real middle = Real(0.5) * (clamp01(f * over_e) + clamp01((b + f) * over_e));
    const Real beside = clamp01((b * middle - c) * over_a);
    Real across = b * f - c * e;
    Real angle = den;
    if (evenness > 0.0) {
        const Real pull = Real(evenness) * a * e;
        across += pull * beside;
        angle += pull;
    }
    const Real crossing = clamp01(across / select(skew, angle, Real(1.0)));
    Real s = select(is_segment1, select(skew, crossing, beside), Real(0.0));
    const Real free = (b * s + f) * over_e;
    const Real t = select(is_segment2, clamp01(free), Real(0.0));
    const Real again = select(is_segment1, clamp01((b * t - c) * over_a), Real(0.0));
    s = select(t != free, again, s);
    return {s, t, squared_norm(r + d1 * s - d2 * t)};
}

namespace detail {

// The nearer of two candidates; the first one when they are equally near.
template <class Real>
PLICA_INLINE void keep_nearer(SegmentTriangleOf<Real>& best, const SegmentTriangleOf<Real>& other) noexcept {
    const auto nearer = other.squared_distance < best.squared_distance;
    best.s = select(nearer, other.s, best.s);
    best.u = select(nearer, other.u, best.u);
    best.v = select(nearer, other.v, best.v);
    best.w = select(nearer, other.w, best.w);
    best.squared_distance = select(nearer, other.squared_distance, best.squared_distance);
}

// Barycentric coordinates of a point's foot on the plane of the triangle, times the squared length of its normal n.
template <class Real>
PLICA_INLINE Vec3Of<Real> foot(const Vec3Of<Real>& p, const Vec3Of<Real>& a, const Vec3Of<Real>& b,
                               const Vec3Of<Real>& c, const Vec3Of<Real>& n) noexcept {
    const Vec3Of<Real> pa = a - p;
    const Vec3Of<Real> pb = b - p;
    const Vec3Of<Real> pc = c - p;
    return {dot(n, cross(pb, pc)), dot(n, cross(pc, pa)), dot(n, cross(pa, pb))};
}

}  // namespace detail

// Closest point of triangle a b c to p: on an edge, or below p on the face.
template <class Real>
struct PointTriangleOf {
    Real u, v, w;  // weights of a, b, c
    Real squared_distance;
};
template <class Real>
PLICA_INLINE PointTriangleOf<Real> closest_point_triangle(const Vec3Of<Real>& p, const Vec3Of<Real>& a,
                                                          const Vec3Of<Real>& b, const Vec3Of<Real>& c) noexcept {
    const Real zero(0.0);
    const Real one(1.0);
    PointTriangleOf<Real> best{one, zero, zero, zero};
    const auto along = [&](const Vec3Of<Real>& from, const Vec3Of<Real>& to, Real& t) {
        const Vec3Of<Real> d = to - from;
        const Real dd = squared_norm(d);
        const auto has_length = dd > Real(degenerate_segment);
        t = select(has_length, clamp01(dot(p - from, d) / select(has_length, dd, one)), zero);
        return squared_norm(p - from - d * t);
    };
    Real t;
    best.squared_distance = along(a, b, t);
    best.u = one - t;
    best.v = t;
    const Real bc = along(b, c, t);
    auto nearer = bc < best.squared_distance;
    best.u = select(nearer, zero, best.u);
    best.v = select(nearer, one - t, best.v);
    best.w = select(nearer, t, best.w);
    best.squared_distance = select(nearer, bc, best.squared_distance);
    const Real ca = along(c, a, t);
    nearer = ca < best.squared_distance;
    best.u = select(nearer, t, best.u);
    best.v = select(nearer, zero, best.v);
    best.w = select(nearer, one - t, best.w);
    best.squared_distance = select(nearer, ca, best.squared_distance);

    const Vec3Of<Real> n = cross(b - a, c - a);
    const Real nn = squared_norm(n);
    const Vec3Of<Real> f = detail::foot(p, a, b, c, n);
    const auto above = (nn > zero) & (f.x >= zero) & (f.y >= zero) & (f.z >= zero);
    const Real over_nn = one / select(nn > zero, nn, one);
    const Real h = dot(n, p - a);
    best.u = select(above, f.x * over_nn, best.u);
    best.v = select(above, f.y * over_nn, best.v);
    best.w = select(above, one - f.x * over_nn - f.y * over_nn, best.w);
    best.squared_distance = select(above, h * h * over_nn, best.squared_distance);
    return best;
}

// The closest points lie on an edge, or below an end of the segment on the face, or where the segment pierces the face.
template <class Real>
PLICA_INLINE SegmentTriangleOf<Real> closest_segment_triangle(const Vec3Of<Real>& p1, const Vec3Of<Real>& p2,
                                                              const Vec3Of<Real>& a, const Vec3Of<Real>& b,
                                                              const Vec3Of<Real>& c) noexcept {
    using Found = SegmentTriangleOf<Real>;
    const Real zero(0.0);
    const Real one(1.0);
    const auto no = one < zero;
    const SegmentPairOf<Real> ab = closest_segment_segment(p1, p2, a, b);
    const SegmentPairOf<Real> bc = closest_segment_segment(p1, p2, b, c);
    const SegmentPairOf<Real> ca = closest_segment_segment(p1, p2, c, a);
    Found best{ab.s, one - ab.t, ab.t, zero, ab.squared_distance, no};
    detail::keep_nearer(best, Found{bc.s, zero, one - bc.t, bc.t, bc.squared_distance, no});
    detail::keep_nearer(best, Found{ca.s, ca.t, zero, one - ca.t, ca.squared_distance, no});

    const Vec3Of<Real> n = cross(b - a, c - a);
    const Real nn = squared_norm(n);
    const auto has_face = nn > zero;
    const Real over_nn = one / select(has_face, nn, one);
    const auto above = [&](const Vec3Of<Real>& f) { return has_face & (f.x >= zero) & (f.y >= zero) & (f.z >= zero); };
    const Real h1 = dot(n, p1 - a);
    const Real h2 = dot(n, p2 - a);
    const Vec3Of<Real> f1 = detail::foot(p1, a, b, c, n);
    const Vec3Of<Real> f2 = detail::foot(p2, a, b, c, n);
    const Real far = best.squared_distance + one;
    const auto below_end = [&](const Real& s, const Real& h, const Vec3Of<Real>& f) {
        const Real d = select(above(f), h * h * over_nn, far);
        const Real u = f.x * over_nn;
        const Real v = f.y * over_nn;
        return Found{s, u, v, one - u - v, d, no};
    };
    detail::keep_nearer(best, below_end(zero, h1, f1));
    detail::keep_nearer(best, below_end(one, h2, f2));

    const Real apart = h1 - h2;
    const auto crosses = ((h1 > zero) != (h2 > zero)) & (apart != zero);
    const Real s = clamp01(h1 / select(crosses, apart, one));
    const Vec3Of<Real> f = f1 + (f2 - f1) * s;
    best.pierced = crosses & above(f);
    best.s = select(best.pierced, s, best.s);
    best.u = select(best.pierced, f.x * over_nn, best.u);
    best.v = select(best.pierced, f.y * over_nn, best.v);
    best.w = select(best.pierced, one - f.x * over_nn - f.y * over_nn, best.w);
    best.squared_distance = select(best.pierced, zero, best.squared_distance);
    return best;
}

}  // namespace plica
