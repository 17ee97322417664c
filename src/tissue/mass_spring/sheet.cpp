#include <algorithm>
#include <cmath>

#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// Block rows of `size` unknowns a column: D x + E_next^T ... = r, with D symmetric and E coupling a column to the one
// before it. Fixed > 0 fixes the size for the compiler.
template <int Fixed>
struct BlockSystem {
    std::size_t dynamic_size;
    std::size_t columns;
    double* diagonal;  // columns blocks, lower triangles
    double* coupling;  // block c: rows of column c, columns of column c - 1
    double* load;

    [[nodiscard]] std::size_t size() const {
        return Fixed > 0 ? static_cast<std::size_t>(Fixed) : dynamic_size;
    }
    [[nodiscard]] double* d(std::size_t c) const { return diagonal + c * size() * size(); }
    [[nodiscard]] double* e(std::size_t c) const { return coupling + c * size() * size(); }
    [[nodiscard]] double* r(std::size_t c) const { return load + c * size(); }

    // L L^T of one diagonal block, in place. The reciprocals of the diagonal are stored on it.
    void factor(double* a) const {
        const std::size_t n = size();
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < j; ++k) {
                const double f = a[j * n + k];
                for (std::size_t i = j; i < n; ++i) a[i * n + j] -= a[i * n + k] * f;
            }
            const double inverse = 1.0 / std::sqrt(a[j * n + j]);
            a[j * n + j] = inverse;
            for (std::size_t i = j + 1; i < n; ++i) a[i * n + j] *= inverse;
        }
    }
    // b <- L^-1 b
    void forward(const double* l, double* b) const {
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i) {
            double sum = b[i];
            for (std::size_t k = 0; k < i; ++k) sum -= l[i * n + k] * b[k];
            b[i] = sum * l[i * n + i];
        }
    }
    // b <- L^-T b
    void backward(const double* l, double* b) const {
        const std::size_t n = size();
        for (std::size_t i = n; i-- > 0;) {
            double sum = b[i];
            for (std::size_t k = i + 1; k < n; ++k) sum -= l[k * n + i] * b[k];
            b[i] = sum * l[i * n + i];
        }
    }

    void solve() const {
        const std::size_t n = size();
        factor(d(0));
        forward(d(0), r(0));
        for (std::size_t c = 1; c < columns; ++c) {
            double* x = e(c);  // X = E L^-T, row by row
            for (std::size_t i = 0; i < n; ++i) forward(d(c - 1), x + i * n);
            double* a = d(c);
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j <= i; ++j) {
                    double sum = 0.0;
                    for (std::size_t k = 0; k < n; ++k) sum += x[i * n + k] * x[j * n + k];
                    a[i * n + j] -= sum;
                }
                double sum = 0.0;
                for (std::size_t k = 0; k < n; ++k) sum += x[i * n + k] * r(c - 1)[k];
                r(c)[i] -= sum;
            }
            factor(a);
            forward(a, r(c));
        }
        backward(d(columns - 1), r(columns - 1));
        for (std::size_t c = columns - 1; c-- > 0;) {
            const double* x = e(c + 1);
            for (std::size_t i = 0; i < n; ++i) {
                const double next = r(c + 1)[i];
                for (std::size_t k = 0; k < n; ++k) r(c)[k] -= x[i * n + k] * next;
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
    double* l = load + 3 * slot;
    l[0] += f.x;
    l[1] += f.y;
    l[2] += f.z;
}

// (M + h^2 K) dp = h^2 f at the prediction, f the springs' forces and K their Hessian with the part that would be
// negative (a spring under compression, sideways) left out.
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
        const double block[6] = {m * u.x * u.x + across, m * u.x * u.y,          m * u.x * u.z,
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
            add_block(system.e(cb), n, s.slot_b, s.slot_a, block, -1.0);
        } else {
            add_block(system.d(ca), n, std::max(s.slot_a, s.slot_b), std::min(s.slot_a, s.slot_b), block, -1.0);
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
    if (sheet.slots == 3) {
        solve_fixed<9>(network, sheet, work, x, w, h, p);  // gut and two inner rows: the papers' sampling
    } else {
        solve_fixed<0>(network, sheet, work, x, w, h, p);
    }
}

}  // namespace plica::mass_spring
