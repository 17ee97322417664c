#include "tissue/mass_spring/sheet_kernel.hpp"

#include "core/wide.hpp"
#include "geometry/vec3.hpp"

namespace plica::mass_spring::PLICA_ISA {

using namespace plica::PLICA_ISA;
using WideVec3 = Vec3Of<Wide>;

// What eight springs at a time ask of the matrix, computed some columns ahead.
constexpr int springs_ahead = 64;
struct SpringTerms {
    Lanes block[6][springs_ahead / lanes];  // xx xy xz yy yz zz
    Lanes pull[3][springs_ahead / lanes];
};

PLICA_KERNEL WideVec3 gather3(const double* x, const std::int32_t* node) {
    const WideTriple t = gather_triples(x, node);
    return {t.x, t.y, t.z};
}

PLICA_KERNEL void compute_terms(const SheetProblem& s, int first, int batch, SpringTerms& terms) {
    const Wide zero(0.0);
    const Wide g(s.viscosity / s.h);
    const WideVec3 qa = gather3(s.q, s.a + first);
    const WideVec3 qb = gather3(s.q, s.b + first);
    const WideVec3 xa = gather3(s.x, s.a + first);
    const WideVec3 xb = gather3(s.x, s.b + first);
    const Wide rest = load(s.rest + first);
    const WideVec3 d = qb - qa;
    const Wide length = sqrt(squared_norm(d));
    const Mask usable = length > Wide(1e-9) * rest;
    const Wide over_length = Wide(1.0) / select(usable, length, Wide(1.0));
    const WideVec3 u = d * over_length;
    const Wide longer = length - rest;
    const Wide full = load(s.stiffness + first) * Wide(s.h * s.h);
    const Wide stiffness = select(usable, select(longer < zero, load(s.compression + first) * full, full), zero);
    const Wide rate = dot(u, (qb - xb) - (qa - xa));
    const WideVec3 pull = u * (stiffness * (longer + g * rate));
    const Wide across = select(longer > zero, stiffness * longer * over_length, zero);
    const Wide m = stiffness * (Wide(1.0) + g) - across;
    const WideVec3 mu = u * m;
    store(mu.x * u.x + across, terms.block[0][batch].at);
    store(mu.x * u.y, terms.block[1][batch].at);
    store(mu.x * u.z, terms.block[2][batch].at);
    store(mu.y * u.y + across, terms.block[3][batch].at);
    store(mu.y * u.z, terms.block[4][batch].at);
    store(mu.z * u.z + across, terms.block[5][batch].at);
    store(pull.x, terms.pull[0][batch].at);
    store(pull.y, terms.pull[1][batch].at);
    store(pull.z, terms.pull[2][batch].at);
}

// Where both unknowns are the same node only the upper triangle is ever read.
PLICA_KERNEL void add_diagonal_block(double* row, int stride, const double (&b)[6]) {
    row[0] += b[0];
    row[1] += b[1];
    row[2] += b[2];
    row[stride + 1] += b[3];
    row[stride + 2] += b[4];
    row[2 * stride + 2] += b[5];
}

PLICA_KERNEL void subtract_block(double* row, int stride, const double (&b)[6]) {
    row[0] -= b[0];
    row[1] -= b[1];
    row[2] -= b[2];
    row += stride;
    row[0] -= b[1];
    row[1] -= b[3];
    row[2] -= b[4];
    row += stride;
    row[0] -= b[2];
    row[1] -= b[4];
    row[2] -= b[5];
}

// Everything below is written for a number of slots that the compiler knows (Slots > 0) or not (0).
template <int Slots>
struct Elimination {
    static constexpr unsigned room = FrontShape{Slots > 0 ? Slots : most_slots}.lines();  // cache lines of a row

    const SheetProblem& s;
    SpringTerms terms;
    int ready = 0;  // springs whose terms are computed

    PLICA_KERNEL FrontShape shape() const { return Slots > 0 ? FrontShape{Slots} : s.shape; }
    PLICA_KERNEL double* row(int i) const { return s.front + i * shape().stride(); }

    PLICA_KERNEL void add_load(int i, double sign, const double (&f)[3]) const {
        const int load = shape().load();
        for (int k = 0; k < 3; ++k) row(i + k)[load] += sign * f[k];
    }

    PLICA_KERNEL void add_masses(int column) const {
        for (int slot = 0; slot < shape().slots; ++slot) {
            const std::int32_t node = s.node[column * shape().slots + slot];
            const int i = shape().row_of(slot);
            const double mass = node >= 0 ? 1.0 / s.w[node] : 1.0;  // nobody there: an idle unknown
            for (int k = 0; k < 3; ++k) row(i + k)[i + k] += mass;
            if (node < 0) continue;
            for (int k = 0; k < 3; ++k) row(i + k)[shape().load()] += mass * (s.p[3 * node + k] - s.q[3 * node + k]);
        }
    }

