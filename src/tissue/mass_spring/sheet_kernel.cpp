#include "tissue/mass_spring/sheet_kernel.hpp"

#include "core/wide.hpp"
#include "tissue/mass_spring/sheet_front.hpp"
#include "tissue/mass_spring/sheet_separators.hpp"
#include "tissue/mass_spring/spring_terms.hpp"

namespace plica::mass_spring::PLICA_ISA {

// All chunks of one sheet: assembles and eliminates column after column, solves for the separators, and goes back.
struct Chunks {
    const SheetProblem& s;
    Front front;
    double* known;  // in back substitution: the front's unknowns

    PLICA_KERNEL FrontShape shape() const { return front.shape(); }
    // Place of a node in the arrays of the problem; t counts from the separator's column.
    PLICA_KERNEL int place(int t, int slot) const { return lanes * ((t + 1) * shape().slots + slot); }
    PLICA_KERNEL int place_in_front(int t, int node) const {
        const int slots = shape().slots;
        return node < slots ? place(t, slots - 1 - node) : place(t + 1, 2 * slots - 1 - node);
    }

    PLICA_KERNEL void gather_nodes() const {
        for (int i = 0; i < (s.length + 2) * shape().slots; ++i) {
            store3(gather3(s.q, s.node + lanes * i), s.q_of + 3 * lanes * i);
            store3(gather3(s.x, s.node + lanes * i), s.x_of + 3 * lanes * i);
        }
    }

    PLICA_KERNEL void add_load(int node, const WideVec3& f) const {
        double* to = front.load_of(node);
        add_to(to, f.x);
        add_to(to + block_row, f.y);
        add_to(to + 2 * block_row, f.z);
    }
    PLICA_KERNEL void add_diagonal(int node, int other, const Wide& a) const {
        for (int k = 0; k < 3; ++k) add_to(front.block(node, other) + k * (block_row + lanes), a);
    }

    PLICA_KERNEL void add_masses(int t) const {
        for (int slot = 0; slot < shape().slots; ++slot) {
            const int i = place(t, slot);
            const Mask there = load(s.there + i) > Wide(0.0);
            const Wide mass =
                Wide(1.0) / select(there, gather(s.w, s.node + i, 1, 0), Wide(1.0));  // or an idle unknown
            const WideVec3 ahead = gather3(s.p, s.node + i) - load3(s.q_of + 3 * i);
            add_diagonal(shape().here(slot), shape().here(slot), mass);
            add_load(shape().here(slot), ahead * select(there, mass, Wide(0.0)));
        }
    }

    // Of a node of the front, or of held ones.
    PLICA_KERNEL SpringEnd spring_end(int t, int node, const std::int32_t* held) const {
        if (node < 0) return {gather3(s.q, held), gather3(s.x, held)};
        return {load3(s.q_of + 3 * place_in_front(t, node)), load3(s.x_of + 3 * place_in_front(t, node))};
    }

    PLICA_KERNEL void add_springs(int t) const {
        for (int batch = s.first_batch[t]; batch < s.first_batch[t + 1]; ++batch) {
            const int i = s.row_a[batch];
            const int j = s.row_b[batch];
            const SpringEnd a = spring_end(t, i, s.a + lanes * batch);
            const SpringEnd b = spring_end(t, j, s.b + lanes * batch);
            const SpringTerms terms = compute_terms(s, batch, a, b);
            if (i >= 0) {
                add_own(terms, front.block(i, i));
                add_load(i, terms.pull);
            }
            if (j >= 0) {
                add_own(terms, front.block(j, j));
                add_load(j, -terms.pull);
            }
            if (i >= 0 && j >= 0) subtract_between(terms, front.block(i < j ? i : j, i < j ? j : i));
        }
    }

    // Force -K q - c K v with K the sum of k (1, -2, 1)^T (1, -2, 1) along the first slot of three columns, t and the
    // next ones, which are these nodes of the front.
    PLICA_KERNEL void add_bending(int t, int node0, int node1, int node2) const {
        const Wide k = load(s.bending + lanes * (t + 1));
        const int step = 3 * lanes * shape().slots;
        const double* q = s.q_of + 3 * place(t, 0);
        const double* x = s.x_of + 3 * place(t, 0);
        const WideVec3 bent = load3(q) - load3(q + step) * Wide(2.0) + load3(q + 2 * step);
        const WideVec3 was = load3(x) - load3(x + step) * Wide(2.0) + load3(x + 2 * step);
        const WideVec3 f = (bent * Wide(s.h * s.h) + (bent - was) * Wide(s.h * s.viscosity)) * k;
        const Wide implicit = k * Wide(s.h * s.h + s.h * s.viscosity);
        const Wide part[3] = {load(s.there + place(t, 0)), load(s.there + place(t + 1, 0)) * Wide(-2.0),
                              load(s.there + place(t + 2, 0))};
        const int node[3] = {node0, node1, node2};
        for (int i = 0; i < 3; ++i) {
            add_load(node[i], f * -part[i]);
            for (int j = i; j < 3; ++j) {
                const int a = node[i] < node[j] ? node[i] : node[j];
                const int b = node[i] < node[j] ? node[j] : node[i];
                add_diagonal(a, b, implicit * part[i] * part[j]);
            }
        }
    }

