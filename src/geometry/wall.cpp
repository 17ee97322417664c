#include "geometry/wall.hpp"

#include <algorithm>

#include "geometry/sample_wall.hpp"

namespace plica {
SurfaceSample sample_wall(const Wall& wall, const Vec3& p) noexcept {
    const SampleOf<double> sample = sample_any_wall(wall, p);
    return {sample.distance, sample.normal};
}

double distance_bound(const Wall& wall, const Vec3& p) noexcept {
    if (wall.kind != WallKind::ellipsoid) return sample_wall(wall, p).distance;
    const Vec3 d = p - wall.center;
    const Vec3& a = wall.radii;
    const double q = norm({d.x / a.x, d.y / a.y, d.z / a.z});
    // Inside, q is 1/a_min-Lipschitz and reaches 1 on the surface.
    return q < 1.0 ? (1.0 - q) * std::min({a.x, a.y, a.z}) : (1.0 - q) * std::max({a.x, a.y, a.z});
}

}  // namespace plica
