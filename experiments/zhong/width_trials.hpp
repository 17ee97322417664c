#pragma once
#include "experiments/zhong/heat_trials.hpp"

// How wide a dimple is, measured on the dimple itself: on whatever body, however deep.
namespace plica::experiments {

// Lengths over the body's half size. Displacements along the load count; those against it do not.
struct Width {
    int nodes = 0;        // of the body
    double depth = 0.0;   // of the touched node
    double half = 0.0;    // radius of a disc with the area that went more than half as deep
    double mean = 0.0;    // radius of a disc that, sunk evenly, has the dimple's sums of displacement and of its square
    int moved = 0;        // nodes that moved by 5 % of the half size, whichever way
    int along = 0;        // those of them that went along with the load; the others were pushed aside
    double volume = 1.0;  // V / V0
};

struct WidthTrial {
    bool liver = true;    // else the superquadric
    int level = 3;        // of refinement: 642, 2562, 10242 nodes
    double force = -1.0;  // N; < 0: inwards
    double patch = 0.2;   // sigma of a Gaussian; 0: one node
    double coupling = 7.5;
    double bulk = 1.0;  // times the settings'
};
Width measure_width(const WidthTrial& trial);

// The same trial with heat and without.
struct WidthPair {
    WidthTrial trial;
    Width warm, cold;
};
WidthPair compare_widths(WidthTrial trial);

}  // namespace plica::experiments
