#pragma once
#include "core/wide.hpp"
#include "tissue/mass_spring/sheet_kernel.hpp"

// Cholesky elimination of one column in all eight chunks at once. The front is worked on in tiles of three by three
// unknowns, two nodes, which stay in registers while all pivots that reach them are subtracted.
namespace plica::mass_spring::PLICA_ISA {

using namespace plica::PLICA_ISA;

// A block is three by three unknowns of eight lanes, row by row; a block of loads has entries in its first column.
inline constexpr int block_row = 3 * lanes;
inline constexpr int block_size = 3 * block_row;

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
PLICA_KERNEL Tile<Columns> load_tile(const double* from) {
    Tile<Columns> t;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
        for (int j = 0; j < Columns; ++j) t.at[i][j] = load_native(from + i * block_row + j * lanes);
    }
    return t;
}

template <int Columns>
PLICA_KERNEL void store_tile(const Tile<Columns>& t, double* to) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
        for (int j = 0; j < Columns; ++j) store_native(t.at[i][j], to + i * block_row + j * lanes);
    }
}

// Less the product of a pivot row's entries from `a` and from `b` on.
template <int Columns>
PLICA_KERNEL void subtract_product(Tile<Columns>& t, const double* a, const double* b) {
    Native left[3];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) left[i] = keep(load_native(a + i * lanes));
#pragma GCC unroll 3
    for (int j = 0; j < Columns; ++j) {
        const Native right = keep(load_native(b + j * lanes));
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) t.at[i][j] -= left[i] * right;
    }
}
// The same for a node with itself, of which only the upper triangle is used.
PLICA_KERNEL void subtract_square(Tile<3>& t, const double* a) {
    Native left[3];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) left[i] = keep(load_native(a + i * lanes));
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
#pragma GCC unroll 3
        for (int i = 0; i <= j; ++i) t.at[i][j] -= left[i] * left[j];
    }
}

// For all pivots of `nodes` nodes, one block after the other. Each of the usual numbers has a loop of its own, whose
// end the processor can foresee.
template <class Subtract>
PLICA_KERNEL void for_each_pivot(int nodes, const Subtract& subtract) {
    switch (nodes) {
        case 0:
            return;
        case 1:
#pragma GCC unroll 1
            for (int m = 0; m < 3; ++m) subtract(m * block_row);
            return;
        case 2:
#pragma GCC unroll 1
            for (int m = 0; m < 6; ++m) subtract(m * block_row);
            return;
        case 3:
#pragma GCC unroll 1
            for (int m = 0; m < 9; ++m) subtract(m * block_row);
            return;
        default:
            for (int m = 0; m < 3 * nodes; ++m) subtract(m * block_row);
    }
}
template <int Columns>
PLICA_KERNEL void subtract_products(Tile<Columns>& t, const double* a, const double* b, int nodes) {
    for_each_pivot(nodes, [&](int at) __attribute__((always_inline)) { subtract_product(t, a + at, b + at); });
}
PLICA_KERNEL void subtract_squares(Tile<3>& t, const double* a, int nodes) {
    for_each_pivot(nodes, [&](int at) __attribute__((always_inline)) { subtract_square(t, a + at); });
}

// The rows of three pivots, from the factor of their own triangle at `pivot`, whose diagonal is stored inverted.
template <int Columns>
PLICA_KERNEL void divide_by_triangle(Tile<Columns>& t, const double* pivot) {
    const Native d0 = load_native(pivot);
    const Native d1 = load_native(pivot + block_row + lanes);
    const Native d2 = load_native(pivot + 2 * block_row + 2 * lanes);
    const Native u01 = load_native(pivot + lanes);
    const Native u02 = load_native(pivot + 2 * lanes);
    const Native u12 = load_native(pivot + block_row + 2 * lanes);
#pragma GCC unroll 3
    for (int j = 0; j < Columns; ++j) {
        t.at[0][j] *= d0;
        t.at[1][j] = (t.at[1][j] - u01 * t.at[0][j]) * d1;
        t.at[2][j] = (t.at[2][j] - u02 * t.at[0][j] - u12 * t.at[1][j]) * d2;
    }
}

