#pragma once
#include <cstdint>

#include "geometry/vec3.hpp"

namespace plica {

// Fixed surroundings: the tissue stays where the signed distance is positive.
enum class WallKind : std::uint8_t {
    plane,     // above a plane
    bowl,      // inside a hemisphere with a vertical wall on its rim, open at the top
    ellipsoid  // inside a closed cavity
};

// As scenes call it.
inline const char* wall_name(WallKind kind) {
    switch (kind) {
        case WallKind::plane:
            return "plane";
        case WallKind::bowl:
            return "bowl";
        case WallKind::ellipsoid:
            break;
    }
    return "cavity";
}

struct Wall {
    WallKind kind = WallKind::plane;
    Vec3 center;           // m; a point of the plane, the centre of bowl or ellipsoid
    Vec3 normal{0, 0, 1};  // plane: unit, towards the free side
    Vec3 radii{1, 1, 1};   // m; the bowl uses x
    double friction = 0.2;
};

struct SurfaceSample {
    double distance;  // m, positive on the free side
    Vec3 normal;      // unit, towards the free side
};

// Exact for the plane, the bowl and the outside or near inside of the ellipsoid (closest point by bisection).
SurfaceSample sample_wall(const Wall& wall, const Vec3& p) noexcept;

// A lower bound of the distance that costs a handful of flops: when it exceeds what matters, sample_wall need not be
// called.
double distance_bound(const Wall& wall, const Vec3& p) noexcept;

}  // namespace plica
