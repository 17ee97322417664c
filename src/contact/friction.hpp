#pragma once
#include "geometry/vec3.hpp"

namespace plica {

// Coulomb friction by return mapping: the multiplier that would stop the slip, cut back to the cone's rim.
inline Vec3 return_map(const Vec3& friction, const Vec3& slip, const Vec3& normal, double compliance, double limit) {
    Vec3 trial = friction - slip / compliance;
    trial -= normal * dot(trial, normal);
    const double size = norm(trial);
    return size > limit ? trial * (limit / size) : trial;
}

}  // namespace plica
