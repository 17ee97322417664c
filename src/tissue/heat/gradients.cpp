#include "tissue/heat/gradients.hpp"

#include <cmath>

namespace plica::heat {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// 1 / diagonal; false: one is not positive.
bool invert_diagonal(const SymmetricMatrix& a, std::span<double> inverse) {
    for (std::size_t i = 0; i < a.rows(); ++i) {
        const double d = value_at(a, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
        if (!(d > 0.0)) return false;
        inverse[i] = 1.0 / d;
    }
    return true;
}

}  // namespace

void GradientScratch::reserve(std::size_t rows) {
    for (std::vector<double>* v : {&residual, &inverse, &direction, &image}) v->resize(rows);
}

int solve_by_gradients(const SymmetricMatrix& a, std::span<const double> b, double tolerance, int most,
                       GradientScratch& work, std::span<double> x) {
    const std::size_t n = a.rows();
    work.reserve(n);
    if (!invert_diagonal(a, work.inverse)) return -1;
    multiply(a, x, work.image);
    double rho = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        work.residual[i] = b[i] - work.image[i];
        work.direction[i] = work.inverse[i] * work.residual[i];
        rho += work.residual[i] * work.direction[i];
    }
    const double enough = tolerance * std::sqrt(dot(b, b));
    double residual = std::sqrt(dot(work.residual, work.residual));
    for (int count = 0; count <= most; ++count) {
        if (residual <= enough) return count;
        if (count == most) break;
        multiply(a, work.direction, work.image);
        const double curvature = dot(work.direction, work.image);
        if (!(curvature > 0.0)) return -1;
        const double step = rho / curvature;
        double next = 0.0;
        double square = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += step * work.direction[i];
            const double r = work.residual[i] - step * work.image[i];
            work.residual[i] = r;
            next += r * (work.inverse[i] * r);
            square += r * r;
        }
        residual = std::sqrt(square);
        const double keep = next / rho;
        rho = next;
        for (std::size_t i = 0; i < n; ++i)
            work.direction[i] = work.inverse[i] * work.residual[i] + keep * work.direction[i];
    }
    return -1;
}

}  // namespace plica::heat