    PLICA_KERNEL void assemble(int t) const {
        add_masses(t);
        add_springs(t);
        if (t + 1 < s.length) add_bending(t, shape().here(0), shape().next(0), shape().far());
    }

    PLICA_KERNEL void eliminate() const {
        for (int node = 0; node < shape().nodes(); ++node) {
            for (int other = node; other < shape().nodes(); ++other) front.clear(node, other);
            front.clear_load(node);
        }
        assemble(0);
        add_bending(-1, shape().left_slot(), shape().here(0), shape().next(0));
        front.make_separator();
        front.update(0, 0);
        for (int t = 1; t + 1 < s.length; ++t) {
            assemble(t);
            front.eliminate(t, shape().slots);
            front.update(t, shape().slots);
        }
        assemble(s.length - 1);
        front.eliminate(s.length - 1, shape().slots - 1);
        front.update_last(s.length - 1);
    }

    PLICA_KERNEL void write_column(int t) const {
        for (int slot = 0; slot < shape().slots; ++slot) {
            const int i = place(t, slot);
            Lanes to[3];
            const double* from = known + 3 * lanes * shape().here(slot);
            for (int k = 0; k < 3; ++k) store(load(s.q_of + 3 * i + lanes * k) + load(from + lanes * k), to[k].at);
            for (int lane = 0; lane < lanes; ++lane) {
                if (s.there[i + lane] == 0.0) continue;
                double* p = s.p + 3 * s.node[i + lane];
                for (int k = 0; k < 3; ++k) p[k] = to[k].at[lane];
            }
        }
    }

    PLICA_KERNEL void substitute_node(int t, int node) {
        const double* y = front.upper(t, shape().nodes(), node);
        WideVec3 a{load(y), load(y + block_row), load(y + 2 * block_row)};
        for (int other = shape().nodes() - 1; other > node; --other) {
            if (s.reached_by[other] > node) continue;
            const double* u = front.upper(t, other, node);
            for (int j = 0; j < 3; ++j) {
                const Wide x = load(known + 3 * lanes * other + lanes * j);
                a.x -= load(u + lanes * j) * x;
                a.y -= load(u + block_row + lanes * j) * x;
                a.z -= load(u + 2 * block_row + lanes * j) * x;
            }
        }
        const double* pivot = front.upper(t, node, node);
        a.z *= load(pivot + 2 * block_row + 2 * lanes);
        a.y = (a.y - load(pivot + block_row + 2 * lanes) * a.z) * load(pivot + block_row + lanes);
        a.x = (a.x - load(pivot + lanes) * a.y - load(pivot + 2 * lanes) * a.z) * load(pivot);
        store3(a, known + 3 * lanes * node);
    }
    PLICA_KERNEL void move_known(int from, int to, int nodes) {
        for (int i = 0; i < 3 * nodes; ++i) store(load(known + lanes * (3 * from + i)), known + lanes * (3 * to + i));
    }

    // From the last column of every chunk to its first, which is the separator's.
    PLICA_KERNEL void substitute() {
        const int slots = shape().slots;
        for (int node = slots - 2; node >= 0; --node) substitute_node(s.length - 1, node);
        write_column(s.length - 1);
        for (int t = s.length - 2; t > 0; --t) {
            move_known(shape().next(0), shape().far(), 1);
            move_known(0, slots, slots);
            for (int node = slots - 1; node >= 0; --node) substitute_node(t, node);
            write_column(t);
        }
        move_known(shape().left_slot() + 1, 0, slots);
        write_column(0);
    }

    PLICA_KERNEL void run() {
        gather_nodes();
        eliminate();
        solve_separators(s, known + 3 * lanes * shape().left_slot(), known + 3 * lanes * shape().here(0));
        substitute();
    }
};

void solve_sheet(const SheetProblem& problem) {
    alignas(64) double known[3U * lanes * FrontShape{most_slots}.nodes()];
    Chunks{problem, {problem}, known}.run();
}

}  // namespace plica::mass_spring::PLICA_ISA
