#pragma once
#include <cstdint>

#include "core/isa.hpp"

namespace plica::mass_spring {

// A sheet is cut into eight chunks of `length` columns, one for each lane. What separates a chunk from the one before
// is its first column and, because bending reaches two columns, the first slot of the column before that one. All
// chunks eliminate their columns in lock step; what the separators then ask of each other is a small system of its own.
//
// The unknowns that one column's elimination can touch form the front, in nodes: the column itself, the next one, the
// first slot two columns on, and the separator on the left: the slot before it, then its column. Within a column the
// first slot comes last: the front is smallest that way. The last block of a node's row is its load.
struct FrontShape {
    int slots;
    [[nodiscard]] constexpr int here(int slot) const { return slots - 1 - slot; }
    [[nodiscard]] constexpr int next(int slot) const { return slots + here(slot); }
    [[nodiscard]] constexpr int far() const { return 2 * slots; }
    [[nodiscard]] constexpr int left_slot() const { return 2 * slots + 1; }
    [[nodiscard]] constexpr int left(int slot) const { return 2 * slots + 2 + here(slot); }
    [[nodiscard]] constexpr int nodes() const { return 3 * slots + 2; }
    [[nodiscard]] constexpr int blocks() const { return nodes() * (nodes() + 1); }  // a node's row ends with its load
    [[nodiscard]] constexpr int column_blocks() const { return slots * (nodes() + 1); }
    static constexpr int block_lines = 9;  // cache lines: an entry is one of eight lanes
};

// The system of the eight separators: a row has the separator's own entries and load, then those of the next one.
struct SeparatorShape {
    int slots;
    [[nodiscard]] constexpr int rows() const { return 3 * slots + 3; }
    [[nodiscard]] constexpr int half() const { return (rows() + 1 + 7) / 8 * 8; }  // doubles
    [[nodiscard]] constexpr int stride() const { return 2 * half(); }
    [[nodiscard]] constexpr int lines() const { return 8 * rows() * stride() / 8; }
};

// Most slots that the kernel has room for.
inline constexpr int most_slots = 40;

// One sheet, as plain arrays with the eight chunks side by side. Rows of columns start with the one before the chunk
// and end with the next chunk's first.
struct SheetProblem {
    FrontShape shape;
    int length;                       // columns of a chunk, the separator among them: at least 2
    const std::int32_t* node;         // (length + 2) x slots x 8; some node where there is none
    const double* there;              // the same shape; 1, or 0 where no free node is
    const std::int32_t* reached_by;   // per node of the front: the first one of the column that couples to it
    const std::int32_t* first_batch;  // length + 1: springs of each column, eight at a time
    const std::int32_t* row_a;        // per batch, nodes of the front; -1: held
    const std::int32_t* row_b;
    const std::int32_t* a;  // per batch x 8
    const std::int32_t* b;
    const double* rest;
    const double* stiffness;  // 0: no spring in this lane
    const double* compression;
    const double* bending;  // (length + 1) x 8: of three columns, by the first of them from the one before the chunk on
    double viscosity;
    double h;
    const double* x;  // 3 per node
    const double* w;
    const double* q;
    double* p;
    double* q_of;  // (length + 2) x slots x 3 x 8: q and x of the nodes in `node`
    double* x_of;
    double* front;    // blocks
    double* upper;    // length x column_blocks: what back substitution needs
    double* between;  // of the separators
};

// (M + h^2 K) dq = M (p - q) + h^2 f, then p = q + dq: one Newton step of implicit Euler from q, where f are the forces
// of springs and bending and K their Hessian with the part that would be negative (a spring under compression,
// sideways) left out.
PLICA_KERNEL_VARIANTS(void solve_sheet(const SheetProblem& problem))

}  // namespace plica::mass_spring
