#include "render/spline.hpp"

#include <algorithm>
#include <cmath>

namespace plica::render {

Cubic make_cubic(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 q0 = 0.5 * (c - a);
    const Vec3 q2 = 0.5 * (d - b);
    return {b, c, q0, 3.0 * (c - b) - q0 - q2, q2};
}

double negligible_speed2(const Cubic& cubic) {
    const double largest = std::max({squared_norm(cubic.q0), squared_norm(cubic.q1), squared_norm(cubic.q2)});
    return 1e-20 * largest;
}

SpeedSquared::SpeedSquared(const Cubic& cubic) {
    const Vec3 &a = cubic.q0, b = 2.0 * (cubic.q1 - cubic.q0), d = 0.5 * cubic.third();
    c = {dot(a, a), 2.0 * dot(a, b), 2.0 * dot(a, d) + dot(b, b), 2.0 * dot(b, d), dot(d, d)};
}

double arc_length(const SpeedSquared& speed2, double from, double to) {
    constexpr double place[5] = {0.0, 0.53846931010568309, -0.53846931010568309, 0.90617984593866399,
                                 -0.90617984593866399};
    constexpr double weight[5] = {0.56888888888888889, 0.47862867049936647, 0.47862867049936647, 0.23692688505618909,
                                  0.23692688505618909};
    const double middle = 0.5 * (from + to);
    const double half = 0.5 * (to - from);
    const std::array<double, 5>& c = speed2.c;
    double sum = 0.0;
    for (int k = 0; k < 5; ++k) {
        const double u = middle + half * place[k];
        const double square = c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
        // Rounding may make it negative where the curve stands still.
        sum += weight[k] * std::sqrt(std::max(square, 0.0));
    }
    return half * sum;
}

double arc_length(const Cubic& cubic, double from, double to) {
    return arc_length(SpeedSquared(cubic), from, to);
}

Vec3 Spline::ghost(std::size_t end, std::size_t next, std::size_t third) const {
    if (m_nodes.size() < 3) return 2.0 * node(end) - node(next);
    return 3.0 * (node(end) - node(next)) + node(third);
}

Vec3 Spline::point(std::ptrdiff_t i) const {
    const std::size_t last = m_nodes.size() - 1;
    if (i < 0) return ghost(0, 1, 2);
    const auto k = static_cast<std::size_t>(i);
    return k > last ? ghost(last, last - 1, last - 2) : node(k);
}

Cubic Spline::segment(std::size_t i) const {
    const auto k = static_cast<std::ptrdiff_t>(i);
    return make_cubic(point(k - 1), node(i), node(i + 1), point(k + 2));
}

}  // namespace plica::render
