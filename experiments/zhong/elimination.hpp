#pragma once
#include <span>
#include <vector>

#include "core/isa.hpp"
#include "tissue/heat/sparse.hpp"

// Elimination as it was before sparse factors, to compare with.
namespace plica::experiments {

// Gauss, three plain loops over a full matrix.
std::vector<double> eliminate_plainly(const heat::SymmetricMatrix& a, std::span<const double> b);

// Blocked LU with pivoting of a full matrix (Eigen). It solves, and leaves the time of the whole in *seconds.
std::vector<double> eliminate_blocked(const heat::SymmetricMatrix& a, std::span<const double> b, double* seconds);

// Symmetric elimination within the band around the diagonal, N b^2 operations: the paper's "refined" one.
class Band {
public:
    explicit Band(const heat::SymmetricMatrix& a);
    void eliminate();
    void solve(std::span<double> x) const;  // after eliminate
    [[nodiscard]] std::size_t width() const { return m_width; }

private:
    std::size_t m_rows = 0, m_width = 0;  // entries right of the diagonal
    std::vector<double> m_value;          // row after row, from the diagonal on
};

PLICA_KERNEL_VARIANTS(
    // a: rows x rows, column after column; overwritten. b: right side in, solution out.
    void solve_by_lu(double* a, std::size_t rows, double* b))

}  // namespace plica::experiments
