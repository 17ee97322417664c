#pragma once
#include <cstdint>
#include <vector>

namespace plica::render {

// The vessels of a mesentery as a picture that repeats along the gut: trunks from the root that fork, arcades that join
// them in arches, straight vessels from the arches to the gut. Rows run from the root to the gut.
struct Vessels {
    int width = 0, height = 0;
    double period = 0.0;               // m along the gut
    std::vector<std::uint8_t> texels;  // arteries, veins, fat around them, 255
};

// sheet_width: m, from root to gut. root_share: length of the root as a share of the gut's, by which the sheet is
// gathered there: what is to look round at the root is wide in the picture.
Vessels draw_vessels(double sheet_width, double root_share);

}  // namespace plica::render
