#pragma once
#include <cstdint>

#include "tissue/mass_spring/sheet_kernel.hpp"

namespace plica::mass_spring {

// A block of the matrix that is being eliminated, with what pivots before it take from it: the products of their blocks
// at terms[2 k] and terms[2 k + 1], k from first to last.
struct GradedTarget {
    enum class Kind : std::int32_t { pivot, across, load, left_own, left_between, left_load };
    Kind kind;           // a pivot's own block, another of its row, its load; the same of what is left to separators
    std::int32_t block;  // in blocks
    std::int32_t pivot;  // the row's own block
    std::int32_t first, last;
};

// A row of the factor: its blocks from `block` on, its own first, its load last.
struct GradedRow {
    std::int32_t block;
    std::int32_t first, last;  // into `columns`: unknowns of the blocks behind its own
};

// A sheet whose rows have nodes in every k-th column only. Eight chunks as in SheetProblem, with the same separators,
// but each chunk is a sparse matrix, the same in all of them, whose elimination is planned once. Unknowns are numbered
// in the order of their elimination; separators, right and left, come behind and go where FrontShape says.
struct GradedProblem {
    FrontShape shape;
    std::int32_t unknowns, pivots, batches, bends;
    const std::int32_t* node;    // unknowns x 8; some node where there is none
    const double* there;         // unknowns x 8; 1, or 0 where no free node is
    const std::int32_t* own;     // per unknown: its own block; -1: another chunk's mass
    const std::int32_t* load;    // per unknown: its load
    const std::int32_t* own_of;  // per unknown: its own block, mass or not
    const std::int32_t* row_a;   // per batch of springs, unknowns; -1: held
    const std::int32_t* row_b;
    const std::int32_t* between;  // per batch: block, -1: an end is held
    const std::int32_t* a;        // per batch x 8: nodes
    const std::int32_t* b;
    const double* rest;
    const double* slack;
    const double* stiffness;  // 0: no spring in this lane
    const double* compression;
    const std::int32_t* bent;  // per bend: three unknowns, then the blocks between them, 00 01 02 11 12 22
    const double* bending;     // per bend x 8
    const GradedTarget* targets;
    std::int32_t target_count;
    const std::int32_t* terms;
    const GradedRow* rows;  // per pivot
    const std::int32_t* columns;
    std::int32_t row_blocks;  // blocks of all rows; behind them the front of the separators
    double viscosity;
    double h;
    const double* x;  // 3 per node
    const double* w;
    const double* q;
    double* p;
    double* q_of;  // unknowns x 3 x 8
    double* x_of;
    double* known;   // unknowns x 3 x 8
    double* blocks;  // of all rows, then `front`
    double* between_separators;
};

// The same step as solve_sheet().
PLICA_KERNEL_VARIANTS(void solve_graded(const GradedProblem& problem))

}  // namespace plica::mass_spring
