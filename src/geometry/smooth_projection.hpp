#pragma once
#include "geometry/vec3.hpp"

// A point over a triangle whose normal varies continuously between those of its corners (Johnsen 2012, eq. 6 and 7),
// without branches: one point (double) or eight at a time (core/wide.hpp), with the same bits.
namespace plica {

template <class Real>
struct SmoothProjectionOf {
    using Condition = decltype(Real{} < Real{});

    Real weight[3];       // of the corners: their sum is 1; negative ones mean that the foot is outside
    Vec3Of<Real> normal;  // unit
    Real gap;             // m, positive where the point is outside: point = foot + gap normal, to rounding
    Real iterations;
    Condition converged;  // else the answer is the one with the facet's own normal
};
using SmoothProjection = SmoothProjectionOf<double>;

inline constexpr int most_projections = 10;         // iterations
inline constexpr double projection_change = 1e-12;  // of a weight, that ends them

namespace detail {

// foot = x0 + xi e1 + eta e2, point = foot + gap n: Cramer's rule.
template <class Real>
struct Oblique {
    Real xi, eta, gap;
};
template <class Real>
PLICA_INLINE Oblique<Real> solve_oblique(const Vec3Of<Real>& e1, const Vec3Of<Real>& e2, const Vec3Of<Real>& d,
                                         const Vec3Of<Real>& n, const Real& over) noexcept {
    return {dot(n, cross(d, e2)) * over, dot(n, cross(e1, d)) * over, dot(d, cross(e1, e2)) * over};
}

template <class Condition, class Real>
PLICA_INLINE Oblique<Real> select(const Condition& condition, const Oblique<Real>& a, const Oblique<Real>& b) noexcept {
    using plica::select;
    return {select(condition, a.xi, b.xi), select(condition, a.eta, b.eta), select(condition, a.gap, b.gap)};
}

}  // namespace detail

// `x` are the corners, counterclockwise seen from outside, `normals` their unit normals. Unlike the paper's, the
// interpolated normal is made a unit vector and point - foot is parallel to it: a force along it has no moment. The
// fixed point contracts by about |gap| (angle between corner normals) / edge; where a normal leans away from the facet
// by more than 78 degrees, there is no answer.
template <class Real>
PLICA_INLINE SmoothProjectionOf<Real> project_smoothly(const Vec3Of<Real>& point, const Vec3Of<Real> (&x)[3],
                                                       const Vec3Of<Real> (&normals)[3],
                                                       int most = most_projections) noexcept {
    using Condition = typename SmoothProjectionOf<Real>::Condition;
    using detail::select;
    using plica::select;
    constexpr double least_cosine = 0.2;
    const Real zero(0.0);
    const Real one(1.0);
    const Vec3Of<Real> e1 = x[1] - x[0];
    const Vec3Of<Real> e2 = x[2] - x[0];
    const Vec3Of<Real> d = point - x[0];
    const Vec3Of<Real> across = cross(e1, e2);
    const Real area = sqrt(squared_norm(across));
    const Condition has_area = area > zero;
    const Vec3Of<Real> facet = across / select(has_area, area, one);
    const detail::Oblique<Real> below =
        detail::solve_oblique(e1, e2, d, facet, select(has_area, one, zero) / select(has_area, area, one));

    detail::Oblique<Real> now = below;
    Vec3Of<Real> n = facet;
    Real iterations = zero;
    Condition active = has_area;
    Condition converged = one < zero;
    for (int i = 0; i < most && any(active); ++i) {
        const Vec3Of<Real> mean = normals[0] * (one - now.xi - now.eta) + normals[1] * now.xi + normals[2] * now.eta;
        const Real length = sqrt(squared_norm(mean));
        const Condition has_length = active & (length > zero);
        const Vec3Of<Real> next_n = mean / select(has_length, length, one);
        const Real volume = dot(next_n, across);
        const Condition usable = has_length & (volume > Real(least_cosine) * area);
        const auto next = detail::solve_oblique(e1, e2, d, next_n, one / select(usable, volume, one));
        const Real by_xi = next.xi - now.xi;
        const Real by_eta = next.eta - now.eta;
        const Real change = max(max(by_xi, -by_xi), max(by_eta, -by_eta));
        const Condition settled = usable & (change <= Real(projection_change));
        now = select(usable, next, now);
        n = select(usable, next_n, n);
        iterations = iterations + select(active, one, zero);
        converged = converged | settled;
        active = usable & (!settled);
    }
    now = select(converged, now, below);
    n = select(converged, n, facet);
    return {{one - now.xi - now.eta, now.xi, now.eta}, n, now.gap, iterations, converged};
}

}  // namespace plica
