#pragma once
#include <optional>
#include <span>

#include "render/camera.hpp"

namespace plica::render {

struct Picked {
    std::int32_t node;  // of a tube or an organ, the nearest to the place
    Vec3 point;         // m, on the surface
    double distance;    // m, along the ray
};

// The first tube or organ that the ray meets. Organs are met from outside only.
std::optional<Picked> pick(const Drawing& drawing, std::span<const Vec3> positions, const Ray& ray);

}  // namespace plica::render
