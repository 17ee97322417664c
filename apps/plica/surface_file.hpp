#pragma once
#include <string>
#include <vector>

#include "collision/surface.hpp"

namespace plica::app {

// "gut segment 12": numbered within its body, as its list in the file is.
struct PrimitiveName {
    const char* kind;  // segment, sphere or triangle
    std::size_t body, number;
};

// What can be touched, as a scene.json tells it.
struct SurfaceFile {
    std::vector<std::string> bodies;
    Surface surface;
    std::vector<PrimitiveName> names;  // capsules first, then triangles
};

// nodes: how many there are. Throws Error with file, place, what was found and what was expected.
SurfaceFile read_surface(const std::string& file, std::size_t nodes);

}  // namespace plica::app
