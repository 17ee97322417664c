#include "core/pack.hpp"
// after pack.hpp, which says how kernels are inlined
#include "tissue/tled/forces_kernel.hpp"

namespace plica::tled::PLICA_ISA {
namespace {

using plica::PLICA_ISA::add_points;
using plica::PLICA_ISA::fetch;
using plica::PLICA_ISA::gather_points;
using plica::PLICA_ISA::highest_lane;
using plica::PLICA_ISA::load_pack;
using plica::PLICA_ISA::lowest_lane;
using plica::PLICA_ISA::Pack;
using plica::PLICA_ISA::PackPoint;
using plica::PLICA_ISA::store_difference;
using plica::PLICA_ISA::store_pack;

// Large organs do not fit into any cache: what a batch reads is asked for this many batches ahead.
constexpr int batches_ahead = 4;
template <int corners, int numbers, class S>
PLICA_KERNEL void fetch_ahead(const BlockTask<S>& task, int batch) {
    constexpr int lines = static_cast<int>(sizeof(Line<S>)) / 64;
    const auto* number = reinterpret_cast<const char*>(task.number + (batch + batches_ahead) * numbers);
    for (int i = 0; i < numbers * lines; ++i) fetch(number + 64 * i);
    const auto* index = reinterpret_cast<const char*>(task.index + (batch + batches_ahead) * corners * batch_lanes);
    for (int i = 0; i < corners * batch_lanes * 2 / 64; ++i) fetch(index + 64 * i);
}

// Displacements of the block's slots; the fourth number is the pressure where nodes bear it.
template <class S>
PLICA_KERNEL void stage_slots(const BlockTask<S>& task, bool nodal, S* u) {
    const int slots = task.block->slots;
    for (int s = 0; s < slots; ++s) {
        const std::int32_t n = task.slot_node[s];
        store_difference(&task.x[n].x, &task.rest[n].x, nodal ? task.pressure[s] : S(0), u + 4 * s);
    }
}

template <class S>
PLICA_KERNEL PackPoint<S> minus(const PackPoint<S>& a, const PackPoint<S>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w};
}

template <class S>
PLICA_KERNEL Matrix<Pack<S>> displacement_gradient(const PackPoint<S> (&node)[4], const Pack<S> (&g)[9]) {
    const PackPoint<S> a = minus(node[1], node[0]), b = minus(node[2], node[0]), c = minus(node[3], node[0]);
    Matrix<Pack<S>> h;
    for (int k = 0; k < 3; ++k) {
        h.at[0][k] = a.x * g[k] + b.x * g[3 + k] + c.x * g[6 + k];
        h.at[1][k] = a.y * g[k] + b.y * g[3 + k] + c.y * g[6 + k];
        h.at[2][k] = a.z * g[k] + b.z * g[3 + k] + c.z * g[6 + k];
    }
    return h;
}

// What viscous cells remember, before and after the step.
template <class S>
struct Memory {
    const S* history;
    S* next;
};

// Stress times `scale`, with everything a material can have; steps the cells' history.
template <class S, bool plain>
PLICA_KERNEL Matrix<Pack<S>> scaled_stress(const Constants<S>& k, const Matrix<Pack<S>>& h, const Strain<Pack<S>>& s,
                                           Pack<S> pressure, Pack<S> scale, const Memory<S>& memory) {
    if constexpr (plain) return neo_hookean(k, s, pressure, scale);
    Matrix<Pack<S>> p = elastic_stress(k, h, s, pressure);
    if (k.relaxations > 0) {
        const Symmetric<Pack<S>> now = second_piola(s, p);
        const Pack<S> all[6] = {now.xx, now.yy, now.zz, now.yz, now.xz, now.xy};
        Pack<S> sum[6] = {S(0), S(0), S(0), S(0), S(0), S(0)};
        for (int r = 0; r < k.relaxations; ++r) {
            for (int i = 0; i < 6; ++i) {
                const int at = (6 * r + i) * batch_lanes;
                const Pack<S> y = Pack<S>(k.keep[r]) * load_pack(memory.history + at) + Pack<S>(k.gain[r]) * all[i];
                store_pack(y, memory.next + at);
                sum[i] += y;
            }
        }
        subtract_history(s.f, {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]}, p);
    }
    for (auto& row : p.at) {
        for (Pack<S>& each : row) each = each * scale;
    }
    return p;
}

