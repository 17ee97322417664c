#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "geometry/vec3.hpp"

namespace plica::render {

// One segment of a uniform cardinal spline, u in [0, 1]. Its derivative is held as the control vectors of a quadratic
// Bezier curve: the turning of the segment is bounded by theirs, and both ends are exact, so that two segments that
// meet have the same bits there.
struct Cubic {
    Vec3 from, to;    // m
    Vec3 q0, q1, q2;  // m: the derivative at 0, its middle control vector, the derivative at 1

    [[nodiscard]] Vec3 value(double u) const {
        if (u == 1.0) return to;
        return from + u * (q0 + u * ((q1 - q0) + (u / 3.0) * (q0 - 2.0 * q1 + q2)));
    }
    [[nodiscard]] Vec3 first(double u) const { return between(u, u); }
    [[nodiscard]] Vec3 second(double u) const { return 2.0 * ((1.0 - u) * (q1 - q0) + u * (q2 - q1)); }
    [[nodiscard]] Vec3 third() const { return 2.0 * (q0 - 2.0 * q1 + q2); }
    // The derivative's blossom: first(u) for u = v, else the middle control vector of the derivative over [u, v].
    [[nodiscard]] Vec3 between(double u, double v) const {
        const double a = 1.0 - u, b = 1.0 - v;
        return (a * b) * q0 + (u * b + v * a) * q1 + (u * v) * q2;
    }
};

// From b to c, with the derivative (c - a)/2 at b and (d - b)/2 at c: Catmull and Rom.
Cubic make_cubic(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// m^2: a derivative whose square is below this is rounding, and has no direction.
double negligible_speed2(const Cubic& cubic);

// The square of the speed |C'|^2 along a segment, a polynomial of fourth degree.
struct SpeedSquared {
    std::array<double, 5> c;
    explicit SpeedSquared(const Cubic& cubic);
};
// Arc between two parameters, m: Gauss and Legendre's rule of five points.
double arc_length(const SpeedSquared& speed2, double from, double to);
double arc_length(const Cubic& cubic, double from, double to);

// The spline through a chain of nodes. Ghosts at both ends lie on the parabola through the last three nodes (Bessel);
// two nodes make a straight line. A view: nodes and positions must outlive it.
class Spline {
public:
    Spline(std::span<const std::int32_t> nodes, std::span<const Vec3> positions)
        : m_nodes(nodes), m_positions(positions) {}

    [[nodiscard]] std::size_t segments() const { return m_nodes.size() < 2 ? 0 : m_nodes.size() - 1; }
    [[nodiscard]] Cubic segment(std::size_t i) const;
    // Nodes, and for -1 and segments() + 1 the ghosts.
    [[nodiscard]] Vec3 point(std::ptrdiff_t i) const;

private:
    [[nodiscard]] Vec3 ghost(std::size_t end, std::size_t next, std::size_t third) const;
    [[nodiscard]] const Vec3& node(std::size_t i) const { return m_positions[static_cast<std::size_t>(m_nodes[i])]; }

    std::span<const std::int32_t> m_nodes;
    std::span<const Vec3> m_positions;
};

}  // namespace plica::render
