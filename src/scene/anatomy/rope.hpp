#pragma once
#include <string>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

// A free tube without mesentery. All lengths in metres.
struct RopeParameters {
    double length = 0.0, radius = 0.0;
    int segments = 0;
    std::string layout = "line";    // "line" | "coil"
    Vec3 from{};                    // line: the first node; coil: on the axis, at the height of the first node
    Vec3 direction{1.0, 0.0, 0.0};  // of a line; any length but zero
    double coil_radius = 0.0;       // of the centre line, around the vertical axis through `from`
    double coil_pitch = 0.0;        // rise per turn
};

// Nodes 0..segments with equal chords length / segments. Throws Error with the text of check_rope.
std::vector<Vec3> build_rope(const RopeParameters& parameters);

// All problems, each with its reason and the nearest feasible value.
std::vector<std::string> check_rope(const RopeParameters& parameters);

// Nodes of a coil without its checks.
std::vector<Vec3> coil_nodes(const RopeParameters& parameters);

}  // namespace plica
