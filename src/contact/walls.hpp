#pragma once
#include <cstdint>
#include <vector>

#include "core/isa.hpp"
#include "geometry/wall.hpp"

// Constraint rows of nodes against the fixed surroundings: non-penetration and Coulomb friction, one node a row.
namespace plica {

struct ContactWorld;
struct RowKernels;

// Eight nodes' distance from a wall, and the direction away from it.
struct alignas(64) WallSample {
    double distance[8];
    double normal[3][8];
};
PLICA_KERNEL_VARIANTS(void sample_nodes(const Wall& wall, const double* x, const std::int32_t* node, int count,
                                        WallSample* out))

// The nodes that touch a wall, or may in this substep: first those that did before, then the others, by walls.
struct WallRows {
    std::vector<std::int32_t> wall, node;
    std::vector<double> start_gap;  // m, at the start of the substep
    std::vector<WallSample> now;    // where they are, eight a piece, for the rows of one wall
    bool listed = false;            // those that may come to touch are among them

    void clear();
    void reserve(std::size_t rows);
    void add(std::int32_t wall, std::int32_t node);
};

// Coulomb's coefficient of a node there.
double friction_on_wall(const ContactWorld& world, std::size_t wall, std::size_t node);

// Warm start: gives walls' multipliers to the prediction and lists the nodes that have some.
void warm_start_walls(ContactWorld& world, const RowKernels& kernels, WallRows& rows);
// One pass over the rows; the first in a substep lists the nodes that may come to touch a wall.
void solve_walls(ContactWorld& world, const RowKernels& kernels, WallRows& rows);
// Shrinks penetrations that the passes left.
void push_out_walls(ContactWorld& world, const RowKernels& kernels, WallRows& rows);

}  // namespace plica
