#pragma once
#include "tissue/tled/organ.hpp"

// The longest stable step, 2 / omega_max.
namespace plica::tled {

// By the fastest cell alone: safe, and two to six times too short.
struct CellBound {
    double seconds = 0.0;
    std::size_t cell = 0;  // that has it, in the organ's order
    double median = 0.0;   // s, of all cells: what the worst one costs
};
CellBound bound_step(const Organ& organ);

// What the fastest mode is looked for in, and for how long.
struct LimitQuery {
    std::span<const Vec3> rest, x;  // m
    std::span<const double> w;      // 1/kg, 0 for held nodes
    const History& history;
    int cycles;        // of three Lanczos steps, at most
    double tolerance;  // of the estimate's error, relative
};

// By the fastest mode of the mesh as it is now, and the error that its estimate may still have. `mode` (three numbers a
// node; of another size: begin anew) is improved by cycles of three Lanczos steps and kept for the next time, until the
// error is less than the tolerance, or for so many cycles. spare: as many places as nodes, to work in. Leaves work.next
// spoilt.
double estimate_step(const Organ& organ, const LimitQuery& query, ThreadPool& pool, Workspace& work,
                     std::vector<float>& mode, std::span<Vec3> spare = {});

}  // namespace plica::tled
