// Eigen under a name of its own per instruction set, so that the linker cannot take one set's functions for another's.
#define PLICA_EIGEN_NAME(isa) Eigen_##isa
#define PLICA_EIGEN(isa) PLICA_EIGEN_NAME(isa)
#define Eigen PLICA_EIGEN(PLICA_ISA)
#include <Eigen/LU>

#include "experiments/zhong/elimination.hpp"

namespace plica::experiments::PLICA_ISA {

void solve_by_lu(double* a, std::size_t rows, double* b) {
    const auto n = static_cast<Eigen::Index>(rows);
    Eigen::Map<Eigen::MatrixXd> matrix(a, n, n);
    Eigen::Map<Eigen::VectorXd> right(b, n);
    const Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>> lu(matrix);
    right = lu.solve(right).eval();
}

}  // namespace plica::experiments::PLICA_ISA
