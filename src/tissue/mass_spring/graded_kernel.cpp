#include "tissue/mass_spring/graded_kernel.hpp"

#include "core/wide.hpp"
#include "tissue/mass_spring/sheet_front.hpp"
#include "tissue/mass_spring/sheet_separators.hpp"
#include "tissue/mass_spring/spring_terms.hpp"

namespace plica::mass_spring::PLICA_ISA {

// Less the products of a list of pairs of blocks, three pivots each.
template <int Columns>
PLICA_KERNEL void subtract_terms(Tile<Columns>& tile, const double* blocks, const std::int32_t* term,
                                 const std::int32_t* end) {
    for (; term < end; term += 2) {
        const double* a = blocks + term[0] * block_size;
        const double* b = blocks + term[1] * block_size;
#pragma GCC unroll 3
        for (int m = 0; m < 3; ++m) subtract_product(tile, a + m * block_row, b + m * block_row);
    }
}
template <int Columns>
[[gnu::noinline]] static void reduce_block(const GradedProblem& s, const GradedTarget& target, const double* pivot) {
    double* to = s.blocks + target.block * block_size;
    for (int part = 0; part < lanes; part += native_lanes) {
        Tile<Columns> tile = load_tile<Columns>(to + part);
        subtract_terms(tile, s.blocks + part, s.terms + 2 * target.first, s.terms + 2 * target.last);
        if (pivot != nullptr) divide_by_triangle(tile, pivot + part);
        store_tile(tile, to + part);
    }
}
[[gnu::noinline]] static void reduce_own(const GradedProblem& s, const GradedTarget& target) {
    double* to = s.blocks + target.block * block_size;
    for (int part = 0; part < lanes; part += native_lanes) {
        Tile<3> tile = load_tile<3>(to + part);
        for (int k = target.first; k < target.last; ++k) {
            const double* a = s.blocks + s.terms[2 * k] * block_size + part;
#pragma GCC unroll 3
            for (int m = 0; m < 3; ++m) subtract_square(tile, a + m * block_row);
        }
        store_tile(tile, to + part);
    }
}

// All chunks of one graded sheet.
struct GradedChunks {
    const GradedProblem& s;

    PLICA_KERNEL double* block(int i) const { return s.blocks + i * block_size; }

    PLICA_KERNEL void gather_nodes() const {
        for (int i = 0; i < s.unknowns; ++i) {
            store3(gather3(s.q, s.node + lanes * i), s.q_of + 3 * lanes * i);
            store3(gather3(s.x, s.node + lanes * i), s.x_of + 3 * lanes * i);
        }
    }
    PLICA_KERNEL void clear() const {
        const int end = (s.row_blocks + s.shape.blocks()) * block_size;
        for (int i = 0; i < end; i += lanes) store(Wide(0.0), s.blocks + i);
    }

    PLICA_KERNEL void add_load(int unknown, const WideVec3& f) const {
        double* to = block(s.load[unknown]);
        add_to(to, f.x);
        add_to(to + block_row, f.y);
        add_to(to + 2 * block_row, f.z);
    }
    PLICA_KERNEL void add_diagonal(int at, const Wide& a) const {
        for (int k = 0; k < 3; ++k) add_to(block(at) + k * (block_row + lanes), a);
    }

    PLICA_KERNEL void add_masses() const {
        for (int i = 0; i < s.unknowns; ++i) {
            if (s.own[i] < 0) continue;
            const Mask there = load(s.there + lanes * i) > Wide(0.0);
            const Wide mass =
                Wide(1.0) / select(there, gather(s.w, s.node + lanes * i, 1, 0), Wide(1.0));  // or an idle unknown
            const WideVec3 ahead = gather3(s.p, s.node + lanes * i) - load3(s.q_of + 3 * lanes * i);
            add_diagonal(s.own[i], mass);
            add_load(i, ahead * select(there, mass, Wide(0.0)));
        }
    }

    PLICA_KERNEL SpringEnd spring_end(int unknown, const std::int32_t* held) const {
        if (unknown < 0) return {gather3(s.q, held), gather3(s.x, held)};
        return {load3(s.q_of + 3 * lanes * unknown), load3(s.x_of + 3 * lanes * unknown)};
    }
    PLICA_KERNEL void add_springs() const {
        for (int batch = 0; batch < s.batches; ++batch) {
            const int i = s.row_a[batch];
            const int j = s.row_b[batch];
            const SpringTerms terms =
                compute_terms(s, batch, spring_end(i, s.a + lanes * batch), spring_end(j, s.b + lanes * batch));
            if (i >= 0) {
                add_own(terms, block(s.own_of[i]));
                add_load(i, terms.pull);
            }
            if (j >= 0) {
                add_own(terms, block(s.own_of[j]));
                add_load(j, -terms.pull);
            }
            if (s.between[batch] >= 0) subtract_between(terms, block(s.between[batch]));
        }
    }

