#pragma once
#include "contact/measure.hpp"
#include "geometry/smooth_projection.hpp"

// Narrow phase of a vertex over a facet whose normal is the facet's own or continuous from facet to facet, for one
// (double) or eight at a time (core/wide.hpp).
namespace plica {

// What a facet is, besides its corners' places.
template <class Real>
struct FacetOf {
    Vec3Of<Real> normal[3];  // unit, of its corners
    Vec3Of<Real> crease;     // see FacetNormals::creases()
    bool constant;           // the row's normal is the facet's own
};

// Where a point that is in a neighbour's cell is kept from this facet all the same: a share of the contact radii. No
// row reaches as far while the neighbour's does its work; where cells fold over, so that a point is in none, this one
// takes over.
inline constexpr double least_apart_of_neighbour = 0.5;

// Of a weight: cells overlap by this much, so that no point falls between two and none goes to and fro by rounding.
inline constexpr double cell_rim = 0.001;

// Cosine: a facet is seen from above where its normal leans from the direction of the closest point by less. Points
// beside a sharp edge are none of the cells'.
inline constexpr double least_lean = 0.7;

// The projection converges by |gap| (angle between corner normals) / edge a turn: a sphere's gap is as large as an
// edge.
inline constexpr int most_row_projections = 32;

template <class Real>
struct FacetPointOf {
    using Condition = decltype(Real{} < Real{});

    ClosestOf<Real, Shape::point_facet> row;  // its weights; `distance` is that of the closest points
    ClosestOf<Real, Shape::point_facet> closest;
    Vec3Of<Real> normal;  // of the row in its cell, and beyond: where that can be continued
    Condition owned;      // the point is in the facet's cell
    Condition left;       // it is in the cell of a neighbour
    Condition near;       // in a neighbour's, but not far from this one's
};

template <class Real>
PLICA_INLINE FacetPointOf<Real> find_facet_point(const Vec3Of<Real>* x, const FacetOf<Real>& facet) noexcept {
    const Real rim(cell_rim);
    constexpr double beyond = -0.25;  // of a weight
    const Real zero(0.0);
    FacetPointOf<Real> found;
    found.closest = find_closest<Shape::point_facet>(x);
    const Vec3Of<Real> corner[3] = {x[1], x[2], x[3]};
    SmoothProjectionOf<Real> s = project_smoothly(x[0], corner, facet.normal, most_row_projections);
    // Where nothing converged cells fold over, as above a hollow narrower than a ball: rows there are rounded.
    const auto above = s.converged & (s.gap > Real(least_lean) * found.closest.distance);
    const auto out0 = s.weight[0] < -rim, out1 = s.weight[1] < -rim, out2 = s.weight[2] < -rim;
    found.owned = above & !(out0 | out1 | out2);
    found.left = above & ((out0 & (facet.crease.x == zero)) | (out1 & (facet.crease.y == zero)) |
                          (out2 & (facet.crease.z == zero)));
    found.near = found.left & (min(min(s.weight[0], s.weight[1]), s.weight[2]) > Real(beyond));
    if (facet.constant) s = project_smoothly(x[0], corner, facet.normal, 0);
    found.normal = s.normal;
    found.row.weight[0] = Real(1.0);
    for (int k = 0; k < 3; ++k) found.row.weight[k + 1] = -s.weight[k];
    found.row.weight[4] = zero;
    found.row.pierced = found.closest.pierced;
    found.row.between = weighted_sum<Shape::point_facet>(found.row.weight, x);
    found.row.distance = found.closest.distance;
    return found;
}

// A row as it is measured: of the cell, or rounded where the point is in none of this surface's cells.
template <class Real>
struct FacetRowOf {
    Real weight[5];
    Vec3Of<Real> between, normal;
    Real apart;  // m, that the row keeps its sides apart; less than the contact radii in a neighbour's cell
};

template <class Real>
PLICA_INLINE FacetRowOf<Real> choose_facet_row(const FacetPointOf<Real>& point, const Vec3Of<Real>& rounded,
                                               const Vec3Of<Real>& normal, const Real& radii) noexcept {
    FacetRowOf<Real> row;
    for (int k = 0; k < 5; ++k) row.weight[k] = select(point.owned, point.row.weight[k], point.closest.weight[k]);
    row.between = select(point.owned, point.row.between, point.closest.between);
    row.normal = select(point.owned, normal, rounded);
    row.apart = select(point.left, Real(least_apart_of_neighbour) * radii, radii);
    return row;
}

// The normal of a point that moved into, or within, the facet's cell: one that jumped since the start of the substep is
// refused where the start would violate it, as in find_moved_normal(). Within a cell normals turn slowly.
template <class Real>
PLICA_INLINE Vec3Of<Real> find_moved_cell_normal(const FacetPointOf<Real>& point, const Vec3Of<Real>* x,
                                                 const Real& radii, const Vec3Of<Real>& start_normal,
                                                 const Real& start_gap) noexcept {
    constexpr double slow = 0.985;  // cosine of 10 degrees
    const Real was = dot(weighted_sum<Shape::point_facet>(point.row.weight, x), point.normal) - radii;
    const auto refused = was < min(Real(0.0), start_gap) - Real(1e-9) * radii;
    return select(refused & (dot(point.normal, start_normal) < Real(slow)), start_normal, point.normal);
}

}  // namespace plica