// In place. The roots come last: each pivot waits for the one before.
PLICA_KERNEL void factor_triangle(double* pivot) {
    const Wide one(1.0);
    const Wide a01 = load(pivot + lanes);
    const Wide a02 = load(pivot + 2 * lanes);
    const Wide i0 = one / load(pivot);
    const Wide f1 = a01 * i0;
    const Wide f2 = a02 * i0;
    const Wide i1 = one / (load(pivot + block_row + lanes) - f1 * a01);
    const Wide a12 = load(pivot + block_row + 2 * lanes) - f1 * a02;
    const Wide i2 = one / (load(pivot + 2 * block_row + 2 * lanes) - f2 * a02 - a12 * i1 * a12);
    const Wide d0 = sqrt(i0);
    const Wide d1 = sqrt(i1);
    store(d0, pivot);
    store(a01 * d0, pivot + lanes);
    store(a02 * d0, pivot + 2 * lanes);
    store(d1, pivot + block_row + lanes);
    store(a12 * d1, pivot + block_row + 2 * lanes);
    store(sqrt(i2), pivot + 2 * block_row + 2 * lanes);
}

// The hot loops are functions of their own, so that one copy of each stays in the instruction cache. `a` and `b` are
// the pivots' entries for the tile's rows and columns, from the first pivot on that reaches both.
template <int Columns>
[[gnu::noinline]] static void update_tile(const double* from, const double* a, const double* b, int nodes, double* to) {
    for (int part = 0; part < lanes; part += native_lanes) {
        Tile<Columns> tile{};
        if (from != nullptr) tile = load_tile<Columns>(from + part);
        subtract_products(tile, a + part, b + part, nodes);
        store_tile(tile, to + part);
    }
}
[[gnu::noinline]] static void update_own_tile(const double* from, const double* a, int nodes, double* to) {
    for (int part = 0; part < lanes; part += native_lanes) {
        Tile<3> tile = load_tile<3>(from + part);
        subtract_squares(tile, a + part, nodes);
        store_tile(tile, to + part);
    }
}
template <int Columns>
[[gnu::noinline]] static void eliminate_tile(const double* from, const double* a, const double* b, int nodes,
                                             const double* pivot, double* to) {
    for (int part = 0; part < lanes; part += native_lanes) {
        Tile<Columns> tile = load_tile<Columns>(from + part);
        subtract_products(tile, a + part, b + part, nodes);
        divide_by_triangle(tile, pivot + part);
        store_tile(tile, to + part);
    }
}

struct Front {
    const SheetProblem& s;

    PLICA_KERNEL FrontShape shape() const { return s.shape; }
    PLICA_KERNEL double* block(int node, int other) const {
        return s.front + (node * (shape().nodes() + 1) + other) * block_size;
    }
    PLICA_KERNEL double* load_of(int node) const { return block(node, shape().nodes()); }
    // Rows of the factor: for each node of the front the blocks of all pivots one after the other.
    PLICA_KERNEL double* upper(int t, int node, int pivot) const {
        const int slots = shape().slots;
        return s.upper + ((t * (shape().nodes() + 1) + node) * slots + pivot) * block_size;
    }

    // The first node of the column that reaches both, at most `end`.
    PLICA_KERNEL int first_of(int node, int other, int end) const {
        const int a = s.reached_by[node];
        const int b = s.reached_by[other];
        const int first = a > b ? a : b;
        return first < end ? first : end;
    }

    PLICA_KERNEL void clear(int node, int other) const {
        double* to = block(node, other);
        for (int i = 0; i < block_size; i += lanes) store(Wide(0.0), to + i);
    }
    PLICA_KERNEL void clear_load(int node) const {
        for (int i = 0; i < block_size; i += block_row) store(Wide(0.0), load_of(node) + i);
    }

