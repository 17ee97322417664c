#include <algorithm>
#include <cmath>

#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// A symmetric positive definite system of blocks: one diagonal block a column and one that couples it to the column
// before. All inner loops run over contiguous memory without carried sums, which is what vector units want. Fixed > 0
// fixes the block size for the compiler.
template <int Fixed>
struct BlockSystem {
    std::size_t dynamic_size;
    std::size_t columns;
    double* diagonal;  // upper triangles, row-major; becomes U with U^T U = block, reciprocals on its diagonal
    double* coupling;  // block c: rows of column c - 1, columns of column c
    double* load;      // becomes the solution

    [[nodiscard]] std::size_t size() const { return Fixed > 0 ? static_cast<std::size_t>(Fixed) : dynamic_size; }
    [[nodiscard]] double* d(std::size_t c) const { return diagonal + c * size() * size(); }
    [[nodiscard]] double* e(std::size_t c) const { return coupling + c * size() * size(); }
    [[nodiscard]] double* r(std::size_t c) const { return load + c * size(); }

    void factor(double* u) const {
        const std::size_t n = size();
        for (std::size_t k = 0; k < n; ++k) {
            double* row = u + k * n;
            const double inverse = 1.0 / std::sqrt(row[k]);
            row[k] = inverse;
            for (std::size_t j = k + 1; j < n; ++j) row[j] *= inverse;
            for (std::size_t i = k + 1; i < n; ++i) {
                const double f = row[i];
                for (std::size_t j = i; j < n; ++j) u[i * n + j] -= f * row[j];
            }
        }
    }
    // b <- U^-T b
    void forward(const double* u, double* b) const {
        const std::size_t n = size();
        for (std::size_t k = 0; k < n; ++k) {
            b[k] *= u[k * n + k];
            for (std::size_t i = k + 1; i < n; ++i) b[i] -= u[k * n + i] * b[k];
        }
    }
    // b <- U^-1 b
    void backward(const double* u, double* b) const {
        const std::size_t n = size();
        for (std::size_t k = n; k-- > 0;) {
            double sum = b[k];
            for (std::size_t i = k + 1; i < n; ++i) sum -= u[k * n + i] * b[i];
            b[k] = sum * u[k * n + k];
        }
    }
    // Takes column c - 1, already factored, out of column c.
    void eliminate(std::size_t c) const {
        const std::size_t n = size();
        const double* u = d(c - 1);
        double* y = e(c);  // U^-T times the coupling
        for (std::size_t k = 0; k < n; ++k) {
            double* row = y + k * n;
            const double inverse = u[k * n + k];
            for (std::size_t i = 0; i < n; ++i) row[i] *= inverse;
            for (std::size_t m = k + 1; m < n; ++m) {
                const double f = u[k * n + m];
                for (std::size_t i = 0; i < n; ++i) y[m * n + i] -= f * row[i];
            }
        }
        double* a = d(c);
        for (std::size_t k = 0; k < n; ++k) {
            const double* row = y + k * n;
            for (std::size_t i = 0; i < n; ++i) {
                const double f = row[i];
                for (std::size_t j = i; j < n; ++j) a[i * n + j] -= f * row[j];
            }
            const double before = r(c - 1)[k];
            for (std::size_t i = 0; i < n; ++i) r(c)[i] -= row[i] * before;
        }
    }

    void solve() const {
        const std::size_t n = size();
        factor(d(0));
        forward(d(0), r(0));
        for (std::size_t c = 1; c < columns; ++c) {
            eliminate(c);
            factor(d(c));
            forward(d(c), r(c));
        }
        backward(d(columns - 1), r(columns - 1));
        for (std::size_t c = columns - 1; c-- > 0;) {
            const double* y = e(c + 1);
            for (std::size_t k = 0; k < n; ++k) {
                double sum = r(c)[k];
                for (std::size_t i = 0; i < n; ++i) sum -= y[k * n + i] * r(c + 1)[i];
                r(c)[k] = sum;
            }
            backward(d(c), r(c));
        }
    }
};

// Adds s B (3 x 3, symmetric) at slots (i, j) of a block.
void add_block(double* block, std::size_t size, int i, int j, const double b[6], double s) {
    double* row = block + 3 * static_cast<std::size_t>(i) * size + 3 * static_cast<std::size_t>(j);
    row[0] += s * b[0];
    row[1] += s * b[1];
    row[2] += s * b[2];
    row += size;
    row[0] += s * b[1];
    row[1] += s * b[3];
    row[2] += s * b[4];
    row += size;
    row[0] += s * b[2];
    row[1] += s * b[4];
    row[2] += s * b[5];
}

