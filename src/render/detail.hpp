#pragma once

namespace plica::render {

// How finely a frame is drawn: how the curve of a tube is cut into cells, the cylinder that is bent over each of them,
// and what is done to the picture besides. Levels of it are what the governor chooses from.
struct Detail {
    double largest_turn = 0.35;  // rad, that the curve may turn within a cell
    int sides = 24;              // of the cylinder
    int rings = 4;               // of faces along it
    double resolution = 1.0;     // pixels drawn across one of the picture's, at most 1
    bool smooth = true;          // edges
    bool fine = true;            // procedural detail of surfaces
    bool occlusion = true;       // darker where light does not get to
    bool shadows = true;
};

}  // namespace plica::render