    PLICA_KERNEL void add_springs(int column) {
        const int stride = shape().stride();
        for (int k = s.first_spring[column]; k < s.first_spring[column + 1]; ++k) {
            while (ready <= k) {
                compute_terms(s, ready, ready % springs_ahead / lanes, terms);
                ready += lanes;
            }
            const int batch = k % springs_ahead / lanes;
            const int at = k % lanes;
            double b[6];
            double f[3];
            for (int i = 0; i < 6; ++i) b[i] = terms.block[i][batch].at[at];
            for (int i = 0; i < 3; ++i) f[i] = terms.pull[i][batch].at[at];
            const int i = s.row_a[k];
            const int j = s.row_b[k];
            if (i >= 0) {
                add_diagonal_block(row(i) + i, stride, b);
                add_load(i, 1.0, f);
            }
            if (j >= 0) {
                add_diagonal_block(row(j) + j, stride, b);
                add_load(j, -1.0, f);
            }
            if (i >= 0 && j >= 0) subtract_block(row(i < j ? i : j) + (i < j ? j : i), stride, b);
        }
    }

    // Force -K q - c K v with K the sum of k (1, -2, 1)^T (1, -2, 1) along the first slot of three columns.
    PLICA_KERNEL void add_bending(int column) const {
        if (s.bending == 0.0 || column + 2 >= s.columns) return;
        constexpr double part[3] = {1.0, -2.0, 1.0};
        const int slots = shape().slots;
        const int at[3] = {shape().row_of(0), shape().row_of(0) + shape().column_rows(), shape().far()};
        const double implicit = s.bending * (s.h * s.h + s.h * s.viscosity);
        const double* q = s.q + 3 * (s.first_node + column);
        const double* x = s.x + 3 * (s.first_node + column);
        double f[3];
        for (int k = 0; k < 3; ++k) {
            const double bent = q[k] - 2.0 * q[3 + k] + q[6 + k];
            const double was = x[k] - 2.0 * x[3 + k] + x[6 + k];
            f[k] = s.bending * (s.h * s.h * bent + s.h * s.viscosity * (bent - was));
        }
        for (int i = 0; i < 3; ++i) {
            if (s.node[(column + i) * slots] < 0) continue;
            add_load(at[i], -part[i], f);
            for (int j = i; j < 3; ++j) {
                if (s.node[(column + j) * slots] < 0) continue;
                const double e = implicit * part[i] * part[j];
                for (int k = 0; k < 3; ++k) row(at[i] + k)[at[j] + k] += e;
            }
        }
    }

    // Eliminates the three unknowns from row k on: L D L^T, rows of L^T to `out`. Rows up to `last` are coupled.
    PLICA_KERNEL void eliminate_node(int k, int last, double* out) const {
        const int lines = shape().lines();
        const int stride = shape().stride();
        const int first_line = k / lanes;
        double* r0 = row(k);
        double* r1 = r0 + stride;
        double* r2 = r1 + stride;
        const double i0 = 1.0 / r0[k];
        const double l1 = r0[k + 1] * i0;
        const double l2 = r0[k + 2] * i0;
        const double d1 = r1[k + 1] - l1 * r0[k + 1];
        const double c12 = r1[k + 2] - l1 * r0[k + 2];
        const double i1 = 1.0 / d1;
        const double m2 = c12 * i1;
        const double i2 = 1.0 / (r2[k + 2] - l2 * r0[k + 2] - m2 * c12);
        Wide y0[room];
        Wide y1[room];
        Wide y2[room];
        for (int line = first_line; line < lines; ++line) {
            const Wide b0 = load(r0 + lanes * line);
            const Wide b1 = load(r1 + lanes * line) - Wide(l1) * b0;
            const Wide b2 = load(r2 + lanes * line) - Wide(l2) * b0 - Wide(m2) * b1;
            store(b1, r1 + lanes * line);
            store(b2, r2 + lanes * line);
            y0[line] = b0 * Wide(i0);
            y1[line] = b1 * Wide(i1);
            y2[line] = b2 * Wide(i2);
            store(y0[line], out + lanes * line);
            store(y1[line], out + stride + lanes * line);
            store(y2[line], out + 2 * stride + lanes * line);
        }
#pragma GCC unroll 4
        for (int first = first_line; first < lines; ++first) {
            const int from = k + 3 > lanes * first ? k + 3 : lanes * first;
            const int to = last < lanes * (first + 1) ? last : lanes * (first + 1);
            for (int i = from; i < to; ++i) {
                const Wide f0(r0[i]);
                const Wide f1(r1[i]);
                const Wide f2(r2[i]);
                double* r = row(i);
#pragma GCC unroll 4
                for (int line = first; line < lines; ++line) {
                    store(load(r + lanes * line) - f0 * y0[line] - f1 * y1[line] - f2 * y2[line], r + lanes * line);
                }
            }
        }
    }

