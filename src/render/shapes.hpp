#pragma once
#include <cstdint>
#include <vector>

namespace plica::render {

// A mesh that is sent once and drawn many times: `floats` numbers a corner.
struct Shape {
    int floats = 0;
    std::vector<float> corners;
    std::vector<std::uint32_t> triangles, lines;
};

// Share of a turn and place along, for the skin of a cell and, with rings up to the pole, for the round end of a tube.
Shape make_cylinder(int sides, int rings);
// Barycentric coordinates over a triangle, each edge cut into `cuts`.
Shape make_patch(int cuts);
// Place and normal; unit ball from a polar angle (0: top) to another, rad.
Shape make_ball(double from, double to, int rings, int sides);
// Unit tube about z from 0 to 1; unit square in the xy plane from -1 to 1.
Shape make_tube(int sides);
Shape make_square(int cuts);

}  // namespace plica::render
