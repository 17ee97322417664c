#pragma once
#include "geometry/vec3.hpp"

// Coulomb friction of contact rows, of pairs (eight rows at a time, Real = Wide) and of walls (Real = double). The
// tangential Lagrange multiplier (kg m, h^2 times the force) stays in the cone |friction| <= coefficient * push.
namespace plica {

// What of a multiplier lies across the normal.
template <class Real>
PLICA_INLINE Vec3Of<Real> make_tangential(const Vec3Of<Real>& multiplier, const Vec3Of<Real>& normal) noexcept {
    return multiplier - normal * dot(multiplier, normal);
}

// Return mapping: the trial that would stop the slip, cut back to the cone's rim. `slip` is in multiplier units, metres
// over the row's compliance; `limit` is coefficient * push.
template <class Real>
PLICA_INLINE Vec3Of<Real> return_map(const Vec3Of<Real>& friction, const Vec3Of<Real>& slip, const Vec3Of<Real>& normal,
                                     const Real& limit) noexcept {
    const Vec3Of<Real> trial = make_tangential(friction - slip, normal);
    const Real size = sqrt(squared_norm(trial));
    const auto sliding = size > limit;
    return trial * select(sliding, limit / select(sliding, size, Real(1.0)), Real(1.0));
}

}  // namespace plica
