#include "experiments/johnsen/coplanarity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/closest.hpp"

namespace plica::experiments {
namespace {

// c[0] + c[1] t + c[2] t^2 + c[3] t^3
struct Cubic {
    double c[4];

    [[nodiscard]] double at(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

// Volume of the box that two edges and the way between them span.
Cubic coplanarity(const MovingPair& m) {
    const auto way = [&](int k) { return m.p[k] - m.x[k]; };
    const Vec3 a0 = m.x[1] - m.x[0], a1 = way(1) - way(0);
    const Vec3 b0 = m.x[3] - m.x[2], b1 = way(3) - way(2);
    const Vec3 d0 = m.x[2] - m.x[0], d1 = way(2) - way(0);
    const Vec3 c0 = cross(a0, b0), c1 = cross(a0, b1) + cross(a1, b0), c2 = cross(a1, b1);
    return {{dot(c0, d0), dot(c0, d1) + dot(c1, d0), dot(c1, d1) + dot(c2, d0), dot(c2, d1)}};
}

// Where the cubic turns, within (0, 1), in order; with 0 and 1.
std::vector<double> find_pieces(const Cubic& f) {
    std::vector<double> ends{0.0, 1.0};
    const double a = 3.0 * f.c[3], b = f.c[2], c = f.c[1];  // a t^2 + 2 b t + c
    const double root = b * b - a * c;
    if (root >= 0.0) {
        const double q = -(b + std::copysign(std::sqrt(root), b));
        for (const double t : {q / a, c / q}) {
            if (t > 0.0 && t < 1.0) ends.push_back(t);
        }
    }
    std::sort(ends.begin(), ends.end());
    return ends;
}

double bisect(const Cubic& f, double low, double high) {
    const bool rises = f.at(low) < f.at(high);
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        ((f.at(middle) < 0.0) == rises ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

bool cross_at(const MovingPair& m, double t, double tolerance) {
    Vec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = m.x[k] + (m.p[k] - m.x[k]) * t;
    if (tolerance > 0.0) {
        return closest_segment_segment(x[0], x[1], x[2], x[3]).squared_distance <= tolerance * tolerance;
    }
    const Vec3 d1 = x[1] - x[0], d2 = x[3] - x[2], r = x[0] - x[2];
    const double a = squared_norm(d1), e = squared_norm(d2), b = dot(d1, d2), c = dot(d1, r), f = dot(d2, r);
    const double den = a * e - b * b;
    const double s = (b * f - c * e) / den, u = (a * f - b * c) / den;
    return s >= 0.0 && s <= 1.0 && u >= 0.0 && u <= 1.0;
}

}  // namespace

bool edges_cross_by_cubic(const MovingPair& pair, double tolerance) {
    const Cubic f = coplanarity(pair);
    const std::vector<double> ends = find_pieces(f);
    for (std::size_t i = 1; i < ends.size(); ++i) {
        const double low = f.at(ends[i - 1]), high = f.at(ends[i]);
        if ((low > 0.0 && high > 0.0) || (low < 0.0 && high < 0.0)) continue;
        if (cross_at(pair, bisect(f, ends[i - 1], ends[i]), tolerance)) return true;
    }
    return false;
}

}  // namespace plica::experiments