    // As in solve_sheet().
    PLICA_KERNEL void add_bending() const {
        for (int bend = 0; bend < s.bends; ++bend) {
            const std::int32_t* node = s.bent + 9 * bend;
            const Wide k = load(s.bending + lanes * bend);
            const auto second = [&](const double* of) {
                return load3(of + 3 * lanes * node[0]) - load3(of + 3 * lanes * node[1]) * Wide(2.0) +
                       load3(of + 3 * lanes * node[2]);
            };
            const WideVec3 bent = second(s.q_of);
            const WideVec3 was = second(s.x_of);
            const WideVec3 f = (bent * Wide(s.h * s.h) + (bent - was) * Wide(s.h * s.viscosity)) * k;
            const Wide implicit = k * Wide(s.h * s.h + s.h * s.viscosity);
            const Wide part[3] = {load(s.there + lanes * node[0]), load(s.there + lanes * node[1]) * Wide(-2.0),
                                  load(s.there + lanes * node[2])};
            const std::int32_t* to = node + 3;
            for (int i = 0; i < 3; ++i) {
                add_load(node[i], f * -part[i]);
                for (int j = i; j < 3; ++j) add_diagonal(*to++, implicit * part[i] * part[j]);
            }
        }
    }

    PLICA_KERNEL void eliminate() const {
        for (const GradedTarget* t = s.targets; t != s.targets + s.target_count; ++t) {
            switch (t->kind) {
                case GradedTarget::Kind::pivot:
                    reduce_own(s, *t);
                    factor_triangle(block(t->block));
                    break;
                case GradedTarget::Kind::across:
                    reduce_block<3>(s, *t, block(t->pivot));
                    break;
                case GradedTarget::Kind::load:
                    reduce_block<1>(s, *t, block(t->pivot));
                    break;
                case GradedTarget::Kind::left_own:
                    reduce_own(s, *t);
                    break;
                case GradedTarget::Kind::left_between:
                    reduce_block<3>(s, *t, nullptr);
                    break;
                case GradedTarget::Kind::left_load:
                    reduce_block<1>(s, *t, nullptr);
                    break;
            }
        }
    }

    // The chunk's first column, and its left neighbour's gut, take what solve_separators() says.
    PLICA_KERNEL void take_separators(const double* left, const double* right) const {
        const int nodes = s.shape.slots + 1;
        double* to = s.known + 3 * lanes * s.pivots;
        for (int i = 0; i < 3 * nodes; ++i) {
            store(load(right + lanes * i), to + lanes * i);
            store(load(left + lanes * i), to + lanes * (3 * nodes + i));
        }
    }
    PLICA_KERNEL void substitute(int row) const {
        const GradedRow& r = s.rows[row];
        const double* pivot = block(r.block);
        const double* y = block(r.block + 1 + r.last - r.first);
        WideVec3 a{load(y), load(y + block_row), load(y + 2 * block_row)};
        for (int k = r.first; k < r.last; ++k) {
            const double* u = block(r.block + 1 + k - r.first);
            const double* x = s.known + 3 * lanes * s.columns[k];
            for (int j = 0; j < 3; ++j) {
                const Wide xj = load(x + lanes * j);
                a.x -= load(u + lanes * j) * xj;
                a.y -= load(u + block_row + lanes * j) * xj;
                a.z -= load(u + 2 * block_row + lanes * j) * xj;
            }
        }
        a.z *= load(pivot + 2 * block_row + 2 * lanes);
        a.y = (a.y - load(pivot + block_row + 2 * lanes) * a.z) * load(pivot + block_row + lanes);
        a.x = (a.x - load(pivot + lanes) * a.y - load(pivot + 2 * lanes) * a.z) * load(pivot);
        store3(a, s.known + 3 * lanes * row);
    }

    // Of the unknowns whose masses are this chunk's.
    PLICA_KERNEL void write(int unknown) const {
        if (s.own[unknown] < 0) return;
        const double* q = s.q_of + 3 * lanes * unknown;
        const double* from = s.known + 3 * lanes * unknown;
        Lanes to[3];
        for (int k = 0; k < 3; ++k) store(load(q + lanes * k) + load(from + lanes * k), to[k].at);
        for (int lane = 0; lane < lanes; ++lane) {
            if (s.there[lanes * unknown + lane] == 0.0) continue;
            double* p = s.p + 3 * s.node[lanes * unknown + lane];
            for (int k = 0; k < 3; ++k) p[k] = to[k].at[lane];
        }
    }

    PLICA_KERNEL void run() const {
        gather_nodes();
        clear();
        add_masses();
        add_springs();
        add_bending();
        eliminate();
        alignas(64) double left[3U * lanes * (most_slots + 1)];
        alignas(64) double right[3U * lanes * (most_slots + 1)];
        SheetProblem separators{};
        separators.shape = s.shape;
        separators.front = block(s.row_blocks);
        separators.between = s.between_separators;
        solve_separators(separators, left, right);
        take_separators(left, right);
        for (int row = s.pivots - 1; row >= 0; --row) substitute(row);
        for (int i = 0; i < s.unknowns; ++i) write(i);
    }
};

void solve_graded(const GradedProblem& problem) {
    GradedChunks{problem}.run();
}

}  // namespace plica::mass_spring::PLICA_ISA
