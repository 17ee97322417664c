#include "render/curvature.hpp"

#include <algorithm>
#include <cmath>

namespace plica::render {
namespace {

constexpr int samples = 9;

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
    constexpr double step = 1.0 / (samples - 1);
    std::array<double, samples + 2> k;  // with one beyond each end
    k.front() = k.back() = -1.0;
    for (int i = 0; i < samples; ++i) k[static_cast<std::size_t>(i) + 1] = curvature(cubic, i * step);
    CurvatureMaximum best{0.0, -1.0};
    const auto consider = [&](double u, double width) {
        CurvatureMaximum found{u, curvature(cubic, u)};
        refine(cubic, width, found);
        if (found.curvature > best.curvature) best = found;
    };
    const auto slope = [&](double u) { return dot(cubic.first(u), cubic.second(u)); };
    for (std::size_t i = 1; i <= samples; ++i) {
        const double u = static_cast<double>(i - 1) * step;
        if (k[i] >= k[i - 1] && k[i] >= k[i + 1]) consider(u, 0.5 * step);
        if (i < 2 || !(slope(u - step) < 0.0 && slope(u) >= 0.0)) continue;
        // A peak near a cusp is as narrow as the curve is slow: |C'|/|C''|.
        const double slowest = least_speed(cubic, u - step, u);
        consider(slowest, std::min(0.25 * step, norm(cubic.first(slowest)) / norm(cubic.second(slowest))));
    }
    return best;
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
