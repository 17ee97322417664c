#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica::render {

// Triangles wind to the left seen from outside.
struct Mesh {
    std::vector<Vec3> positions;  // m
    std::vector<Vec3> normals;    // unit
    std::vector<std::array<std::int32_t, 3>> triangles;
};

}  // namespace plica::render
