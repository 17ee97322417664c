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

// By the fastest mode of the mesh as it is now, and the error that its estimate may still have. `mode` (three numbers a
// node; of another size: begin anew) is improved by cycles of three Lanczos steps and kept for the next time, until the
// error is less than `tolerance`, or for so many cycles. spare: as many places as nodes, to work in. w: inverse masses,
// 0 for held nodes. Leaves work.next spoilt.
double estimate_step(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x, std::span<const double> w,
                     const History& history, int cycles, double tolerance, ThreadPool& pool, Workspace& work,
                     std::vector<float>& mode, std::span<Vec3> spare = {});

}  // namespace plica::tled
