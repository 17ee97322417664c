#pragma once
#include "contact/shape.hpp"
#include "geometry/closest.hpp"

// Narrow phase: closest points and contact normal of two primitives, for one pair (double) or eight at a time
// (core/wide.hpp) with the same bits.
namespace plica {

// Axes closer than this share of the contact radii have no usable direction.
inline constexpr double meeting = 1e-6;

template <class Real, Shape S>
struct ClosestOf {
    Real weight[5];        // side a positive, the other side negative
    Vec3Of<Real> between;  // from the other side to side a, at the closest points
    Real distance;
    decltype(Real{} < Real{}) pierced;
};

// Sum of weight x[node]: position, velocity or displacement of side a against side b at the contact point.
template <Shape S, class Real>
PLICA_INLINE Vec3Of<Real> weighted_sum(const Real (&weight)[5], const Vec3Of<Real>* x) noexcept {
    Vec3Of<Real> sum = x[0] * weight[0];
    for (int k = 1; k < nodes_in(S); ++k) sum += x[k] * weight[k];
    return sum;
}

template <Shape S, class Real>
PLICA_INLINE ClosestOf<Real, S> find_closest(const Vec3Of<Real>* x) noexcept {
    ClosestOf<Real, S> c;
    const Real one(1.0);
    if constexpr (S == Shape::segments) {
        const SegmentPairOf<Real> found = closest_segment_segment(x[0], x[1], x[2], x[3]);
        c.weight[0] = one - found.s;
        c.weight[1] = found.s;
        c.weight[2] = found.t - one;
        c.weight[3] = -found.t;
        c.weight[4] = Real(0.0);
        c.pierced = one < one;
    } else if constexpr (is_point(S)) {
        const PointTriangleOf<Real> found = closest_point_triangle(x[0], x[1], x[2], x[3]);
        c.weight[0] = one;
        c.weight[1] = -found.u;
        c.weight[2] = -found.v;
        c.weight[3] = -found.w;
        c.weight[4] = Real(0.0);
        c.pierced = one < one;
    } else {
        const SegmentTriangleOf<Real> found = closest_segment_triangle(x[0], x[1], x[2], x[3], x[4]);
        c.weight[0] = one - found.s;
        c.weight[1] = found.s;
        c.weight[2] = -found.u;
        c.weight[3] = -found.v;
        c.weight[4] = -found.w;
        c.pierced = found.pierced;
    }
    c.between = weighted_sum<S>(c.weight, x);
    c.distance = sqrt(squared_norm(c.between));
    return c;
}

// v / |v|, or `otherwise` where that has no direction.
template <class Real>
PLICA_INLINE Vec3Of<Real> direction(const Vec3Of<Real>& v, const Vec3Of<Real>& otherwise) noexcept {
    const Real length = sqrt(squared_norm(v));
    const auto usable = length > Real(0.0);
    return select(usable, v / select(usable, length, Real(1.0)), otherwise);
}

// Where a row of two segments acts, and which way. The closest points of two that lie along each other are at one end
// or at the other, whichever is nearer by a hair; what pushes them there turns them until it is at the other end,
// substep after substep. The gap stays that of the closest points. What acts along the line between its two points
// turns nothing.
template <class Real>
PLICA_INLINE void act_evenly(const Vec3Of<Real>* x, ClosestOf<Real, Shape::segments>& c,
                             Vec3Of<Real>& normal) noexcept {
    constexpr double evenness = 0.01;
    const Real one(1.0);
    const SegmentPairOf<Real> found = closest_segment_segment(x[0], x[1], x[2], x[3], evenness);
    c.weight[0] = one - found.s;
    c.weight[1] = found.s;
    c.weight[2] = found.t - one;
    c.weight[3] = -found.t;
    c.between = weighted_sum<Shape::segments>(c.weight, x);
    const Vec3Of<Real> line = direction(c.between, normal);
    const Real along = dot(line, normal);
    normal = select(along > Real(0.9), line, select(along < Real(-0.9), -line, normal));
}

// Used when axes meet and nothing is remembered of the pair: any answer is as good, but it must be the same one every
// time. Across both axes or across the one that has a direction; across the face.
template <Shape S, class Real>
PLICA_INLINE Vec3Of<Real> fallback_normal(const Vec3Of<Real>* x) noexcept {
    const Vec3Of<Real> ex{1.0, 0.0, 0.0};
    const Vec3Of<Real> ey{0.0, 1.0, 0.0};
    if constexpr (S == Shape::segments) {
        const Vec3Of<Real> d1 = x[1] - x[0];
        const Vec3Of<Real> d2 = x[3] - x[2];
        const Vec3Of<Real> across = cross(d1, d2);
        const auto skew = squared_norm(across) > Real(1e-18) * squared_norm(d1) * squared_norm(d2);
        const Vec3Of<Real> along = direction(select(squared_norm(d1) > Real(0.0), d1, d2), Vec3Of<Real>{0.0, 0.0, 1.0});
        const auto leans = max(along.x, -along.x) < Real(0.6);
        return select(skew, direction(across, ex), direction(cross(along, select(leans, ex, ey)), ex));
    } else {
        const Vec3Of<Real>* t = x + nodes_in(S) - 3;
        return direction(cross(t[1] - t[0], t[2] - t[0]), Vec3Of<Real>{0.0, 0.0, 1.0});
    }
}

// The normal of a pair that is on `side` (unit, or zero: nothing is remembered). While the geometric normal points
// against the side, the pair is taken to be on the far side of where it was (Raghupathi's response would push such a
// pair the rest of the way through). A pierced triangle is left across its face, to the side the segment came from.
template <Shape S, class Real>
PLICA_INLINE Vec3Of<Real> find_normal(const ClosestOf<Real, S>& c, const Vec3Of<Real>* x, const Real& radii,
                                      const Vec3Of<Real>& side) noexcept {
    const Real zero(0.0);
    const auto apart = c.distance > Real(meeting) * radii;
    const Vec3Of<Real> geometric = c.between / select(apart, c.distance, Real(1.0));
    const auto against = dot(geometric, side) < zero;
    Vec3Of<Real> normal = select(against, side, geometric);
    if (any(!apart)) {
        const Vec3Of<Real> fallback = fallback_normal<S>(x);
        const auto remembered = squared_norm(side) > zero;
        const Vec3Of<Real> face = select(dot(fallback, side) < zero, -fallback, fallback);
        const Vec3Of<Real> met = select(remembered, select(c.pierced, face, side), fallback);
        normal = select(apart, normal, met);
    }
    return normal;
}

// Largest distance any node of the pair goes from x to p, relative to the mean of all, twice: a bound on how far the
// two sides move against each other.
template <Shape S, class Real>
PLICA_INLINE Real relative_travel(const Vec3Of<Real>* x, const Vec3Of<Real>* p) noexcept {
    Vec3Of<Real> mean{};
    for (int k = 0; k < nodes_in(S); ++k) mean += p[k] - x[k];
    mean *= Real(1.0 / nodes_in(S));
    Real most(0.0);
    for (int k = 0; k < nodes_in(S); ++k) most = max(most, squared_norm(p[k] - x[k] - mean));
    return Real(2.0) * sqrt(most);
}

// How a pair lay when the substep began.
template <class Real>
struct PairStartOf {
    Vec3Of<Real> normal;  // unit, from b to a
    Real gap, distance;   // m
};

// The normal of the pair where it is now (p), on the side it was on when the substep began (x, start).
//
// The vector between the closest points of two convex sets moves no faster than the sets do. So while the pair has
// travelled less than its distance the normal cannot have turned by 90 degrees, and a normal that points against the
// start's means that the axes went through each other.
//
// A normal at which the start of the substep would itself violate the row is refused as well: pushing along it would
// give the pair energy. The start's own normal separates the pair at the start, so it never does.
template <Shape S, class Real>
PLICA_INLINE Vec3Of<Real> find_moved_normal(const ClosestOf<Real, S>& c, const Vec3Of<Real>* x, const Vec3Of<Real>* p,
                                            const Real& radii, const PairStartOf<Real>& start) noexcept {
    const Real zero(0.0);
    auto meets = !(c.distance > Real(meeting) * radii);
    Vec3Of<Real> normal = find_normal<S>(c, p, radii, Vec3Of<Real>{});
    auto flipped = dot(normal, start.normal) < zero;
    if (any(flipped)) flipped = flipped & !(relative_travel<S>(x, p) < start.distance);
    auto settled = meets | flipped;
    if (any(settled)) normal = select(settled, find_normal<S>(c, p, radii, start.normal), normal);
    const Real was = dot(weighted_sum<S>(c.weight, x), normal) - radii;
    const auto refused = was < min(zero, start.gap) - Real(1e-9) * radii;
    return select((!settled) & refused, start.normal, normal);
}

}  // namespace plica
