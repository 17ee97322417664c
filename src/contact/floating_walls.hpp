#pragma once
#include <cstdint>
#include <vector>

// Constraint rows of floating bodies against the fixed surroundings: one node a row, as of tissue (walls.hpp), but what
// a row gives moves the body.
namespace plica {

struct ContactWorld;
struct ContactScratch;

struct FloatingWallRow {
    std::size_t body, wall, node;
    double start_gap;  // m, at the start of the substep
};

// Gives last substep's multipliers to the bodies.
void warm_start_floating_walls(ContactWorld& world, ContactScratch& scratch);
// Passes over all nodes that touch a wall, one row after the other, until none is corrected by more than the tolerance.
// Returns the largest correction of the first, in contact radii.
double solve_floating_walls(ContactWorld& world, ContactScratch& scratch);
// Shrinks penetrations that the passes left.
void push_out_floating_walls(ContactWorld& world, ContactScratch& scratch);

}  // namespace plica
