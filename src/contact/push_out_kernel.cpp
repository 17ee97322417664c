#include "contact/measure.hpp"
#include "contact/row_lanes.hpp"

namespace plica::PLICA_ISA {

// The rows' gaps where the nodes are now, as they were last measured.
template <Shape S>
PLICA_KERNEL Wide find_gap(const Wide (&weight)[5], const RowNodes& nodes, const RowBatch& batch) {
    const Gathered<S> p = gather_nodes<S>(nodes.p, batch);
    return dot(weighted_sum<S>(weight, p.at), load3(batch.normal)) - load_apart<S>(batch);
}

template <Shape S>
PLICA_KERNEL void load_weights(const RowBatch& batch, Wide (&weight)[5]) {
    for (int k = 0; k < nodes_in(S); ++k) weight[k] = load(batch.weight[k]);
}

// What penetration the rows are to lose, m.
template <Shape S>
PLICA_KERNEL Wide find_way_out(const Wide& gap, double most, const RowBatch& batch) {
    const Wide zero(0.0);
    const Mask deep = (gap < zero) & (load(batch.compliance) > zero) & (load(batch.push) > zero);
    return select(deep, min(-gap, Wide(most) * load_apart<S>(batch)), zero);
}

template <Shape S>
PLICA_KERNEL void note_depths_of(const RowNodes& nodes, double most, RowBatch& batch) {
    Wide weight[5];
    load_weights<S>(batch, weight);
    const Wide gap = find_gap<S>(weight, nodes, batch);
    store(min(Wide(0.0), gap), batch.least_gap);
    store(Wide(0.0), batch.out);
    double each[8];
    store(find_way_out<S>(gap, most, batch) / load(batch.radii), each);
    batch.moved = 0.0;
    for (int lane = 0; lane < batch.count; ++lane) batch.moved = each[lane] > batch.moved ? each[lane] : batch.moved;
}

template <Shape S>
PLICA_KERNEL void push_out_rows_of(const RowNodes& nodes, double most, RowBatch& batch) {
    Wide weight[5];
    load_weights<S>(batch, weight);
    const Wide way = find_way_out<S>(find_gap<S>(weight, nodes, batch), most, batch);
    const Mask deep = way > Wide(0.0);
    if (!any(deep)) return;
    const Wide push = select(deep, way / select(deep, load(batch.compliance), Wide(1.0)), Wide(0.0));
    scatter<S>(weight, load3(batch.normal) * push, nodes.w, batch, nodes.p);
}

template <Shape S>
PLICA_KERNEL void keep_depths_of(const RowNodes& nodes, RowBatch& batch) {
    Wide weight[5];
    load_weights<S>(batch, weight);
    const Wide zero(0.0), compliance = load(batch.compliance), before = load(batch.out);
    const Mask free = compliance > zero;
    const Wide missing = load(batch.least_gap) - find_gap<S>(weight, nodes, batch);
    const Wide out = select(free, max(zero, before + missing / select(free, compliance, Wide(1.0))), zero);
    if (!any(abs(out - before) > zero)) return;
    store(out, batch.out);
    scatter<S>(weight, load3(batch.normal) * (out - before), nodes.w, batch, nodes.p);
}

void note_depths(const RowNodes& nodes, double most, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { note_depths_of<S>(nodes, most, batch); });
}
void keep_depths(const RowNodes& nodes, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { keep_depths_of<S>(nodes, batch); });
}
void push_out_rows(const RowNodes& nodes, double most, RowBatch& batch) {
    by_shape(batch.shape, [&]<Shape S>() { push_out_rows_of<S>(nodes, most, batch); });
}

}  // namespace plica::PLICA_ISA
