#pragma once
#include <cstdint>

#include "core/isa.hpp"

namespace plica::mass_spring {

// The unknowns of a sheet are eliminated column by column. Those that one column's elimination can touch form the
// front: the column itself, the next one, and the first slot two columns on, which bending reaches; one more entry of
// a row is the load. Within a column the first slot comes last: the front is smallest that way.
struct FrontShape {
    int slots;
    [[nodiscard]] constexpr int column_rows() const { return 3 * slots; }
    [[nodiscard]] constexpr int far() const { return 6 * slots; }  // first row of the slot two columns on
    [[nodiscard]] constexpr int rows() const { return 6 * slots + 3; }
    [[nodiscard]] constexpr int load() const { return 6 * slots + 3; }      // the entry of a row that is its load
    [[nodiscard]] constexpr int lines() const { return (load() + 8) / 8; }  // cache lines of a row
    [[nodiscard]] constexpr int stride() const { return 8 * lines(); }      // doubles of a row
    [[nodiscard]] constexpr int row_of(int slot) const { return 3 * (slot == 0 ? slots - 1 : slot - 1); }
};

// Most slots that the kernel has room for.
inline constexpr int most_slots = 40;

// One sheet, as plain arrays. Springs are sorted by column; the arrays go on to a multiple of eight with springs of
// stiffness 0.
struct SheetProblem {
    FrontShape shape;
    int columns;
    const std::int32_t* node;          // columns x slots, -1: no free node there
    const std::int32_t* first_spring;  // columns + 1
    const std::int32_t* a;
    const std::int32_t* b;
    const std::int32_t* row_a;  // in the front, when the spring's column is eliminated; -1: held
    const std::int32_t* row_b;
    const double* rest;
    const double* stiffness;
    const double* compression;
    double viscosity;
    double bending;
    std::int32_t first_node;
    double h;
    const double* x;  // 3 per node
    const double* w;
    const double* q;
    double* p;
    double* front;  // rows x stride
    double* upper;  // columns x column_rows x stride: what back substitution needs
};

// (M + h^2 K) dq = M (p - q) + h^2 f, then p = q + dq: one Newton step of implicit Euler from q, where f are the forces
// of springs and bending and K their Hessian with the part that would be negative (a spring under compression,
// sideways) left out.
PLICA_KERNEL_VARIANTS(void solve_sheet(const SheetProblem& problem))

}  // namespace plica::mass_spring
