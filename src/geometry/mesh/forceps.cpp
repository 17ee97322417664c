#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/sweep.hpp"

namespace plica {
namespace {

constexpr double jaw_length = 0.060;
constexpr double width = 0.008;
constexpr double height = 0.004;
constexpr double closed_gap = 0.0002;  // between the jaws, so that they do not touch when closed

// A superellipse of the fourth degree, |y|^4 + |z|^4 = 1, counterclockwise around x.
std::vector<Vec3> make_section(double x, double scale) {
    constexpr int points = 24;
    const auto root = [](double v) { return std::copysign(std::sqrt(std::abs(v)), v); };
    std::vector<Vec3> ring;
    for (int j = 0; j < points; ++j) {
        const double g = 2.0 * std::numbers::pi * j / points;
        ring.push_back(
            {x, 0.5 * width * scale * root(elementary::cos(g)), 0.5 * height * scale * root(elementary::sin(g))});
    }
    return ring;
}

}  // namespace

SurfaceMesh make_forceps_jaw() {
    constexpr int along = 30;
    // Ends are rounded: near them sections shrink like a circle of this radius.
    constexpr double rounding = 0.0015;
    constexpr int bend = 4;  // sections of an end
    std::vector<std::vector<Vec3>> rings;
    const auto add_end = [&](int i, double from, double direction) {
        const double a = 0.5 * std::numbers::pi * i / bend;
        const double shrink = rounding * (1.0 - elementary::sin(a)) / (0.5 * height);
        rings.push_back(make_section(from + direction * rounding * (1.0 - elementary::cos(a)), 1.0 - shrink));
    };
    for (int i = 0; i < bend; ++i) add_end(i, 0.0, 1.0);
    for (int i = 0; i <= along; ++i)
        rings.push_back(make_section(rounding + (jaw_length - 2 * rounding) * i / along, 1.0));
    for (int i = bend - 1; i >= 0; --i) add_end(i, jaw_length, -1.0);
    SurfaceMesh surface;
    add_sweep(rings, surface);
    for (Vec3& p : surface.nodes) p.z += 0.5 * (height + closed_gap);
    return surface;
}

SurfaceMesh make_forceps_jaws(double opening) {
    const SurfaceMesh upper = make_forceps_jaw();
    const double c = elementary::cos(0.5 * opening);
    const double s = elementary::sin(0.5 * opening);
    const auto half = static_cast<std::int32_t>(upper.nodes.size());
    SurfaceMesh both;
    for (const double side : {1.0, -1.0}) {
        for (const Vec3& p : upper.nodes) both.nodes.push_back({c * p.x - s * p.z, p.y, side * (s * p.x + c * p.z)});
    }
    both.triangles = upper.triangles;
    for (const auto& t : upper.triangles) both.triangles.push_back({t[0] + half, t[2] + half, t[1] + half});
    return both;
}

}  // namespace plica