template <class S>
PLICA_KERNEL PackPoint<S> apply(const Matrix<Pack<S>>& p, Pack<S> x, Pack<S> y, Pack<S> z) {
    return {p.at[0][0] * x + p.at[0][1] * y + p.at[0][2] * z, p.at[1][0] * x + p.at[1][1] * y + p.at[1][2] * z,
            p.at[2][0] * x + p.at[2][1] * y + p.at[2][2] * z, S(0)};
}

template <class S, bool plain, bool nodal>
PLICA_KERNEL void compute_tetrahedra(BlockTask<S>& task, const S* u) {
    constexpr int lanes = Pack<S>::lanes;
    const Constants<S>& k = *task.material;
    Pack<S> least(S(1)), most(S(1)), area(S(1));
    for (int batch = 0; batch < task.block->batches; ++batch) {
        fetch_ahead<4, 10>(task, batch);
        for (int lane = 0; lane < batch_lanes; lane += lanes) {
            const std::uint16_t* index = task.index + batch * 4 * batch_lanes + lane;
            const Line<S>* number = task.number + batch * 10;
            PackPoint<S> node[4];
            for (int c = 0; c < 4; ++c) node[c] = gather_points(u, index + c * batch_lanes);
            Pack<S> g[9];
            for (int i = 0; i < 9; ++i) g[i] = load_pack(number[i].at + lane);
            const Matrix<Pack<S>> h = displacement_gradient(node, g);
            const Strain<Pack<S>> s = strain_of(h, S(1));
            least = min(s.j, least);
            most = max(s.j, most);
            area = max(contract(s.cof, s.cof), area);
            const Pack<S> pressure =
                nodal ? Pack<S>(S(0.25)) * ((node[0].w + node[1].w) + (node[2].w + node[3].w)) : own_pressure(k, s.j);
            const Pack<S> volume = load_pack(number[9].at + lane);
            const std::ptrdiff_t past = static_cast<std::ptrdiff_t>(batch) * k.relaxations * 6 * batch_lanes + lane;
            const Matrix<Pack<S>> p =
                scaled_stress<S, plain>(k, h, s, pressure, volume, {task.history + past, task.next + past});
            PackPoint<S> force[4];
            for (int c = 1; c < 4; ++c) force[c] = apply(p, g[3 * c - 3], g[3 * c - 2], g[3 * c - 1]);
            force[0] = {-(force[1].x + force[2].x + force[3].x), -(force[1].y + force[2].y + force[3].y),
                        -(force[1].z + force[2].z + force[3].z), S(0)};
            add_points(force, index, batch_lanes, task.partial);
        }
    }
    task.least = lowest_lane(least);
    task.most = highest_lane(most);
    task.area = highest_lane(area);
}

template <class S>
PLICA_KERNEL Pack<S> add_signed(Pack<S> a, Pack<S> b, int sign) {
    return sign > 0 ? a + b : a - b;
}

