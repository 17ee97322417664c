#include <algorithm>
#include <cmath>

#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// A symmetric positive definite band matrix and its right-hand side. Row i holds the entries (i, i) .. (i, i + width);
// behind the last row there are `width` rows of padding, so that no loop looks for the end. All inner loops run over
// contiguous memory without carried sums, which is what vector units want. Fixed > 0 fixes the width for the compiler.
template <int Fixed>
struct BandSystem {
    std::size_t dynamic_width;
    std::size_t rows;
    double* matrix;
    double* load;  // becomes the solution

    [[nodiscard]] std::size_t width() const { return Fixed > 0 ? static_cast<std::size_t>(Fixed) : dynamic_width; }
    [[nodiscard]] double* row(std::size_t i) const { return matrix + i * (width() + 1); }

    void clear() const {
        std::fill(matrix, row(rows + width()), 0.0);
        std::fill(load, load + rows + width(), 0.0);
    }
    // matrix = U^T U, reciprocals on the diagonal; load <- U^-T load on the way.
    void eliminate() const {
        const std::size_t w = width();
        for (std::size_t k = 0; k < rows; ++k) {
            double* u = row(k);
            const double inverse = 1.0 / std::sqrt(u[0]);
            u[0] = inverse;
            for (std::size_t j = 1; j <= w; ++j) u[j] *= inverse;
            const double known = load[k] * inverse;
            load[k] = known;
            for (std::size_t j = 1; j <= w; ++j) load[k + j] -= u[j] * known;
            for (std::size_t i = 1; i <= w; ++i) {
                double* below = row(k + i);
                const double f = u[i];
                for (std::size_t j = 0; j <= w - i; ++j) below[j] -= f * u[i + j];
            }
        }
    }
    // load <- U^-1 load
    void substitute() const {
        const std::size_t w = width();
        for (std::size_t k = rows; k < rows + w; ++k) load[k] = 0.0;
        for (std::size_t k = rows; k-- > 0;) {
            const double* u = row(k);
            double sum = load[k];
            for (std::size_t j = 1; j <= w; ++j) sum -= u[j] * load[k + j];
            load[k] = sum * u[0];
        }
    }

    // Adds b (3 x 3, symmetric: xx xy xz yy yz zz) times s where unknowns i and j meet, i <= j being their first rows.
    void add_block(std::size_t i, std::size_t j, const double b[6], double s) const {
        const std::size_t d = j - i;
        if (d > 0) {
            row(i + 1)[d - 1] += s * b[1];
            row(i + 2)[d - 2] += s * b[2];
            row(i + 2)[d - 1] += s * b[4];
        }
        row(i)[d] += s * b[0];
        row(i)[d + 1] += s * b[1];
        row(i)[d + 2] += s * b[2];
        row(i + 1)[d] += s * b[3];
        row(i + 1)[d + 1] += s * b[4];
        row(i + 2)[d] += s * b[5];
    }
    void add_load(std::size_t i, const Vec3& f) const {
        load[i] += f.x;
        load[i + 1] += f.y;
        load[i + 2] += f.z;
    }
};

// First row of the unknown at a place of the sheet.
std::size_t unknown(const Sheet& sheet, std::size_t column, std::size_t slot) {
    return 3 * (column * at(sheet.slots) + slot);
}

template <int Fixed>
void add_masses(const Sheet& sheet, std::span<const double> w, const BandSystem<Fixed>& system) {
    for (std::size_t i = 0; i < sheet.node.size(); ++i) {
        const double mass = sheet.node[i] >= 0 ? 1.0 / w[at(sheet.node[i])] : 1.0;  // nobody there: an idle unknown
        for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) system.row(k)[0] = mass;
    }
}

