#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vec3.hpp"
#include "render/drawing.hpp"

namespace plica::render {

// What the graphics processor reads of a sheet's node: two texels.
struct SheetNode {
    float position[3];
    float along;  // m, on the organ it hangs on
    float normal[3];
    float from_root;  // m
};

// A sheet's nodes with smooth normals, and its triangles from the farthest to the nearest, so that what is behind shows
// through what is in front.
class SheetSurface {
public:
    explicit SheetSurface(const Sheet& sheet);
    // Allocates nothing once warm.
    void update(const Sheet& sheet, std::span<const Vec3> positions, const Vec3& eye);

    std::vector<SheetNode> nodes;
    std::vector<std::int32_t> order;

private:
    std::vector<Vec3> m_normal;
    std::vector<std::uint64_t> m_keys;  // depth, triangle
};

}  // namespace plica::render