// Hourglass modes q[k] = sum_a gamma^k_a u_a with gamma^k_a = Gamma^k_a - G_a . X^k, X^k = sum_b Gamma^k_b X_b. Since
// sum_a G_a (x) u_a = H, that is sum_a Gamma^k_a u_a - H X^k, and what its force adds at a corner has two parts:
// k_h Gamma^k_a q[k], and -k_h (q[k] (x) X^k) G_a, which is like a stress.
template <class S>
PLICA_KERNEL PackPoint<S> hourglass_mode(int k, const PackPoint<S> (&node)[8], const Matrix<Pack<S>>& h,
                                         const PackPoint<S>& x) {
    PackPoint<S> q = apply(h, x.x, x.y, x.z);
    q = {-q.x, -q.y, -q.z, S(0)};
    for (int c = 0; c < 8; ++c) {
        q.x = add_signed(q.x, node[c].x, hourglass_signs[k][c]);
        q.y = add_signed(q.y, node[c].y, hourglass_signs[k][c]);
        q.z = add_signed(q.z, node[c].z, hourglass_signs[k][c]);
    }
    return q;
}

template <class S, bool plain>
PLICA_KERNEL void compute_hexahedra(BlockTask<S>& task, const S* u) {
    constexpr int lanes = Pack<S>::lanes;
    const Constants<S>& k = *task.material;
    Pack<S> least(S(1)), most(S(1)), area(S(1));
    for (int batch = 0; batch < task.block->batches; ++batch) {
        fetch_ahead<8, 38>(task, batch);
        for (int lane = 0; lane < batch_lanes; lane += lanes) {
            const std::uint16_t* index = task.index + batch * 8 * batch_lanes + lane;
            const Line<S>* number = task.number + batch * 38;
            const auto at = [&](int i) { return load_pack(number[i].at + lane); };
            PackPoint<S> node[8];
            for (int c = 0; c < 8; ++c) node[c] = gather_points(u, index + c * batch_lanes);
            Matrix<Pack<S>> h;
            for (auto& row : h.at) row[0] = row[1] = row[2] = S(0);
            for (int c = 0; c < 8; ++c) {
                for (int j = 0; j < 3; ++j) {
                    const Pack<S> g = at(3 * c + j);
                    h.at[0][j] += node[c].x * g;
                    h.at[1][j] += node[c].y * g;
                    h.at[2][j] += node[c].z * g;
                }
            }
            const Strain<Pack<S>> s = strain_of(h, S(1));
            least = min(s.j, least);
            most = max(s.j, most);
            area = max(contract(s.cof, s.cof), area);
            const std::ptrdiff_t past = static_cast<std::ptrdiff_t>(batch) * k.relaxations * 6 * batch_lanes + lane;
            Matrix<Pack<S>> p =
                scaled_stress<S, plain>(k, h, s, own_pressure(k, s.j), at(36), {task.history + past, task.next + past});
            const Pack<S> stiffness = at(37);
            PackPoint<S> mode[4];
            for (int m = 0; m < 4; ++m) {
                const PackPoint<S> x = {at(24 + 3 * m), at(25 + 3 * m), at(26 + 3 * m), S(0)};
                mode[m] = hourglass_mode(m, node, h, x);
                mode[m] = {stiffness * mode[m].x, stiffness * mode[m].y, stiffness * mode[m].z, S(0)};
                const Pack<S> along[3] = {x.x, x.y, x.z};
                for (int j = 0; j < 3; ++j) {
                    p.at[0][j] -= mode[m].x * along[j];
                    p.at[1][j] -= mode[m].y * along[j];
                    p.at[2][j] -= mode[m].z * along[j];
                }
            }
            PackPoint<S> force[8];
            for (int c = 0; c < 8; ++c) {
                force[c] = apply(p, at(3 * c), at(3 * c + 1), at(3 * c + 2));
                for (int m = 0; m < 4; ++m) {
                    force[c].x = add_signed(force[c].x, mode[m].x, hourglass_signs[m][c]);
                    force[c].y = add_signed(force[c].y, mode[m].y, hourglass_signs[m][c]);
                    force[c].z = add_signed(force[c].z, mode[m].z, hourglass_signs[m][c]);
                }
            }
            add_points(force, index, batch_lanes, task.partial);
        }
    }
    task.least = lowest_lane(least);
    task.most = highest_lane(most);
    task.area = highest_lane(area);
}