    PLICA_KERNEL void eliminate_column(int column) const {
        const int stride = shape().stride();
        double* out = s.upper + column * shape().column_rows() * stride;
        if constexpr (Slots > 0) {
            eliminate_from<0>(out);
        } else {
            for (int k = 0; k < shape().column_rows(); k += 3) eliminate_node(k, last_row(k), out + k * stride);
        }
    }
    // Only the first slot, the last of its column, is coupled to the slot two columns on.
    PLICA_KERNEL int last_row(int k) const { return k + 3 == shape().column_rows() ? shape().rows() : shape().far(); }
    template <int K>
    PLICA_KERNEL void eliminate_from(double* out) const {
        if constexpr (K < FrontShape{Slots}.column_rows()) {
            eliminate_node(K, last_row(K), out + K * FrontShape{Slots}.stride());
            eliminate_from<K + 3>(out);
        }
    }

    // The next column becomes the front's first; what was two columns on becomes its neighbour's first slot.
    PLICA_KERNEL void shift() const {
        const int n = shape().column_rows();
        const int far = shape().far();
        const int load = shape().load();
        const int stride = shape().stride();
        double corner[3][4];
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) corner[i][j] = row(far + i)[far + j];
            corner[i][3] = row(far + i)[load];
        }
        for (int i = 0; i < n; ++i) {
            const double* from = row(n + i);
            double* to = row(i);
            const int whole = n / lanes * lanes;
            for (int j = 0; j < whole; j += lanes) store(plica::PLICA_ISA::load(from + n + j), to + j);
            for (int j = whole; j < stride; j += lanes) store(Wide(0.0), to + j);
            for (int j = whole; j < n; ++j) to[j] = from[n + j];
            for (int j = 0; j < 3; ++j) to[far - 3 + j] = from[far + j];
            to[load] = from[load];
        }
        for (int i = n * stride; i < shape().rows() * stride; i += lanes) store(Wide(0.0), s.front + i);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) row(far - 3 + i)[far - 3 + j] = corner[i][j];
            row(far - 3 + i)[load] = corner[i][3];
        }
    }

    // Column by column from the last: first what is known of the columns behind, for all rows at once, then the
    // triangle of the column itself.
    PLICA_KERNEL void substitute() const {
        const int n = shape().column_rows();
        const int stride = shape().stride();
        alignas(64) double known[lanes * room] = {};  // of the columns behind; zero for the column itself
        double here[3U * (Slots > 0 ? Slots : most_slots)];
        for (int column = s.columns - 1; column >= 0; --column) {
            const double* y = s.upper + column * n * stride;
#pragma GCC unroll 9
            for (int k = 0; k < n; ++k) {
                Wide behind(0.0);
                for (int line = n / lanes; line < shape().lines(); ++line) {
                    behind += load(y + k * stride + lanes * line) * load(known + lanes * line);
                }
                here[k] = y[k * stride + shape().load()] - sum(behind);
            }
            for (int k = n - 1; k > 0; --k) {
#pragma GCC unroll 9
                for (int j = 0; j < k; ++j) here[j] -= y[j * stride + k] * here[k];
            }
            for (int slot = 0; slot < shape().slots; ++slot) {
                const std::int32_t node = s.node[column * shape().slots + slot];
                if (node < 0) continue;
                for (int k = 0; k < 3; ++k) s.p[3 * node + k] = s.q[3 * node + k] + here[shape().row_of(slot) + k];
            }
            for (int k = 0; k < 3; ++k) known[shape().far() + k] = known[shape().far() - 3 + k];
            for (int k = 0; k < n; ++k) known[n + k] = here[k];
        }
    }

    PLICA_KERNEL void run() {
        for (int i = 0; i < shape().rows() * shape().stride(); i += lanes) store(Wide(0.0), s.front + i);
        for (int column = 0; column < s.columns; ++column) {
            add_masses(column);
            add_springs(column);
            add_bending(column);
            eliminate_column(column);
            shift();
        }
        substitute();
    }
};

void solve_sheet(const SheetProblem& problem) {
    switch (problem.shape.slots) {
        case 1:  // a rope
            return Elimination<1>{problem, {}, 0}.run();
        case 3:  // gut and two inner rows: the papers' sampling
            return Elimination<3>{problem, {}, 0}.run();
        default:
            return Elimination<0>{problem, {}, 0}.run();
    }
}

}  // namespace plica::mass_spring::PLICA_ISA
