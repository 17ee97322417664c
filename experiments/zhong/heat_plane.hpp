#pragma once
#include <span>
#include <vector>

#include "tissue/heat/sparse.hpp"

// One implicit step of heat on a plane, as a linear system that many methods can be timed on.
namespace plica::experiments {

struct HeatPlane {
    int side = 0;                     // free nodes along an edge: side^2 of them, row after row
    double dt = 0.0, limit = 0.0;     // s: of the step; and h^2 alpha / (4 k), the explicit one's for even spacing
    heat::SymmetricMatrix matrix;     // (alpha / dt) diag(area) + W of the free nodes
    heat::SymmetricMatrix stiffness;  // W of the free nodes
    std::vector<double> area;         // m^2
    std::vector<double> before;       // temperatures now
    std::vector<double> right;        // right side for those of the next step

    [[nodiscard]] std::size_t nodes() const { return area.size(); }
};

// A unit square with alpha = k = 1, nodes moved by up to 0.15 of their spacing, the rim held at zero, some
// sources; `before` is what they made in some steps from rest, then they move by a node. dt = steps * limit.
HeatPlane make_heat_plane(int side, double steps);

// The same plane with another step.
void change_step(HeatPlane& plane, double dt);

}  // namespace plica::experiments
