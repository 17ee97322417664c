#pragma once
#include <cstdint>

#include "core/isa.hpp"
#include "geometry/wall.hpp"

// Nodes against the fixed surroundings.
namespace plica {

struct ContactWorld;
struct ContactScratch;

// Eight nodes' distance from a wall, and the direction away from it.
struct alignas(64) WallSample {
    double distance[8];
    double normal[3][8];
};
PLICA_KERNEL_VARIANTS(void sample_nodes(const Wall& wall, const double* x, const std::int32_t* node, int count,
                                        WallSample* out))

// Gives walls' multipliers to the prediction and lists the nodes that have some.
void warm_start_walls(ContactWorld& world, ContactScratch& scratch);
// One pass over the rows; the first in a substep lists the nodes that may come to touch a wall.
void solve_walls(ContactWorld& world, ContactScratch& scratch);
// Shrinks penetrations that the passes left.
void push_out_walls(ContactWorld& world, ContactScratch& scratch);

}  // namespace plica