    // The rows of the column's first `count` nodes. The next pivots are prepared as early as possible: roots and
    // divisions take long, but others can go on meanwhile.
    PLICA_KERNEL void eliminate(int t, int count) const {
        if (count > 0) factor(t, 0);
        for (int node = 0; node < count; ++node) {
            for (int other = node + 1; other < shape().nodes(); ++other) {
                if (s.reached_by[other] <= node) eliminate_block<3>(t, node, other, s.reached_by[other]);
                if (other == node + 1 && other < count) factor(t, other);
            }
            eliminate_block<1>(t, node, shape().nodes(), 0);
        }
    }
    PLICA_KERNEL void factor(int t, int node) const {
        double* pivot = upper(t, node, node);
        update_own_tile(block(node, node), upper(t, node, 0), node, pivot);
        factor_triangle(pivot);
    }
    template <int Columns>
    PLICA_KERNEL void eliminate_block(int t, int node, int other, int first) const {
        eliminate_tile<Columns>(block(node, other), upper(t, node, first), upper(t, other, first), node - first,
                                upper(t, node, node), upper(t, other, node));
    }

    // What the column's first `count` nodes leave of a block, and where it goes.
    PLICA_KERNEL void update_block(int t, int count, int node, int other, bool empty, double* to) const {
        const int first = first_of(node, other, count);
        const double* a = upper(t, node, first);
        if (node == other) return update_own_tile(block(node, node), a, count - first, to);
        update_tile<3>(empty ? nullptr : block(node, other), a, upper(t, other, first), count - first, to);
    }
    PLICA_KERNEL void update_load(int t, int count, int node, double* to) const {
        const int first = first_of(node, node, count);
        update_tile<1>(load_of(node), upper(t, node, first), upper(t, shape().nodes(), first), count - first, to);
    }

    // The rest of the front without the column's first `count` nodes. The next column takes its place, and the slot
    // two columns on becomes its neighbour's first, all in one go.
    PLICA_KERNEL void update(int t, int count) const {
        for (int node = shape().slots; node < shape().nodes(); ++node) {
            // Nothing but pivots couples these to the left, or to the slot two columns on.
            const bool fresh = t > 0 && node <= shape().far() && node != shape().next(0);
            for (int other = node; other < shape().nodes(); ++other) {
                update_block(t, count, node, other, fresh && other >= shape().far(), block(moved(node), moved(other)));
            }
            update_load(t, count, node, load_of(moved(node)));
        }
        clear_next();
    }
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
        const int count = shape().slots - 1;
        for (int node = shape().here(0); node < shape().nodes(); ++node) {
            if (node == shape().far()) continue;
            const bool fresh = node >= shape().slots && node < shape().next(0);
            for (int other = node; other < shape().nodes(); ++other) {
                if (other == shape().far()) continue;
                update_block(t, count, node, other, fresh && other > shape().far(), block(node, other));
            }
            update_load(t, count, node, load_of(node));
        }
    }

    // The chunk's first column is not eliminated: it becomes the separator on the left.
    PLICA_KERNEL void make_separator() const {
        for (int a = 0; a < shape().slots; ++a) {
            const int left = shape().left(0) - shape().here(0) + a;
            for (int b = a; b < shape().slots; ++b) copy_block(a, b, left, left + b - a);
            copy_transposed(a, shape().left_slot(), shape().left_slot(), left);
            for (int node = shape().slots; node <= shape().far(); ++node) copy_transposed(a, node, node, left);
            copy_block(a, shape().nodes(), left, shape().nodes());
        }
    }
    PLICA_KERNEL void copy_block(int a, int b, int to_a, int to_b) const {
        for (int i = 0; i < block_size; i += lanes) store(load(block(a, b) + i), block(to_a, to_b) + i);
    }
    PLICA_KERNEL void copy_transposed(int a, int b, int to_b, int to_a) const {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                store(load(block(a, b) + i * block_row + j * lanes), block(to_b, to_a) + j * block_row + i * lanes);
            }
        }
    }
};

}  // namespace plica::mass_spring::PLICA_ISA
