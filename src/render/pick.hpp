#pragma once
#include <optional>
#include <span>

#include "render/camera.hpp"

namespace plica::render {

struct Picked {
    std::int32_t node;       // of a tube or an organ, the nearest to the place
    Vec3 point;              // m, on the surface
    double distance;         // m, along the ray
    bool rigid = false;      // no tissue: nothing to take hold of
    std::int32_t tool = -1;  // that moves what is rigid; -1: it stands
};

// The first tube or organ that the ray meets. Organs are met from outside only.
std::optional<Picked> pick(const Drawing& drawing, std::span<const Vec3> positions, const Ray& ray);

}  // namespace plica::render
