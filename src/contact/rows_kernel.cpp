#include "contact/measure.hpp"
#include "contact/rows.hpp"
#include "core/wide.hpp"

namespace plica::PLICA_ISA {

using WideVec3 = Vec3Of<Wide>;

PLICA_KERNEL WideVec3 load3(const double (&from)[3][8]) {
    return {load(from[0]), load(from[1]), load(from[2])};
}
PLICA_KERNEL void store3(const WideVec3& v, double (&to)[3][8]) {
    store(v.x, to[0]);
    store(v.y, to[1]);
    store(v.z, to[2]);
}

// The nodes of eight rows.
template <int Nodes>
struct Gathered {
    WideVec3 at[static_cast<unsigned>(Nodes)];
};
template <int Nodes>
PLICA_KERNEL Gathered<Nodes> gather_nodes(const double* x, const RowBatch& batch) {
    Gathered<Nodes> g;
    for (int k = 0; k < Nodes; ++k) {
        const WideTriple t = gather_triples(x, batch.node[k]);
        g.at[k] = {t.x, t.y, t.z};
    }
    return g;
}

// Sum of weight^2 / mass.
template <int Nodes>
PLICA_KERNEL Wide compute_compliance(const Wide (&weight)[5], const double* w, const RowBatch& batch) {
    Wide sum(0.0);
    for (int k = 0; k < Nodes; ++k) sum += weight[k] * weight[k] * gather(w, batch.node[k], 1, 0);
    return sum;
}

// x[node] += weight w impulse, lane by lane: a sphere has one node twice.
template <int Nodes>
PLICA_KERNEL void scatter(const Wide (&weight)[5], const WideVec3& impulse, const double* w, const RowBatch& batch,
                          double* x) {
    for (int k = 0; k < Nodes; ++k) {
        const Wide share = weight[k] * gather(w, batch.node[k], 1, 0);
        add_triples({impulse.x * share, impulse.y * share, impulse.z * share}, batch.node[k], batch.count, x);
    }
}

template <int Nodes>
PLICA_KERNEL void remember(const Wide (&weight)[5], const WideVec3& normal, const Wide& compliance, RowBatch& batch) {
    for (int k = 0; k < Nodes; ++k) store(weight[k], batch.weight[k]);
    store3(normal, batch.normal);
    store(compliance, batch.compliance);
}

template <int Nodes>
PLICA_KERNEL void measure_start_of(const RowNodes& nodes, RowBatch& batch) {
    const Gathered<Nodes> x = gather_nodes<Nodes>(nodes.x, batch);
    const Wide radii = load(batch.radii);
    const ClosestOf<Wide, Nodes> c = find_closest<Nodes>(x.at);
    const WideVec3 normal = find_normal<Nodes>(c, x.at, radii, load3(batch.normal));
    const Wide distance = dot(c.between, normal);
    store3(normal, batch.start_normal);
    store(distance, batch.start_distance);
    store(distance - radii, batch.start_gap);
    remember<Nodes>(c.weight, normal, compute_compliance<Nodes>(c.weight, nodes.w, batch), batch);
}

template <int Nodes>
PLICA_KERNEL void apply_multipliers_of(const RowNodes& nodes, RowBatch& batch) {
    const WideVec3 normal = load3(batch.normal);
    Wide weight[5];
    for (int k = 0; k < Nodes; ++k) weight[k] = load(batch.weight[k]);
    WideVec3 drag = load3(batch.drag);
    drag -= normal * dot(drag, normal);
    store3(drag, batch.drag);
    scatter<Nodes>(weight, normal * load(batch.push) + drag, nodes.w, batch, nodes.p);
}

// A row where it is now.
template <int Nodes>
struct Moved {
    ClosestOf<Wide, Nodes> closest;
    WideVec3 normal;
    Wide gap, compliance;
    WideVec3 slip;  // of side a against side b since the start of the substep
};
template <int Nodes>
PLICA_KERNEL Moved<Nodes> measure_moved(const RowNodes& nodes, RowBatch& batch) {
    const Gathered<Nodes> x = gather_nodes<Nodes>(nodes.x, batch);
    const Gathered<Nodes> p = gather_nodes<Nodes>(nodes.p, batch);
    const Wide radii = load(batch.radii);
    Moved<Nodes> m;
    m.closest = find_closest<Nodes>(p.at);
    m.normal = find_moved_normal<Nodes>(m.closest, x.at, p.at, radii, load3(batch.start_normal), load(batch.start_gap),
                                        load(batch.start_distance));
    m.gap = dot(m.closest.between, m.normal) - radii;
    m.compliance = compute_compliance<Nodes>(m.closest.weight, nodes.w, batch);
    m.slip = m.closest.between - weighted_sum<Nodes>(m.closest.weight, x.at);
    remember<Nodes>(m.closest.weight, m.normal, m.compliance, batch);
    return m;
}

template <int Nodes>
PLICA_KERNEL void solve_rows_of(const RowNodes& nodes, double friction, RowBatch& batch) {
    const Moved<Nodes> m = measure_moved<Nodes>(nodes, batch);
    const Wide zero(0.0);
    const Mask free = m.compliance > zero;
    const Wide over = Wide(1.0) / select(free, m.compliance, Wide(1.0));
    const Wide before = load(batch.push);
    // The row's offset: an old penetration may stay (push_out shrinks it), a new one may not appear.
    const Wide offset = min(zero, load(batch.start_gap));
    const Wide push = select(free, max(zero, before + (offset - m.gap) * over), before);
    const WideVec3 normal_part = m.normal * (push - before);
    // Coulomb friction by return mapping: what would stop the slip, cut back to the cone's rim.
    const WideVec3 slip = m.slip + normal_part * m.compliance;
    const WideVec3 drag = load3(batch.drag);
    WideVec3 trial = drag - slip * over;
    trial -= m.normal * dot(trial, m.normal);
    const Wide limit = Wide(friction) * push;
    const Wide size = sqrt(squared_norm(trial));
    const Mask sliding = size > limit;
    trial = trial * select(sliding, limit / select(sliding, size, Wide(1.0)), Wide(1.0));
    const WideVec3 next = select(free, trial, drag);
    store(push, batch.push);
    store3(next, batch.drag);
    scatter<Nodes>(m.closest.weight, normal_part + (next - drag), nodes.w, batch, nodes.p);
}

// 1 / D of the papers where the sides overlap and something can move, 0 elsewhere.
template <int Nodes>
PLICA_KERNEL Wide invert_where_touching(const Moved<Nodes>& m) {
    const Wide zero(0.0);
    const Mask touching = (m.gap < zero) & (m.compliance > zero);
    return select(touching, Wide(1.0) / select(touching, m.compliance, Wide(1.0)), zero);
}

template <int Nodes>
PLICA_KERNEL void solve_rows_raghupathi_of(const RowNodes& nodes, double h, RowBatch& batch) {
    const Moved<Nodes> m = measure_moved<Nodes>(nodes, batch);
    const Wide over = invert_where_touching(m);
    // Raghupathi 2004, eq. 9 with the sign of eq. 8: g = (r1 + r2 - distance) / D.
    scatter<Nodes>(m.closest.weight, m.normal * (-m.gap * over), nodes.w, batch, nodes.p);
    // Raghupathi 2004, eq. 7, never pulling: f = max(0, (vc2 - vc1).u / D).
    const Gathered<Nodes> v = gather_nodes<Nodes>(nodes.v, batch);
    const Wide f = max(Wide(0.0), -dot(weighted_sum<Nodes>(m.closest.weight, v.at), m.normal) * over);
    scatter<Nodes>(m.closest.weight, m.normal * f, nodes.w, batch, nodes.v);
    store(load(batch.push) + f * Wide(h), batch.push);  // what the force report reads
}

// What the equations say when they are taken at their word. Eq. 4 gives both segments the impulse in the same
// direction, so that momentum is not kept; f of eq. 7 may pull; g of eq. 9 adds the distance instead of subtracting it.
template <int Nodes>
PLICA_KERNEL void solve_rows_printed_of(const RowNodes& nodes, double h, RowBatch& batch) {
    const Moved<Nodes> m = measure_moved<Nodes>(nodes, batch);
    const Wide over = invert_where_touching(m);
    Wide plus[5];
    for (int k = 0; k < Nodes; ++k) plus[k] = abs(m.closest.weight[k]);
    const Wide radii = load(batch.radii);
    const Wide g = (m.gap + radii + radii) * over;  // eq. 9: ((xc1 - xc2).u + r1 + r2) / D
    scatter<Nodes>(plus, m.normal * g, nodes.w, batch, nodes.p);
    const Gathered<Nodes> v = gather_nodes<Nodes>(nodes.v, batch);
    const Wide f = -dot(weighted_sum<Nodes>(m.closest.weight, v.at), m.normal) * over;  // eq. 7
    scatter<Nodes>(plus, m.normal * f, nodes.w, batch, nodes.v);
    store(load(batch.push) + max(Wide(0.0), f) * Wide(h), batch.push);
}

template <int Nodes>
PLICA_KERNEL void push_out_rows_of(const RowNodes& nodes, double most, RowBatch& batch) {
    Wide weight[5];
    for (int k = 0; k < Nodes; ++k) weight[k] = load(batch.weight[k]);
    const Gathered<Nodes> p = gather_nodes<Nodes>(nodes.p, batch);
    const WideVec3 normal = load3(batch.normal);
    const Wide radii = load(batch.radii);
    const Wide zero(0.0);
    const Wide compliance = load(batch.compliance);
    const Wide depth = radii - dot(weighted_sum<Nodes>(weight, p.at), normal);
    const Mask deep = (depth > zero) & (compliance > zero) & (load(batch.push) > zero);
    if (!any(deep)) return;
    const Wide push = select(deep, min(depth, Wide(most) * radii) / select(deep, compliance, Wide(1.0)), zero);
    scatter<Nodes>(weight, normal * push, nodes.w, batch, nodes.p);
}

void measure_start(const RowNodes& nodes, RowBatch& batch) {
    batch.nodes == 4 ? measure_start_of<4>(nodes, batch) : measure_start_of<5>(nodes, batch);
}
void apply_multipliers(const RowNodes& nodes, RowBatch& batch) {
    batch.nodes == 4 ? apply_multipliers_of<4>(nodes, batch) : apply_multipliers_of<5>(nodes, batch);
}
void solve_rows(const RowNodes& nodes, double friction, RowBatch& batch) {
    batch.nodes == 4 ? solve_rows_of<4>(nodes, friction, batch) : solve_rows_of<5>(nodes, friction, batch);
}
void solve_rows_raghupathi(const RowNodes& nodes, double h, RowBatch& batch) {
    batch.nodes == 4 ? solve_rows_raghupathi_of<4>(nodes, h, batch) : solve_rows_raghupathi_of<5>(nodes, h, batch);
}
void solve_rows_printed(const RowNodes& nodes, double h, RowBatch& batch) {
    batch.nodes == 4 ? solve_rows_printed_of<4>(nodes, h, batch) : solve_rows_printed_of<5>(nodes, h, batch);
}
void push_out_rows(const RowNodes& nodes, double most, RowBatch& batch) {
    batch.nodes == 4 ? push_out_rows_of<4>(nodes, most, batch) : push_out_rows_of<5>(nodes, most, batch);
}

}  // namespace plica::PLICA_ISA
