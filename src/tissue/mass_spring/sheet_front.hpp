#pragma once
#include "core/wide.hpp"
#include "tissue/mass_spring/sheet_kernel.hpp"

// Cholesky elimination of one column in all eight chunks at once. The front is worked on in tiles of three by three
// unknowns, two nodes, which stay in registers while all pivots that reach them are subtracted.
namespace plica::mass_spring::PLICA_ISA {

using namespace plica::PLICA_ISA;

// One register's share of the lanes of 3 x Columns entries.
template <int Columns>
struct Tile {
    Native at[3][static_cast<unsigned>(Columns)];
};

PLICA_KERNEL Native load_native(const double* from) {
    return *reinterpret_cast<const NativeInMemory*>(from);
}
PLICA_KERNEL void store_native(const Native& a, double* to) {
    *reinterpret_cast<NativeInMemory*>(to) = a;
}

// Stays in its register from here on: the compiler would rather load it again for every use.
PLICA_KERNEL Native keep(Native a) {
#if defined(__AVX512F__)
    asm("" : "+v"(a));
#elif defined(__SSE2__)
    asm("" : "+x"(a));
#endif
    return a;
}

template <int Columns>
PLICA_KERNEL Tile<Columns> load_tile(const double* from, int stride) {
    Tile<Columns> t;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
        for (int j = 0; j < Columns; ++j) t.at[i][j] = load_native(from + i * stride + j * lanes);
    }
    return t;
}

template <int Columns>
PLICA_KERNEL void store_tile(const Tile<Columns>& t, double* to, int stride) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
        for (int j = 0; j < Columns; ++j) store_native(t.at[i][j], to + i * stride + j * lanes);
    }
}

// Less the products of `count` pivot rows' entries from `a` and from `b` on.
template <int Columns>
PLICA_KERNEL void subtract_products(Tile<Columns>& t, const double* a, const double* b, int stride, int count) {
    for (int m = 0; m < count; ++m) {
        Native left[3];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) left[i] = keep(load_native(a + i * lanes));
#pragma GCC unroll 3
        for (int j = 0; j < Columns; ++j) {
            const Native right = keep(load_native(b + j * lanes));
#pragma GCC unroll 3
            for (int i = 0; i < 3; ++i) t.at[i][j] -= left[i] * right;
        }
        a += stride;
        b += stride;
    }
}

// The rows of three pivots, from the factor of their own triangle at `pivot`, whose diagonal is stored inverted.
template <int Columns>
PLICA_KERNEL void divide_by_triangle(Tile<Columns>& t, const double* pivot, int stride) {
    const Native d0 = load_native(pivot);
    const Native d1 = load_native(pivot + stride + lanes);
    const Native d2 = load_native(pivot + 2 * stride + 2 * lanes);
    const Native u01 = load_native(pivot + lanes);
    const Native u02 = load_native(pivot + 2 * lanes);
    const Native u12 = load_native(pivot + stride + 2 * lanes);
#pragma GCC unroll 3
    for (int j = 0; j < Columns; ++j) {
        t.at[0][j] *= d0;
        t.at[1][j] = (t.at[1][j] - u01 * t.at[0][j]) * d1;
        t.at[2][j] = (t.at[2][j] - u02 * t.at[0][j] - u12 * t.at[1][j]) * d2;
    }
}

// In place.
PLICA_KERNEL void factor_triangle(double* pivot, int stride) {
    const Wide one(1.0);
    const Wide d0 = one / sqrt(load(pivot));
    const Wide u01 = load(pivot + lanes) * d0;
    const Wide u02 = load(pivot + 2 * lanes) * d0;
    const Wide d1 = one / sqrt(load(pivot + stride + lanes) - u01 * u01);
    const Wide u12 = (load(pivot + stride + 2 * lanes) - u01 * u02) * d1;
    const Wide d2 = one / sqrt(load(pivot + 2 * stride + 2 * lanes) - u02 * u02 - u12 * u12);
    store(d0, pivot);
    store(u01, pivot + lanes);
    store(u02, pivot + 2 * lanes);
    store(d1, pivot + stride + lanes);
    store(u12, pivot + stride + 2 * lanes);
    store(d2, pivot + 2 * stride + 2 * lanes);
}

// Slots > 0: their number, known to the compiler.
template <int Slots>
struct Front {
    const SheetProblem& s;

    PLICA_KERNEL FrontShape shape() const { return Slots > 0 ? FrontShape{Slots} : s.shape; }
    PLICA_KERNEL int stride() const { return lanes * shape().row_lines(); }
    PLICA_KERNEL double* entry(int i, int j) const { return s.front + i * stride() + lanes * j; }
    PLICA_KERNEL double* block(int node, int other) const { return entry(3 * node, 3 * other); }
    PLICA_KERNEL double* load_of(int node) const { return entry(3 * node, shape().load()); }
    PLICA_KERNEL double* upper(int t) const { return s.upper + t * shape().column_rows() * stride(); }

    // First pivot that reaches a node of the front.
    PLICA_KERNEL int first_pivot(int node, int other) const {
        const int a = s.reached_by[node];
        const int b = s.reached_by[other];
        return 3 * (a > b ? a : b);
    }

