#include "contact/rate.hpp"

#include <algorithm>

namespace plica {
namespace {

// How far side a goes from side b along the normal from x to p, m.
double predict_parting(const RowNodes& nodes, const RowBatch& batch, int lane) {
    double sum = 0.0;
    for (int k = 0; k < nodes_in(batch.shape); ++k) {
        const std::size_t first = 3 * static_cast<std::size_t>(batch.node[k][lane]);
        for (std::size_t i = 0; i < 3; ++i) {
            sum += batch.weight[k][lane] * batch.start_normal[i][lane] * (nodes.p[first + i] - nodes.x[first + i]);
        }
    }
    return sum;
}

}  // namespace

bool has_rate_layer(const Surface& surface, const Pair& pair) {
    const bool feature = surface.capsules[static_cast<std::size_t>(pair.a)].sheet;
    return feature && (is_solid(surface, pair.a) || is_solid(surface, pair.b));
}

void add_rate_constraints(const RowNodes& nodes, double layer, const PairScratch& pairs, RowBatch& batch) {
    for (int lane = 0; lane < batch.count; ++lane) {
        const double gap = batch.start_gap[lane];
        if (!pairs.ends[static_cast<std::size_t>(batch.pair[lane])].rated || gap < 0.0 || gap >= layer) continue;
        const double parting = predict_parting(nodes, batch, lane);
        if (parting >= 0.0) continue;
        const double kept = std::clamp((gap + parting) / layer, 0.0, 1.0);
        batch.least_gap[lane] = gap + kept * parting;
    }
}

}  // namespace plica
