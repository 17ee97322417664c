#pragma once
#include <cstdint>
#include <limits>

#include "contact/shape.hpp"
#include "core/isa.hpp"

// Constraint rows, eight side by side, and the vector kernels that measure and solve them.
namespace plica {

struct Wall;
struct WallSample;
struct FacingArrays;
struct PathArrays;
struct DueArrays;

// Eight contact rows of one kind whose nodes are all different, so that they can be solved side by side. One number
// per lane; lanes from `count` on repeat the first and are never written back.
struct alignas(64) RowBatch {
    double push[8];         // kg m, normal Lagrange multiplier
    double friction[3][8];  // kg m, tangential Lagrange multiplier
    double given[3][8];     // kg m, what side a got in this substep, whichever way the rows pointed then
    double radii[8];        // m, sum of the contact radii
    double coefficient[8];  // Coulomb's, of friction
    // At the start of the substep.
    double start_normal[3][8];
    double start_gap[8];
    double start_distance[8];  // signed: negative when the axes have crossed
    double least_gap[8];       // m, that the rows are to leave
    double out[8];             // kg m, that keeps what is pushed out from pressing the rows deeper
    // Where the last pass found them.
    double weight[5][8];
    double normal[3][8];
    double compliance[8];  // 1/kg: how much the gap opens for a unit multiplier
    double apart[8];       // m, point_facet, segments: that the row keeps its sides apart where it acts
    std::int32_t node[5][8];
    std::int32_t slot[3][8], facet[8];  // point_facet: normals of the corners; triangle
    std::int32_t pair[8];               // index of the candidate
    double moved;                       // largest correction of the last pass, in contact radii
    std::int32_t count;
    bool loaded;    // one of them at least, after the last pass
    bool solid;     // all rows have a solid on one side: they are iterated to tolerance
    bool floating;  // all rows have a floating body on one side
    Shape shape;
};

// The world's nodes, three doubles each.
struct RowNodes {
    const double* x;  // start of the substep
    double* p;        // predicted, corrected here
    double* v;        // for Raghupathi's response
    const double* w;
    // For point_facet, see FacetNormals.
    const double* normals = nullptr;
    const double* creases = nullptr;
    bool constant_normals = false;
    bool evenly = false;                                         // tubes along each other act on each other evenly
    double most_push = std::numeric_limits<double>::infinity();  // kg m, that a row may carry
};

// Measures the rows at x on the side given (zero: none) in `normal`; fills start_*, weight, normal, compliance and
// least_gap: an old penetration may stay (push_out shrinks it), a new one may not appear.
PLICA_KERNEL_VARIANTS(void measure_start(const RowNodes& nodes, RowBatch& batch))
// Gives the multipliers that the rows bring along to p; their friction is made tangential first.
PLICA_KERNEL_VARIANTS(void apply_multipliers(const RowNodes& nodes, RowBatch& batch))
// One pass over the rows, re-measured where they are found: gap >= least_gap, Coulomb friction.
PLICA_KERNEL_VARIANTS(void solve_rows(const RowNodes& nodes, RowBatch& batch))
// The same with weights, normals and compliances of the last pass: rows as linear as that pass found them.
PLICA_KERNEL_VARIANTS(void solve_rows_again(const RowNodes& nodes, RowBatch& batch))
// Raghupathi 2004, eq. 7 and 9 with the errata's signs.
PLICA_KERNEL_VARIANTS(void solve_rows_raghupathi(const RowNodes& nodes, double h, RowBatch& batch))
// Raghupathi 2004, eq. 4, 7 and 9 as they are printed.
PLICA_KERNEL_VARIANTS(void solve_rows_printed(const RowNodes& nodes, double h, RowBatch& batch))
// Once the passes are over, along the rows as they were last measured. Notes how deep rows are in least_gap, and in
// `moved` the most that push_out_rows() is going to do to one, in contact radii.
PLICA_KERNEL_VARIANTS(void note_depths(const RowNodes& nodes, double most, RowBatch& batch))
// Shrinks what penetration is left by at most this share of the radii.
PLICA_KERNEL_VARIANTS(void push_out_rows(const RowNodes& nodes, double most, RowBatch& batch))
// One pass over the rows that leaves none deeper than was noted: what is pushed out of one must not go into another.
PLICA_KERNEL_VARIANTS(void keep_depths(const RowNodes& nodes, RowBatch& batch))

struct RowKernels {
    void (*compute_node_travel)(const double*, const double*, const double (&)[3], int, double*);
    double (*compute_paths)(const PathArrays&, double*, double*);
    int (*find_due)(const DueArrays&, double, std::int32_t*);
    void (*compute_clearance)(const double*, const FacingArrays&, const std::int32_t*, int, double*);
    void (*measure_start)(const RowNodes&, RowBatch&);
    void (*apply_multipliers)(const RowNodes&, RowBatch&);
    void (*solve)(const RowNodes&, RowBatch&);
    void (*solve_again)(const RowNodes&, RowBatch&);
    void (*solve_raghupathi)(const RowNodes&, double, RowBatch&);
    void (*solve_printed)(const RowNodes&, double, RowBatch&);
    void (*note_depths)(const RowNodes&, double, RowBatch&);
    void (*push_out)(const RowNodes&, double, RowBatch&);
    void (*keep_depths)(const RowNodes&, RowBatch&);
    void (*sample_nodes)(const Wall&, const double*, const std::int32_t*, int, WallSample*);
};
RowKernels row_kernels(Isa isa);

}  // namespace plica
