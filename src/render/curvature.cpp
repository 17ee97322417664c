#include "render/curvature.hpp"

#include <algorithm>
#include <cmath>

namespace plica::render {
namespace {

constexpr int places = 9;

// The vertex of the parabola through three equidistant values, in steps from the middle one; within [-1, 1].
double vertex(double left, double middle, double right) {
    const double bend = left - 2.0 * middle + right;
    if (!(bend < 0.0)) return 0.0;
    return std::clamp(0.5 * (left - right) / bend, -1.0, 1.0);
}

void keep_higher(const Cubic& cubic, double u, CurvatureMaximum& best) {
    const double k = curvature(cubic, u);
    if (k > best.curvature) best = {u, k};
}

// Parabolas of shrinking width about the best place, which may be an end.
void refine(const Cubic& cubic, double width, CurvatureMaximum& best) {
    for (int i = 0; i < 12; ++i) {
        const double left = std::max(0.0, best.u - width), right = std::min(1.0, best.u + width);
        keep_higher(cubic, left, best);
        keep_higher(cubic, right, best);
        const double middle = std::clamp(best.u, width, 1.0 - width);
        const double v =
            vertex(curvature(cubic, middle - width), curvature(cubic, middle), curvature(cubic, middle + width));
        keep_higher(cubic, std::clamp(middle + v * width, 0.0, 1.0), best);
        width *= 0.5;
    }
}

// Where C'.C'' changes its sign from minus to plus within [a, b].
double least_speed(const Cubic& cubic, double a, double b) {
    for (int i = 0; i < 30; ++i) {
        const double m = 0.5 * (a + b);
        (dot(cubic.first(m), cubic.second(m)) < 0.0 ? a : b) = m;
    }
    return 0.5 * (a + b);
}

}  // namespace

double bend_indicator(const Vec3& before, const Vec3& at, const Vec3& after) {
    const Vec3 a = at - before, b = after - at;
    const double lengths = norm(a) * norm(b);
    if (!(lengths > 0.0)) return 0.0;
    return std::clamp(0.5 * (1.0 - dot(a, b) / lengths), 0.0, 1.0);
}

double printed_indicator(const Vec3& before, const Vec3& at, const Vec3& after) {
    return 1.0 - bend_indicator(before, at, after);
}

double curvature(const Cubic& cubic, double u) {
    const Vec3 first = cubic.first(u);
    const double speed = norm(first);
    if (!(speed > 0.0)) return 0.0;
    return norm(cross(first, cubic.second(u))) / (speed * speed * speed);
}

CurvatureMaximum find_curvature_maximum(const Cubic& cubic) {
    CurvatureMaximum best{0.0, curvature(cubic, 0.0)};
    const double step = 1.0 / (places - 1);
    double slope_before = dot(cubic.first(0.0), cubic.second(0.0));
    CurvatureMaximum slowest{0.0, -1.0};
    for (int i = 1; i < places; ++i) {
        const double u = i * step;
        keep_higher(cubic, u, best);
        const double slope = dot(cubic.first(u), cubic.second(u));
        if (slope_before < 0.0 && slope >= 0.0) keep_higher(cubic, least_speed(cubic, u - step, u), slowest);
        slope_before = slope;
    }
    refine(cubic, 0.5 * step, best);
    if (slowest.curvature < 0.0) return best;
    // A peak near a cusp is as narrow as the curve is slow: |C'|/|C''|.
    const double width = norm(cubic.first(slowest.u)) / norm(cubic.second(slowest.u));
    refine(cubic, std::min(0.25 * step, width), slowest);
    return slowest.curvature > best.curvature ? slowest : best;
}

int find_paper_intervals(const Cubic& cubic, double indicator_from, double indicator_to, double eps,
                         std::array<Interval, 3>& intervals) {
    if (indicator_from < eps && indicator_to < eps) {
        intervals[0] = {0.0, 1.0};
        return 1;
    }
    constexpr double shortest = 1e-3;
    const double m = find_curvature_maximum(cubic).u;
    const double ends[3] = {m - m / 3.0, m + (1.0 - m) / 3.0, 1.0};
    int count = 0;
    double from = 0.0;
    for (const double to : ends) {
        if (to - from < shortest) continue;
        intervals[static_cast<std::size_t>(count++)] = {from, to};
        from = to;
    }
    // What was too short at the end belongs to the interval before it.
    intervals[static_cast<std::size_t>(count - 1)].to = 1.0;
    return count;
}

}  // namespace plica::render
