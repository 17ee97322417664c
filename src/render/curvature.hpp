#pragma once
#include <array>

#include "render/turning.hpp"

namespace plica::render {

// How much a chain of nodes bends at one of them: sin^2 of half the turn, 0 straight and 1 folded back. Raghupathi
// 2004, eq. 10, as its text and figures need it; 0 where a segment has no length.
double bend_indicator(const Vec3& before, const Vec3& at, const Vec3& after);
// Eq. 10 as printed: cos^2 of half the turn, 1 for a straight chain.
double printed_indicator(const Vec3& before, const Vec3& at, const Vec3& after);

// 1/m; 0 where the derivative vanishes.
double curvature(const Cubic& cubic, double u);

struct CurvatureMaximum {
    double u;
    double curvature;  // 1/m
};
// The best of 9 places and of the points of least speed, where a curve bends hardest, refined. The paper's linear
// equation gives the least |C''| instead.
CurvatureMaximum find_curvature_maximum(const Cubic& cubic);

// The paper's sampling, eq. 11: a segment with an indicator of at least eps at either end is cut on both sides of its
// curvature maximum. Intervals shorter than a thousandth are left out. Returns how many there are.
int find_paper_intervals(const Cubic& cubic, double indicator_from, double indicator_to, double eps,
                         std::array<Interval, 3>& intervals);

}  // namespace plica::render