template <int Fixed>
void add_springs(const Network& network, const Sheet& sheet, std::span<const Vec3> x, double h, std::span<const Vec3> p,
                 const BandSystem<Fixed>& system) {
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
        const double across = longer > 0.0 ? stiffness * longer / length : 0.0;
        const double m = stiffness * (1.0 + g) - across;
        const double block[6] = {m * u.x * u.x + across, m * u.x * u.y, m * u.x * u.z,
                                 m * u.y * u.y + across, m * u.y * u.z, m * u.z * u.z + across};
        const std::size_t i = s.slot_a >= 0 ? unknown(sheet, at(s.column), at(s.slot_a)) : 0;
        const std::size_t j = s.slot_b >= 0 ? unknown(sheet, at(s.column) + (s.to_next ? 1 : 0), at(s.slot_b)) : 0;
        if (s.slot_a >= 0) {
            system.add_block(i, i, block, 1.0);
            system.add_load(i, pull);
        }
        if (s.slot_b >= 0) {
            system.add_block(j, j, block, 1.0);
            system.add_load(j, -pull);
        }
        if (s.slot_a >= 0 && s.slot_b >= 0) system.add_block(std::min(i, j), std::max(i, j), block, -1.0);
    }
}

// Force -K p - c K v with K the sum of k (1, -2, 1)^T (1, -2, 1) along the first slot of the columns.
template <int Fixed>
void add_bending(const Sheet& sheet, std::span<const Vec3> x, double h, std::span<const Vec3> p,
                 const BandSystem<Fixed>& system) {
    if (sheet.bending == 0.0) return;
    constexpr double part[3] = {1.0, -2.0, 1.0};
    const double implicit = sheet.bending * (h * h + h * sheet.viscosity);
    const auto curve = [&](std::span<const Vec3> q, std::size_t n) { return q[n - 1] - 2.0 * q[n] + q[n + 1]; };
    for (std::size_t c = 1; c + 1 < at(sheet.columns); ++c) {
        const std::size_t n = at(sheet.first_node) + c;
        const Vec3 bent = curve(p, n);
        const Vec3 load = sheet.bending * (h * h * bent + h * sheet.viscosity * (bent - curve(x, n)));
        for (std::size_t i = 0; i < 3; ++i) {
            if (sheet.node[(c + i - 1) * at(sheet.slots)] < 0) continue;
            const std::size_t row = unknown(sheet, c + i - 1, 0);
            system.add_load(row, -part[i] * load);
            for (std::size_t j = i; j < 3; ++j) {
                if (sheet.node[(c + j - 1) * at(sheet.slots)] < 0) continue;
                const double e = implicit * part[i] * part[j];
                const double block[6] = {e, 0.0, 0.0, e, 0.0, e};
                system.add_block(row, unknown(sheet, c + j - 1, 0), block, 1.0);
            }
        }
    }
}

// (M + h^2 K) dp = h^2 f at the prediction: one Newton step of implicit Euler, f the forces of springs and bending and
// K their Hessian with the part that would be negative (a spring under compression, sideways) left out.
template <int Fixed>
void solve_fixed(const Network& network, const Sheet& sheet, Workspace& work, std::span<const Vec3> x,
                 std::span<const double> w, double h, std::span<Vec3> p) {
    const BandSystem<Fixed> system{band_width(sheet), 3 * sheet.node.size(), work.matrix.data(), work.load.data()};
    system.clear();
    add_masses(sheet, w, system);
    add_springs(network, sheet, x, h, std::span<const Vec3>(p), system);
    add_bending(sheet, x, h, std::span<const Vec3>(p), system);
    system.eliminate();
    system.substitute();
    for (std::size_t i = 0; i < sheet.node.size(); ++i) {
        const double* dp = work.load.data() + 3 * i;
        if (sheet.node[i] >= 0) p[at(sheet.node[i])] += {dp[0], dp[1], dp[2]};
    }
}

}  // namespace

// Bending reaches from a column's first unknown to the last of the slot two columns on; springs reach less far.
std::size_t band_width(const Sheet& sheet) {
    return 6 * at(sheet.slots) + 2;
}

void solve_sheet(const Network& network, const Sheet& sheet, Workspace& work, std::span<const Vec3> x,
                 std::span<const double> w, double h, std::span<Vec3> p) {
    switch (sheet.slots) {
        case 1:  // a rope
            return solve_fixed<8>(network, sheet, work, x, w, h, p);
        case 3:  // gut and two inner rows: the papers' sampling
            return solve_fixed<20>(network, sheet, work, x, w, h, p);
        default:
            return solve_fixed<0>(network, sheet, work, x, w, h, p);
    }
}

}  // namespace plica::mass_spring
