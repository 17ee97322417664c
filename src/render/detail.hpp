#pragma once

namespace plica::render {

// How finely tubes are drawn: how the curve is cut into cells, and the cylinder that is bent over each of them.
struct Detail {
    double largest_turn = 0.5236;  // rad, that the curve may turn within a cell
    int sides = 16;                // of the cylinder
    int rings = 4;                 // of faces along it
};

}  // namespace plica::render
