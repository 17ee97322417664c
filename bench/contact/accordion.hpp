#pragma once
#include <algorithm>
#include <string>

#include "geometry/mesh/mesh.hpp"

// A soft ribbon that lies in folds with air between them, each with ripples along it: it falls in on itself, crest on
// crest, and all it touches is itself and the floor.
namespace plica::bench {

struct Accordion {
    int layers = 3;
    int along = 58;   // cells in a layer, without the bends
    int across = 64;  // cells, along y
    int thick = 4;    // cells

    // Cells as many times larger.
    [[nodiscard]] Accordion coarser(int times) const {
        return {layers, along / times, across / times, std::max(1, thick / times)};
    }
};

VolumeMesh make_accordion(const Accordion& shape);

// Writes the mesh and a scene of it to the folder; returns the scene's path.
std::string write_accordion(const Accordion& shape, const std::string& folder);

}  // namespace plica::bench
