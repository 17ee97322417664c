#pragma once
#include <span>
#include <vector>

#include "geometry/vec3.hpp"
#include "render/detail.hpp"
#include "render/drawing.hpp"

namespace plica::render {

// A frame on a tube's axis, as the vertex shader reads it: one cell of skin spans two neighbours in the array. The last
// frame of a tube has half_length 0: there is no cell from it to the next tube's first.
struct AxisFrame {
    float position[3];
    float radius;
    float tangent[3];
    float half_length;  // m, half the arc of the cell that begins here: L of Raghupathi 2004, eq. 13
    float normal[3];    // unit, across the tangent; the third axis is tangent x normal
    float along;        // m, arc from the tube's start
};
static_assert(sizeof(AxisFrame) == 48);

// Fills `frames` with all tubes' frames one after the other. Allocates nothing once warm.
void find_axis_frames(std::span<const Tube> tubes, std::span<const Vec3> positions, double largest_turn,
                      std::vector<AxisFrame>& frames);

}  // namespace plica::render
