#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/stuffing.hpp"

namespace plica {
namespace {

constexpr int filled_level = 5;  // of the surface that is filled: 20,480 triangles

double square(double v) {
    return v * v;
}

}  // namespace

// An ellipsoid, thinned towards +x (the left lobe), hollowed below (where stomach and kidney lie) and notched between
// the lobes.
double liver_radius(const Vec3& d) {
    const double ellipsoid = 1.0 / std::sqrt(square(d.x / 0.100) + square(d.y / 0.060) + square(d.z / 0.070));
    const double lobe = 1.0 - 0.45 / (1.0 + elementary::exp(-6.0 * (d.x - 0.25)));
    const double hollow =
        1.0 -
        0.28 * elementary::exp(-(square(d.x - 0.15) / 0.18 + square(d.y + 0.2) / 0.35 + square(d.z + 0.9) / 0.25));
    const double notch = 1.0 - 0.16 * elementary::exp(-(square(d.x - 0.35) / 0.06 + square(d.y + 0.5) / 0.25));
    return ellipsoid * lobe * hollow * notch;
}

SurfaceMesh make_liver_surface(int level) {
    SurfaceMesh mesh = make_icosphere(level, 1.0);
    for (Vec3& p : mesh.nodes) p *= liver_radius(p);
    return mesh;
}

VolumeMesh make_liver(double cell) {
    return fill_surface(make_liver_surface(filled_level), cell);
}

VolumeMesh make_liver(double cell, const Vec3& size) {
    SurfaceMesh surface = make_liver_surface(filled_level);
    Vec3 low = surface.nodes[0], high = low;
    for (const Vec3& p : surface.nodes) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3 middle = (low + high) * 0.5, extent = high - low;
    for (Vec3& p : surface.nodes) {
        const Vec3 d = p - middle;
        p = {d.x * size.x / extent.x, d.y * size.y / extent.y, d.z * size.z / extent.z};
    }
    return fill_surface(surface, cell);
}

double liver_cell_for(int tetrahedra) {
    if (tetrahedra < 1) {
        throw Error("a liver of " + std::to_string(tetrahedra) + " tetrahedra; expected at least one");
    }
    // Twelve to a cube of the volume, and more where the surface cuts cubes: n c^3 = 12 V + s c.
    constexpr double twelve_volumes = 12.0 * 1.051e-3;  // m^3
    constexpr double surplus = 0.080;                   // m^2, measured
    double cell = elementary::cbrt(twelve_volumes / tetrahedra);
    for (int i = 0; i < 20; ++i) cell = elementary::cbrt((twelve_volumes + surplus * cell) / tetrahedra);
    return cell;
}

VolumeMesh make_ball(double radius, double cell) {
    return fill_surface(make_icosphere(filled_level, radius), cell);
}

}  // namespace plica
