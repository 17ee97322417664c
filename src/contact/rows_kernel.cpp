#include "contact/friction.hpp"
#include "contact/measure.hpp"
#include "contact/measure_facet.hpp"
#include "contact/row_lanes.hpp"

namespace plica::PLICA_ISA {

// Sum of weight^2 / mass.
template <Shape S>
PLICA_KERNEL Wide compute_compliance(const Wide (&weight)[5], const double* w, const RowBatch& batch) {
    Wide sum(0.0);
    for (int k = 0; k < nodes_in(S); ++k) sum += weight[k] * weight[k] * gather(w, batch.node[k], 1, 0);
    return sum;
}

// The same to p, on the row's account.
template <Shape S>
PLICA_KERNEL void give(const Wide (&weight)[5], const WideVec3& impulse, const RowNodes& nodes, RowBatch& batch) {
    store3(load3(batch.given) + impulse, batch.given);
    scatter<S>(weight, impulse, nodes.w, batch, nodes.p);
}

template <Shape S>
PLICA_KERNEL void remember(const Wide (&weight)[5], const WideVec3& normal, const Wide& compliance, RowBatch& batch) {
    for (int k = 0; k < nodes_in(S); ++k) store(weight[k], batch.weight[k]);
    store3(normal, batch.normal);
    store(compliance, batch.compliance);
}

PLICA_KERNEL FacetOf<Wide> gather_facets(const RowNodes& nodes, const RowBatch& batch) {
    FacetOf<Wide> facet;
    for (int k = 0; k < 3; ++k) {
        const WideTriple t = gather_triples(nodes.normals, batch.slot[k]);
        facet.normal[k] = {t.x, t.y, t.z};
    }
    const WideTriple crease = gather_triples(nodes.creases, batch.facet);
    facet.crease = {crease.x, crease.y, crease.z};
    facet.constant = nodes.constant_normals;
    return facet;
}

// In its cell a row begins with its own gap, near it with that of the row continued: what crosses from one cell to the
// next finds the other's row as it left the first. The distance is that of the closest points, less where a facet's
// own plane is nearer.
PLICA_KERNEL void measure_start_of_facets(const RowNodes& nodes, RowBatch& batch) {
    constexpr Shape S = Shape::point_facet;
    const Gathered<S> x = gather_nodes<S>(nodes.x, batch);
    const Wide radii = load(batch.radii);
    const FacetPointOf<Wide> point = find_facet_point(x.at, gather_facets(nodes, batch));
    const WideVec3 rounded = find_normal<S>(point.closest, x.at, radii, load3(batch.normal));
    const Mask of_cell = point.owned | point.near;
    const Wide distance = dot(point.closest.between, rounded);
    const Wide along = dot(point.row.between, point.normal);
    const Wide gap = select(of_cell, along, distance) - radii;
    const FacetRowOf<Wide> row = choose_facet_row(point, rounded, point.normal, radii);
    store3(select(of_cell, point.normal, rounded), batch.start_normal);
    store(select(of_cell, min(distance, along), distance), batch.start_distance);
    store(gap, batch.start_gap);
    store(min(Wide(0.0), gap), batch.least_gap);
    store(row.apart, batch.apart);
    remember<S>(row.weight, row.normal, compute_compliance<S>(row.weight, nodes.w, batch), batch);
}

template <Shape S>
PLICA_KERNEL void measure_start_of(const RowNodes& nodes, RowBatch& batch) {
    if constexpr (S == Shape::point_facet) return measure_start_of_facets(nodes, batch);
    const Gathered<S> x = gather_nodes<S>(nodes.x, batch);
    const Wide radii = load(batch.radii);
    ClosestOf<Wide, S> c = find_closest<S>(x.at);
    WideVec3 normal = find_normal<S>(c, x.at, radii, load3(batch.normal));
    const Wide distance = dot(c.between, normal);
    store3(normal, batch.start_normal);
    store(distance, batch.start_distance);
    store(distance - radii, batch.start_gap);
    store(min(Wide(0.0), distance - radii), batch.least_gap);
    if constexpr (S == Shape::segments) {
        store(radii, batch.apart);
        if (nodes.evenly && !batch.solid) {
            act_evenly(x.at, c, normal);
            store(radii + (dot(c.between, normal) - distance), batch.apart);
        }
    }
    remember<S>(c.weight, normal, compute_compliance<S>(c.weight, nodes.w, batch), batch);
}

template <Shape S>
PLICA_KERNEL void apply_multipliers_of(const RowNodes& nodes, RowBatch& batch) {
    const WideVec3 normal = load3(batch.normal);
    Wide weight[5];
    for (int k = 0; k < nodes_in(S); ++k) weight[k] = load(batch.weight[k]);
    const WideVec3 friction = make_tangential(load3(batch.friction), normal);
    store3(friction, batch.friction);
    give<S>(weight, normal * load(batch.push) + friction, nodes, batch);
}

// A row where it is now.
template <Shape S>
struct Moved {
    ClosestOf<Wide, S> closest;
    WideVec3 normal;
    Wide gap, compliance;
    WideVec3 slip;  // of side a against side b since the start of the substep
};
PLICA_KERNEL Moved<Shape::point_facet> measure_moved_facets(const RowNodes& nodes, RowBatch& batch) {
    constexpr Shape S = Shape::point_facet;
    const Gathered<S> x = gather_nodes<S>(nodes.x, batch);
    const Gathered<S> p = gather_nodes<S>(nodes.p, batch);
    const Wide radii = load(batch.radii), start_gap = load(batch.start_gap);
    const WideVec3 start = load3(batch.start_normal);
    const FacetPointOf<Wide> point = find_facet_point(p.at, gather_facets(nodes, batch));
    const WideVec3 rounded =
        find_moved_normal<S>(point.closest, x.at, p.at, radii, {start, start_gap, load(batch.start_distance)});
    const WideVec3 of_cell = find_moved_cell_normal(point, x.at, radii, start, start_gap);
    const FacetRowOf<Wide> row = choose_facet_row(point, rounded, of_cell, radii);
    Moved<S> m;
    for (int k = 0; k < 5; ++k) m.closest.weight[k] = row.weight[k];
    m.closest.between = row.between;
    m.normal = row.normal;
    m.gap = dot(row.between, row.normal) - row.apart;
    m.compliance = compute_compliance<S>(row.weight, nodes.w, batch);
    m.slip = row.between - weighted_sum<S>(row.weight, x.at);
    store(row.apart, batch.apart);
    remember<S>(row.weight, row.normal, m.compliance, batch);
    return m;
}

template <Shape S>
PLICA_KERNEL Moved<S> measure_moved(const RowNodes& nodes, RowBatch& batch) {
    if constexpr (S == Shape::point_facet) return measure_moved_facets(nodes, batch);
    const Gathered<S> x = gather_nodes<S>(nodes.x, batch);
    const Gathered<S> p = gather_nodes<S>(nodes.p, batch);
    const Wide radii = load(batch.radii);
    Moved<S> m;
    m.closest = find_closest<S>(p.at);
    m.normal = find_moved_normal<S>(m.closest, x.at, p.at, radii,
                                    {load3(batch.start_normal), load(batch.start_gap), load(batch.start_distance)});
    m.gap = dot(m.closest.between, m.normal) - radii;
    if constexpr (S == Shape::segments) {
        store(radii, batch.apart);
        if (nodes.evenly && !batch.solid) {
            act_evenly(p.at, m.closest, m.normal);
            store(dot(m.closest.between, m.normal) - m.gap, batch.apart);
        }
    }
    m.compliance = compute_compliance<S>(m.closest.weight, nodes.w, batch);
    m.slip = m.closest.between - weighted_sum<S>(m.closest.weight, x.at);
    remember<S>(m.closest.weight, m.normal, m.compliance, batch);
    return m;
}

// The same as a call: the papers' responses, which only experiments use, need no copies of it of their own.
namespace {
template <Shape S>
[[gnu::noinline]] Moved<S> call_measure_moved(const RowNodes& nodes, RowBatch& batch) {
    return measure_moved<S>(nodes, batch);
}
}  // namespace

PLICA_KERNEL bool has_friction(const RowBatch& batch) {
    return any(load(batch.coefficient) > Wide(0.0));
}

// As the last pass measured it, with the nodes where they are now.
template <Shape S>
PLICA_KERNEL Moved<S> recall_moved(const RowNodes& nodes, const RowBatch& batch) {
    const Gathered<S> p = gather_nodes<S>(nodes.p, batch);
    Moved<S> m;
    for (int k = 0; k < nodes_in(S); ++k) m.closest.weight[k] = load(batch.weight[k]);
    m.closest.between = weighted_sum<S>(m.closest.weight, p.at);
    m.normal = load3(batch.normal);
    m.gap = dot(m.closest.between, m.normal) - load_apart<S>(batch);
    m.compliance = load(batch.compliance);
    if (has_friction(batch)) {
        m.slip = m.closest.between - weighted_sum<S>(m.closest.weight, gather_nodes<S>(nodes.x, batch).at);
    }
    return m;
}

template <Shape S>
PLICA_KERNEL void solve_rows_of(const RowNodes& nodes, const Moved<S>& m, RowBatch& batch) {
    const Wide zero(0.0);
    const Mask free = m.compliance > zero;
    const Wide over = Wide(1.0) / select(free, m.compliance, Wide(1.0));
    const Wide before = load(batch.push);
    const Wide wanted = max(zero, before + (load(batch.least_gap) - m.gap) * over);
    const Wide push = select(free, min(wanted, Wide(nodes.most_push)), before);
    const WideVec3 normal_part = m.normal * (push - before);
    const WideVec3 friction = load3(batch.friction);
    WideVec3 next{};
    if (has_friction(batch)) {
        const Wide coefficient = load(batch.coefficient);
        const WideVec3 slip = m.slip + normal_part * m.compliance;
        next = select(free, return_map(friction, slip * over, m.normal, coefficient * push), friction);
        next = select(coefficient > zero, next, WideVec3{});  // whatever rows it shares the batch with
    }
    store(push, batch.push);
    store3(next, batch.friction);
    const Wide moved = abs(push - before) * m.compliance / load(batch.radii);
    double each[8];
    store(moved, each);
    batch.moved = 0.0;
    batch.loaded = any(push > zero);
    for (int lane = 0; lane < batch.count; ++lane) batch.moved = each[lane] > batch.moved ? each[lane] : batch.moved;
    give<S>(m.closest.weight, normal_part + (next - friction), nodes, batch);
}

// 1 / D of the papers where the sides overlap and something can move, 0 elsewhere.
template <Shape S>
PLICA_KERNEL Wide invert_where_touching(const Moved<S>& m) {
    const Wide zero(0.0);
    const Mask touching = (m.gap < zero) & (m.compliance > zero);
    return select(touching, Wide(1.0) / select(touching, m.compliance, Wide(1.0)), zero);
}

template <Shape S>
PLICA_KERNEL void solve_rows_raghupathi_of(const RowNodes& nodes, double h, RowBatch& batch) {
    const Moved<S> m = call_measure_moved<S>(nodes, batch);
    const Wide over = invert_where_touching(m);
    // Raghupathi 2004, eq. 9 with the sign of eq. 8: g = (r1 + r2 - distance) / D.
    scatter<S>(m.closest.weight, m.normal * (-m.gap * over), nodes.w, batch, nodes.p);
    // Raghupathi 2004, eq. 7, never pulling: f = max(0, (vc2 - vc1).u / D).
    const Gathered<S> v = gather_nodes<S>(nodes.v, batch);
    const Wide f = max(Wide(0.0), -dot(weighted_sum<S>(m.closest.weight, v.at), m.normal) * over);
    scatter<S>(m.closest.weight, m.normal * f, nodes.w, batch, nodes.v);
    store(load(batch.push) + f * Wide(h), batch.push);
    store3(load3(batch.given) + m.normal * (f * Wide(h)), batch.given);
}

// What the equations say when they are taken at their word. Eq. 4 gives both segments the impulse in the same
// direction, so that momentum is not kept; f of eq. 7 may pull; g of eq. 9 adds the distance instead of subtracting it.
template <Shape S>
PLICA_KERNEL void solve_rows_printed_of(const RowNodes& nodes, double h, RowBatch& batch) {
    const Moved<S> m = call_measure_moved<S>(nodes, batch);
    const Wide over = invert_where_touching(m);
    Wide plus[5];
    for (int k = 0; k < nodes_in(S); ++k) plus[k] = abs(m.closest.weight[k]);
    const Wide radii = load(batch.radii);
    const Wide g = (m.gap + radii + radii) * over;  // eq. 9: ((xc1 - xc2).u + r1 + r2) / D
    scatter<S>(plus, m.normal * g, nodes.w, batch, nodes.p);
    const Gathered<S> v = gather_nodes<S>(nodes.v, batch);
    const Wide f = -dot(weighted_sum<S>(m.closest.weight, v.at), m.normal) * over;  // eq. 7
    scatter<S>(plus, m.normal * f, nodes.w, batch, nodes.v);
    const Wide push = max(Wide(0.0), f) * Wide(h);
    store(load(batch.push) + push, batch.push);
    store3(load3(batch.given) + m.normal * push, batch.given);
}

void measure_start(const RowNodes& nodes, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { measure_start_of<S>(nodes, batch); });
}
void apply_multipliers(const RowNodes& nodes, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { apply_multipliers_of<S>(nodes, batch); });
}
void solve_rows(const RowNodes& nodes, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { solve_rows_of<S>(nodes, measure_moved<S>(nodes, batch), batch); });
}
void solve_rows_again(const RowNodes& nodes, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { solve_rows_of<S>(nodes, recall_moved<S>(nodes, batch), batch); });
}
void solve_rows_raghupathi(const RowNodes& nodes, double h, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { solve_rows_raghupathi_of<S>(nodes, h, batch); });
}
void solve_rows_printed(const RowNodes& nodes, double h, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { solve_rows_printed_of<S>(nodes, h, batch); });
}
}  // namespace plica::PLICA_ISA
