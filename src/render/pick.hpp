#pragma once
#include <optional>
#include <span>

#include "render/camera.hpp"

namespace plica::render {

struct Picked {
    std::int32_t node;  // of a tube, the nearest to the place
    Vec3 point;         // m, on the surface
    double distance;    // m, along the ray
};

// The first tube that the ray meets.
std::optional<Picked> pick(const Drawing& drawing, std::span<const Vec3> positions, const Ray& ray);

}  // namespace plica::render
