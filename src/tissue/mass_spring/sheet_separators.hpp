#pragma once
#include "tissue/mass_spring/sheet_front.hpp"

// The system that is left when all chunks are eliminated: eight separators, each coupled to the next one. A row has the
// separator's own entries and its load, then, from half() on, those of the next separator.
namespace plica::mass_spring::PLICA_ISA {

// Slots > 0: their number, known to the compiler; 0: any.
template <int Slots>
struct Separators {
    const SheetProblem& s;

    PLICA_KERNEL FrontShape front() const { return Slots > 0 ? FrontShape{Slots} : s.shape; }
    PLICA_KERNEL SeparatorShape shape() const { return {front().slots}; }
    PLICA_KERNEL double* row(int separator, int i) const {
        return s.between + (separator * shape().rows() + i) * shape().stride();
    }
    PLICA_KERNEL const double* block(int node, int other) const {
        return s.front + (node * (front().nodes() + 1) + other) * block_size;
    }

    // Chunk k leaves something of separator k on its left, of separator k + 1 on its right, and between them.
    PLICA_KERNEL void collect() const {
        const int left = front().left_slot();
        const int right = front().here(0);
        const int nodes = front().slots + 1;
        for (int a = 0; a < nodes; ++a) {
            for (int b = 0; b < nodes; ++b) {
                collect_between(block(right + b, left + a), 3 * a, shape().half() + 3 * b);
                if (b >= a) collect_own(block(left + a, left + b), block(right + a, right + b), 3 * a, 3 * b, 3);
            }
            const double* load = block(left + a, front().nodes());
            collect_own(load, block(right + a, front().nodes()), 3 * a, shape().rows(), 1);
        }
        for (int i = 0; i < 3; ++i) row(0, i)[i] = 1.0;  // there is no column before the first: an idle unknown
    }
    PLICA_KERNEL void collect_own(const double* of_left, const double* of_right, int i, int j, int columns) const {
        for (int e = 0; e < 3; ++e) {
            for (int f = 0; f < columns; ++f) {
                const int at = e * block_row + f * lanes;
                row(0, i + e)[j + f] = of_left[at];
                for (int k = 1; k < lanes; ++k) row(k, i + e)[j + f] = of_left[at + k] + of_right[at + k - 1];
            }
        }
    }
    PLICA_KERNEL void collect_between(const double* transposed, int i, int j) const {
        for (int e = 0; e < 3; ++e) {
            for (int f = 0; f < 3; ++f) {
                for (int k = 0; k < lanes; ++k) row(k, i + e)[j + f] = transposed[f * block_row + e * lanes + k];
            }
        }
    }

    // Eliminates the three unknowns from row m on: L D L^T, rows of L^T in their place.
    PLICA_KERNEL void eliminate_node(int k, int m) const {
        const int rows = shape().rows();
        const int half = shape().half();
        const int stride = shape().stride();
        double* r0 = row(k, m);
        double* r1 = r0 + stride;
        double* r2 = r1 + stride;
        const double i0 = 1.0 / r0[m];
        const double l1 = r0[m + 1] * i0;
        const double l2 = r0[m + 2] * i0;
        const double c12 = r1[m + 2] - l1 * r0[m + 2];
        const double i1 = 1.0 / (r1[m + 1] - l1 * r0[m + 1]);
        const double m2 = c12 * i1;
        const double i2 = 1.0 / (r2[m + 2] - l2 * r0[m + 2] - m2 * c12);
        for (int j = m / lanes * lanes; j < stride; j += lanes) {
            const Wide b0 = load(r0 + j);
            const Wide b1 = load(r1 + j) - Wide(l1) * b0;
            store(b1, r1 + j);
            store(load(r2 + j) - Wide(l2) * b0 - Wide(m2) * b1, r2 + j);
        }
        for (int i = m + 3; i < rows; ++i) {
            const Wide f0(r0[i] * i0);
            const Wide f1(r1[i] * i1);
            const Wide f2(r2[i] * i2);
            subtract_rows(row(k, i), r0, f0, f1, f2, i / lanes * lanes, stride);
        }
        for (int i = 0; k + 1 < lanes && i < rows; ++i) {
            const Wide f0(r0[half + i] * i0);
            const Wide f1(r1[half + i] * i1);
            const Wide f2(r2[half + i] * i2);
            subtract_rows(row(k + 1, i), r0 + half, f0, f1, f2, i / lanes * lanes, half);
        }
        for (int j = m / lanes * lanes; j < stride; j += lanes) {
            store(load(r0 + j) * Wide(i0), r0 + j);
            store(load(r1 + j) * Wide(i1), r1 + j);
            store(load(r2 + j) * Wide(i2), r2 + j);
        }
    }
    PLICA_KERNEL void subtract_rows(double* to, const double* r, const Wide& f0, const Wide& f1, const Wide& f2,
                                    int first, int end) const {
        const int stride = shape().stride();
#pragma GCC unroll 4
        for (int j = first; j < end; j += lanes) {
            store(load(to + j) - f0 * load(r + j) - f1 * load(r + stride + j) - f2 * load(r + 2 * stride + j), to + j);
        }
    }

    PLICA_KERNEL void eliminate(int k) const {
        const int rows = shape().rows();
        for (int i = 0; i < rows; ++i) row(k, i)[shape().half() + rows] = row(k, i)[rows];
        for (int m = 0; m < rows; m += 3) eliminate_node(k, m);
    }

    // Separator k's solution goes to lane k of `left` and to lane k - 1 of `right`.
    PLICA_KERNEL void substitute(double* left, double* right) const {
        const int rows = shape().rows();
        const int half = shape().half();
        alignas(64) double next[3 * most_slots + 3 + lanes] = {};
        double here[3 * most_slots + 3];
        for (int k = lanes - 1; k >= 0; --k) {
            for (int i = 0; i < rows; ++i) {
                const double* u = row(k, i) + half;
                Wide behind(0.0);
                for (int j = 0; j < half; j += lanes) behind += load(u + j) * load(next + j);
                here[i] = u[rows] - sum(behind);
            }
            for (int i = rows - 1; i > 0; --i) {
                for (int j = 0; j < i; ++j) here[j] -= row(k, j)[i] * here[i];
            }
            for (int i = 0; i < rows; ++i) {
                left[lanes * i + k] = here[i];
                right[lanes * i + k] = next[i];
                next[i] = here[i];
            }
        }
    }

    PLICA_KERNEL void solve(double* left, double* right) const {
        collect();
        for (int k = 0; k < lanes; ++k) eliminate(k);
        substitute(left, right);
    }
};

PLICA_KERNEL void solve_separators(const SheetProblem& s, double* left, double* right) {
    switch (s.shape.slots) {
        case 1:  // a rope
            return Separators<1>{s}.solve(left, right);
        case 3:  // gut and two inner rows: the papers' sampling
            return Separators<3>{s}.solve(left, right);
        default:
            return Separators<0>{s}.solve(left, right);
    }
}

}  // namespace plica::mass_spring::PLICA_ISA