void add_load(double* load, int slot, const Vec3& f) {
    double* l = load + 3 * static_cast<std::size_t>(slot);
    l[0] += f.x;
    l[1] += f.y;
    l[2] += f.z;
}

// (M + h^2 K) dp = h^2 f at the prediction: one Newton step of implicit Euler, f the springs' forces and K their
// Hessian with the part that would be negative (a spring under compression, sideways) left out.
template <int Fixed>
void assemble(const Network& network, const Sheet& sheet, std::span<const Vec3> x, std::span<const double> w, double h,
              std::span<const Vec3> p, const BlockSystem<Fixed>& system) {
    const std::size_t n = system.size();
    std::fill(system.diagonal, system.diagonal + system.columns * n * n, 0.0);
    std::fill(system.coupling, system.coupling + system.columns * n * n, 0.0);
    std::fill(system.load, system.load + system.columns * n, 0.0);
    for (std::size_t c = 0; c < system.columns; ++c) {
        for (std::size_t s = 0; s < n / 3; ++s) {
            const std::int32_t node = sheet.node[c * (n / 3) + s];
            const double mass = node >= 0 ? 1.0 / w[at(node)] : 1.0;
            for (std::size_t i = 3 * s; i < 3 * s + 3; ++i) system.d(c)[i * n + i] = mass;
        }
    }
    const double g = sheet.viscosity / h;
    const Spring* springs = network.springs.data() + sheet.first;
    for (std::size_t k = 0; k < at(sheet.count); ++k) {
        const Spring& s = springs[k];
        const std::size_t a = at(s.a);
        const std::size_t b = at(s.b);
        const Vec3 d = p[b] - p[a];
        const double length = norm(d);
        if (!(length > 1e-9 * s.rest)) continue;
        const Vec3 u = d / length;
        const double longer = length - s.rest;
        const double stiffness = effective_stiffness(s, longer) * h * h;
        const double rate = dot(u, (p[b] - x[b]) - (p[a] - x[a]));
        const Vec3 pull = u * (stiffness * (longer + g * rate));
        const double along = stiffness * (1.0 + g);
        const double across = longer > 0.0 ? stiffness * longer / length : 0.0;
        const double m = along - across;
        const double block[6] = {m * u.x * u.x + across, m * u.x * u.y, m * u.x * u.z,
                                 m * u.y * u.y + across, m * u.y * u.z, m * u.z * u.z + across};
        const std::size_t ca = at(s.column);
        const std::size_t cb = s.to_next ? ca + 1 : ca;
        if (s.slot_a >= 0) {
            add_block(system.d(ca), n, s.slot_a, s.slot_a, block, 1.0);
            add_load(system.r(ca), s.slot_a, pull);
        }
        if (s.slot_b >= 0) {
            add_block(system.d(cb), n, s.slot_b, s.slot_b, block, 1.0);
            add_load(system.r(cb), s.slot_b, -pull);
        }
        if (s.slot_a < 0 || s.slot_b < 0) continue;
        if (s.to_next) {
            add_block(system.e(cb), n, s.slot_a, s.slot_b, block, -1.0);
        } else {
            add_block(system.d(ca), n, std::min(s.slot_a, s.slot_b), std::max(s.slot_a, s.slot_b), block, -1.0);
        }
    }
}

template <int Fixed>
void solve_fixed(const Network& network, const Sheet& sheet, Workspace& work, std::span<const Vec3> x,
                 std::span<const double> w, double h, std::span<Vec3> p) {
    const BlockSystem<Fixed> system{3 * at(sheet.slots), at(sheet.columns), work.block.data(), work.coupling.data(),
                                    work.column_load.data()};
    assemble(network, sheet, x, w, h, p, system);
    system.solve();
    for (std::size_t i = 0; i < sheet.node.size(); ++i) {
        const double* dp = work.column_load.data() + 3 * i;
        if (sheet.node[i] >= 0) p[at(sheet.node[i])] += {dp[0], dp[1], dp[2]};
    }
}

}  // namespace

void solve_sheet(const Network& network, const Sheet& sheet, Workspace& work, std::span<const Vec3> x,
                 std::span<const double> w, double h, std::span<Vec3> p) {
    switch (sheet.slots) {
        case 1:  // a rope
            return solve_fixed<3>(network, sheet, work, x, w, h, p);
        case 3:  // gut and two inner rows: the papers' sampling
            return solve_fixed<9>(network, sheet, work, x, w, h, p);
        default:
            return solve_fixed<0>(network, sheet, work, x, w, h, p);
    }
}

}  // namespace plica::mass_spring
