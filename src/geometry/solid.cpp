#include "geometry/solid.hpp"

#include <algorithm>

#include "geometry/sample_solid.hpp"

namespace plica {
SurfaceSample sample_solid(const Solid& solid, const Vec3& p) noexcept {
    const SampleOf<double> sample = sample_any_solid(solid, p);
    return {sample.distance, sample.normal};
}

double distance_bound(const Solid& solid, const Vec3& p) noexcept {
    if (solid.kind != SolidKind::ellipsoid) return sample_solid(solid, p).distance;
    const Vec3 d = p - solid.center;
    const Vec3& a = solid.radii;
    const double q = norm({d.x / a.x, d.y / a.y, d.z / a.z});
    // Inside, q is 1/a_min-Lipschitz and reaches 1 on the surface.
    return q < 1.0 ? (1.0 - q) * std::min({a.x, a.y, a.z}) : (1.0 - q) * std::max({a.x, a.y, a.z});
}

}  // namespace plica
