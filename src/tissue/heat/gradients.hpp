#pragma once
#include "tissue/heat/sparse.hpp"

namespace plica::heat {

// Grows on first use, or by reserve; warm, nothing is allocated.
struct GradientScratch {
    std::vector<double> residual, inverse, direction, image;
    void reserve(std::size_t rows);
};

// Conjugate gradients with Jacobi's preconditioner, for matrices that change too often to be factored: cutting, another
// step. x is the first guess and becomes the solution, |b - a x| <= tolerance |b|. Returns the number of iterations;
// -1: not there after `most` of them (x is then the last iterate), or not positive definite.
int solve_by_gradients(const SymmetricMatrix& a, std::span<const double> b, double tolerance, int most,
                       GradientScratch& work, std::span<double> x);

}  // namespace plica::heat
