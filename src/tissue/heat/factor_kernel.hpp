#pragma once
#include "core/isa.hpp"
#include "tissue/heat/supernodes.hpp"

namespace plica::heat {

// A factor as the kernels see it (SupernodeLayout says what lies where).
struct FactorView {
    const Supernode* supernodes;
    std::size_t count;
    const std::int32_t* row;
    double* value;
    double* inverse_pivot;
};

PLICA_KERNEL_VARIANTS(
    // x: right side in, solution out, in the factor's order. local: as many as the largest front.
    void solve_one(const FactorView& factor, double* local, double* x);
    // The same for vectors of four numbers.
    void solve_four(const FactorView& factor, double* local, double* x);
    // Eliminates a supernode's columns from its front: column-major, size x size, the lower triangle alone. What is
    // left for the parent goes to `rest`, height x height. Column c must keep least[c] of itself, or -1 - c is
    // returned; else 0.
    int eliminate_front(const FactorView& factor, std::size_t supernode, double* front, const double* least,
                        double* rest))

}  // namespace plica::heat
