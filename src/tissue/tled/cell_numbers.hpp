#pragma once
#include <array>
#include <span>

#include "tissue/tled/organ.hpp"

// What a cell's rest shape gives once and for all.
namespace plica::tled {

// Where the k-th cell of a block is: neighbours lie in different batches, so that a batch adds to different nodes.
struct CellPlace {
    std::int32_t batch, lane;
};
inline CellPlace place_of(const Block& block, std::int32_t k) {
    return {k % block.batches, k / block.batches};
}

struct CellNumbers {
    std::array<double, 38> at{};  // as numbers_of() says
};

// Four nodes or eight.
CellNumbers compute_cell_numbers(std::span<const Vec3> rest, std::span<const std::int32_t> nodes,
                                 const Material& material, double hourglass);

// The same from what the organ keeps, in its precision.
CellNumbers numbers_of_cell(const Organ& organ, std::size_t cell);

double compute_volume(std::span<const Vec3> rest, std::span<const std::int32_t> nodes);  // m^3

// Of a symmetric matrix xx, yy, zz, yz, xz, xy.
double largest_eigenvalue(const double (&s)[6]);

// 1 / |largest gradient|: of a tetrahedron its smallest altitude, m.
double least_altitude(const CellNumbers& numbers, ElementKind kind);

// Upper bound of the square of a cell's highest angular frequency, 1/s^2: (4 / rho) (lambda tr S + 2 mu s_max) with
// S = sum_a G_a G_a^T for a tetrahedron at rest, (8 / rho) (...) for a hexahedron. No mode of a mesh is faster than its
// fastest cell.
double bound_frequency(const CellNumbers& numbers, ElementKind kind, const Material& material);

}  // namespace plica::tled
