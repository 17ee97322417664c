#include <numbers>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/sweep.hpp"

namespace plica {
namespace {

constexpr double rib_degree = std::numbers::pi / 180.0;

// A circle around `middle` in the plane of u and v, counterclockwise around u x v.
std::vector<Vec3> make_ring(const Vec3& middle, const Vec3& u, const Vec3& v, double radius, int points) {
    std::vector<Vec3> ring;
    for (int j = 0; j < points; ++j) {
        const double g = 2.0 * std::numbers::pi * j / points;
        ring.push_back(middle + u * (radius * elementary::cos(g)) + v * (radius * elementary::sin(g)));
    }
    return ring;
}

// A cylinder along y.
void add_bar(double x, double radius, double length, SurfaceMesh& surface) {
    constexpr int along = 32;
    constexpr int around = 24;
    std::vector<std::vector<Vec3>> rings;
    for (int i = 0; i <= along; ++i) {
        const Vec3 middle{x, length * (static_cast<double>(i) / along - 0.5), 0.0};
        rings.push_back(make_ring(middle, {0, 0, 1}, {1, 0, 0}, radius, around));
    }
    add_sweep(rings, surface);
}

}  // namespace

SurfaceMesh make_ribs(int ribs) {
    constexpr double radius = 0.005;  // of the bone, m
    constexpr double half_width = 0.130;
    constexpr double half_depth = 0.095;
    constexpr double spacing = 0.022;
    constexpr double tilt = 20.0 * rib_degree;
    constexpr double begin = 25.0 * rib_degree;
    constexpr double end = 335.0 * rib_degree;
    constexpr int along = 60;
    constexpr int around = 10;
    if (ribs < 1 || ribs > 100) throw Error(std::to_string(ribs) + " ribs; expected 1 to 100");
    const Vec3 forward{elementary::cos(tilt), 0.0, -elementary::sin(tilt)};
    const Vec3 up{elementary::sin(tilt), 0.0, elementary::cos(tilt)};
    SurfaceMesh surface;
    for (int rib = 0; rib < ribs; ++rib) {
        const Vec3 middle{0.0, 0.0, spacing * (rib - 0.5 * (ribs - 1))};
        std::vector<std::vector<Vec3>> rings;
        for (int i = 0; i <= along; ++i) {
            const double f = begin + (end - begin) * i / along;
            const Vec3 place =
                middle + forward * (half_width * elementary::cos(f)) + Vec3{0.0, half_depth * elementary::sin(f), 0.0};
            const Vec3 way = normalized(forward * (-half_width * elementary::sin(f)) +
                                        Vec3{0.0, half_depth * elementary::cos(f), 0});
            rings.push_back(make_ring(place, up, cross(way, up), radius, around));
        }
        add_sweep(rings, surface);
    }
    return surface;
}

SurfaceMesh make_bar(double radius, double length) {
    SurfaceMesh surface;
    add_bar(0.0, radius, length, surface);
    return surface;
}

SurfaceMesh make_bars(double radius, double length, double apart) {
    SurfaceMesh surface;
    for (const double side : {-0.5, 0.5}) add_bar(side * apart, radius, length, surface);
    return surface;
}

}  // namespace plica