template <class S>
PLICA_KERNEL void compute(BlockTask<S>& task) {
    alignas(64) S u[4 * most_slots];
    stage_slots(task, task.block->kind == ElementKind::t4anp, u);
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{4} * task.block->slots; ++i) task.partial[i] = S(0);
    if (task.block->kind == ElementKind::h8) {
        task.plain ? compute_hexahedra<S, true>(task, u) : compute_hexahedra<S, false>(task, u);
    } else if (task.block->kind == ElementKind::t4anp) {
        task.plain ? compute_tetrahedra<S, true, true>(task, u) : compute_tetrahedra<S, false, true>(task, u);
    } else {
        task.plain ? compute_tetrahedra<S, true, false>(task, u) : compute_tetrahedra<S, false, false>(task, u);
    }
}

template <class S>
PLICA_KERNEL void sum(BlockTask<S>& task) {
    constexpr int lanes = Pack<S>::lanes;
    alignas(64) S u[4 * most_slots];
    stage_slots(task, false, u);
    for (int s = 0; s < task.block->slots; ++s) task.pressure[s] = S(0);
    for (int batch = 0; batch < task.block->batches; ++batch) {
        fetch_ahead<4, 10>(task, batch);
        for (int lane = 0; lane < batch_lanes; lane += lanes) {
            const std::uint16_t* index = task.index + batch * 4 * batch_lanes + lane;
            const Line<S>* number = task.number + batch * 10;
            PackPoint<S> node[4];
            for (int c = 0; c < 4; ++c) node[c] = gather_points(u, index + c * batch_lanes);
            Pack<S> g[9];
            for (int i = 0; i < 9; ++i) g[i] = load_pack(number[i].at + lane);
            const Matrix<Pack<S>> f = add_identity(displacement_gradient(node, g));
            alignas(64) S quarter[static_cast<std::size_t>(lanes)];
            store_pack(Pack<S>(S(0.25)) * load_pack(number[9].at + lane) * volume_ratio(f, cofactor(f)), quarter);
            for (int i = 0; i < lanes; ++i) {
                for (int c = 0; c < 4; ++c) task.pressure[index[c * batch_lanes + i]] += quarter[i];
            }
        }
    }
}

template <class S>
PLICA_KERNEL void sum_nodes(const std::int32_t* first, const std::int32_t* slots, const S* partial, std::int32_t begin,
                            std::int32_t end, Vec3* force) {
    typedef S Four __attribute__((vector_size(4 * sizeof(S)), aligned(sizeof(S)), may_alias));
    for (std::int32_t n = begin; n < end; ++n) {
        Four sum{};
        for (std::int32_t i = first[n]; i < first[n + 1]; ++i) {
            sum += *reinterpret_cast<const Four*>(partial + 4 * static_cast<std::ptrdiff_t>(slots[i]));
        }
        force[n].x = static_cast<double>(sum[0]);
        force[n].y = static_cast<double>(sum[1]);
        force[n].z = static_cast<double>(sum[2]);
    }
}

}  // namespace

void compute_block(BlockTask<float>& task) {
    compute(task);
}
void compute_block_exactly(BlockTask<double>& task) {
    compute(task);
}
void sum_volumes(BlockTask<float>& task) {
    sum(task);
}
void sum_volumes_exactly(BlockTask<double>& task) {
    sum(task);
}
void sum_slots(const std::int32_t* first, const std::int32_t* slots, const float* partial, std::int32_t begin,
               std::int32_t end, Vec3* force) {
    sum_nodes(first, slots, partial, begin, end, force);
}
void sum_slots_exactly(const std::int32_t* first, const std::int32_t* slots, const double* partial, std::int32_t begin,
                       std::int32_t end, Vec3* force) {
    sum_nodes(first, slots, partial, begin, end, force);
}

}  // namespace plica::tled::PLICA_ISA
