#pragma once
#include "geometry/vec3.hpp"

// Angles without branches and without the C library: the same bits for one (double) and for eight at a time
// (core/wide.hpp).
namespace plica {

namespace detail {

// atan(x) for |x| <= sqrt(2) - 1: x times the Chebyshev interpolant of atan(sqrt(y)) / sqrt(y), relative error 4e-17
// before rounding.
template <class Real>
PLICA_INLINE Real small_arctan(const Real& x) noexcept {
    constexpr double coefficient[] = {-0.043480522157164624777, 0.056883492268090104794,  -0.066402339304294085887,
                                      0.076899534963068577563,  -0.090907730748084137897, 0.1111110618045594522,
                                      -0.1428571418097646683,   0.19999999998855110134,   -0.33333333333328438572,
                                      0.99999999999999996532};
    const Real y = x * x;
    Real sum(0.021135373157693245206);
    for (const double c : coefficient) sum = sum * y + Real(c);
    return sum * x;
}

}  // namespace detail

// The angle in [0, pi], rad, whose sine is s / r and whose cosine is c / r; s >= 0 and r = sqrt(s^2 + c^2). pi / 2
// where all are zero. Halved twice, which keeps clear of cancellation, then an eighth of pi is taken off.
template <class Real>
PLICA_INLINE Real angle_of(const Real& s, const Real& c, const Real& r) noexcept {
    constexpr double half_pi = 1.57079632679489661923;
    const Real eighth(0.41421356237309504880);  // tan(pi / 8)
    const auto acute = c >= Real(0.0);
    const Real c2 = select(acute, r + c, s);
    const Real s2 = select(acute, s, r - c);
    const Real c4 = c2 + sqrt(c2 * c2 + s2 * s2);
    const Real below = c4 + eighth * s2;
    const auto some = below > Real(0.0);
    const Real x = select(some, s2 - eighth * c4, Real(0.0)) / select(some, below, Real(1.0));
    return Real(half_pi) + Real(4.0) * detail::small_arctan(x);
}

}  // namespace plica