    PLICA_KERNEL void clear(int node, int other) const {
        double* to = block(node, other);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) store(Wide(0.0), to + i * stride() + j * lanes);
        }
    }
    PLICA_KERNEL void clear_load(int node) const {
        for (int i = 0; i < 3; ++i) store(Wide(0.0), load_of(node) + i * stride());
    }

    // The rows of the column's first `count` nodes.
    PLICA_KERNEL void eliminate(int t, int count) const {
        double* u = upper(t);
        for (int node = 0; node < count; ++node) {
            double* rows = u + 3 * node * stride();
            double* pivot = rows + 3 * node * lanes;
            for (int part = 0; part < lanes; part += native_lanes) {
                Tile<3> tile = load_tile<3>(block(node, node) + part, stride());
                const double* own = u + 3 * node * lanes + part;
                subtract_products(tile, own, own, stride(), 3 * node);
                store_tile(tile, pivot + part, stride());
            }
            factor_triangle(pivot, stride());
            for (int other = node + 1; other < shape().nodes(); ++other) {
                if (s.reached_by[other] > node) continue;
                eliminate_tile<3>(u, node, 3 * other, 3 * s.reached_by[other]);
            }
            eliminate_tile<1>(u, node, shape().load(), 0);
        }
    }
    template <int Columns>
    PLICA_KERNEL void eliminate_tile(double* u, int node, int column, int first) const {
        for (int part = 0; part < lanes; part += native_lanes) {
            Tile<Columns> tile = load_tile<Columns>(entry(3 * node, column) + part, stride());
            const double* from = u + first * stride() + part;
            subtract_products(tile, from + 3 * node * lanes, from + column * lanes, stride(), 3 * node - first);
            double* rows = u + 3 * node * stride() + part;
            divide_by_triangle(tile, rows + 3 * node * lanes, stride());
            store_tile(tile, rows + column * lanes, stride());
        }
    }

    // What the pivots leave of one block, and where it goes.
    template <int Columns>
    PLICA_KERNEL void update_tile(const double* u, int node, int column, int first, int end, bool empty,
                                  double* to) const {
        for (int part = 0; part < lanes; part += native_lanes) {
            Tile<Columns> tile{};
            if (!empty) tile = load_tile<Columns>(entry(3 * node, column) + part, stride());
            const double* from = u + first * stride() + part;
            subtract_products(tile, from + 3 * node * lanes, from + column * lanes, stride(), end - first);
            store_tile(tile, to + part, stride());
        }
    }

    // The rest of the front without the column's first `pivots` unknowns. The next column takes its place, and the slot
    // two columns on becomes its neighbour's first, all in one go.
    PLICA_KERNEL void update(int t, int pivots) const {
        const double* u = upper(t);
        const int n = shape().nodes();
        for (int node = shape().slots; node < n; ++node) {
            // Nothing but pivots couples these to the left, or to the slot two columns on.
            const bool fresh = t > 0 && node <= shape().far() && node != shape().next(0);
            for (int other = node; other < n; ++other) {
                const bool empty = fresh && node != other && other >= shape().far();
                update_tile<3>(u, node, 3 * other, min_of(first_pivot(node, other), pivots), pivots, empty,
                               block(moved(node), moved(other)));
            }
            update_tile<1>(u, node, shape().load(), min_of(3 * s.reached_by[node], pivots), pivots, false,
                           load_of(moved(node)));
        }
        clear_next();
    }
    PLICA_KERNEL static int min_of(int a, int b) { return a < b ? a : b; }
    PLICA_KERNEL int moved(int node) const {
        return node < shape().far() ? node - shape().slots : node == shape().far() ? shape().next(0) : node;
    }
    // What springs and bending of the next column are added to.
    PLICA_KERNEL void clear_next() const {
        const int far = shape().far();
        for (int other = shape().slots; other < shape().next(0); ++other) {
            for (int node = 0; node <= other; ++node) clear(node, other);
            clear(other, shape().next(0));
            clear_load(other);
        }
        for (const int node : {shape().here(0), shape().next(0), far}) clear(node, far);
        clear_load(far);
    }

    // At a chunk's end the first slot of the column stays: it belongs to the next separator.
    PLICA_KERNEL void update_last(int t) const {
        const double* u = upper(t);
        const int pivots = shape().column_rows() - 3;
        for (int node = shape().here(0); node < shape().nodes(); ++node) {
            if (node == shape().far()) continue;
            const bool fresh = node >= shape().slots && node < shape().next(0);
            for (int other = node; other < shape().nodes(); ++other) {
                if (other == shape().far()) continue;
                update_tile<3>(u, node, 3 * other, min_of(first_pivot(node, other), pivots), pivots,
                               fresh && other > shape().far(), block(node, other));
            }
            update_tile<1>(u, node, shape().load(), min_of(3 * s.reached_by[node], pivots), pivots, false,
                           load_of(node));
        }
    }

    // The chunk's first column is not eliminated: it becomes the separator on the left.
    PLICA_KERNEL void make_separator() const {
        for (int a = 0; a < shape().slots; ++a) {
            const int left = shape().left(0) - shape().here(0) + a;
            for (int b = a; b < shape().slots; ++b) copy_block(a, b, left, left + b - a);
            copy_transposed(a, shape().left_slot(), shape().left_slot(), left);
            for (int node = shape().slots; node <= shape().far(); ++node) copy_transposed(a, node, node, left);
            for (int i = 0; i < 3; ++i) {
                store(plica::PLICA_ISA::load(load_of(a) + i * stride()), load_of(left) + i * stride());
            }
        }
    }
    PLICA_KERNEL void copy_block(int a, int b, int to_a, int to_b) const {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                store(load(entry(3 * a + i, 3 * b + j)), entry(3 * to_a + i, 3 * to_b + j));
            }
        }
    }
    PLICA_KERNEL void copy_transposed(int a, int b, int to_b, int to_a) const {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                store(load(entry(3 * a + i, 3 * b + j)), entry(3 * to_b + j, 3 * to_a + i));
            }
        }
    }
};

}  // namespace plica::mass_spring::PLICA_ISA
