#pragma once
#include <span>
#include <vector>

#include "geometry/vec3.hpp"
#include "render/detail.hpp"
#include "render/drawing.hpp"

namespace plica::render {

// A frame on a tube's axis, as the vertex shader reads it: one cell of skin spans two neighbours in the array. The last
// frame of a tube has half_length 0: there is no cell from it to the next tube's first. All other half lengths are
// positive, even where nodes coincide.
struct AxisFrame {
    float position[3];
    float radius;
    float tangent[3];
    float half_length;  // m, L of render/skin.hpp: half the arc of the cell that begins here, less in tight bends
    float normal[3];    // unit, across the tangent; the third axis is tangent x normal
    float along;        // m, arc from the tube's start
    float bend[3];      // 1/m, towards the centre of the tighter of the two bends that meet here; 0 at a tube's ends
    float unused;
};
static_assert(sizeof(AxisFrame) == 64);

// Fills `frames` with all tubes' frames one after the other. Allocates nothing once warm. Each segment of the spline
// through a tube's nodes has as many cells as it takes for none to turn beyond largest_turn (from 2 to 90 degrees),
// however crumpled the curve is: at a cusp, where the tangent jumps, cells without length turn it.
void find_axis_frames(std::span<const Tube> tubes, std::span<const Vec3> positions, double largest_turn,
                      std::vector<AxisFrame>& frames);

// The same with Raghupathi 2004's adaptive sampling, which bounds no turn, and L half the arc everywhere.
void find_axis_frames_adaptive(std::span<const Tube> tubes, std::span<const Vec3> positions, double eps,
                               std::vector<AxisFrame>& frames);

// The same with `cells` equal intervals in each segment, whatever they turn: the usual sweep.
void find_axis_frames_even(std::span<const Tube> tubes, std::span<const Vec3> positions, int cells,
                           std::vector<AxisFrame>& frames);

}  // namespace plica::render
