#pragma once
#include "contact/respond.hpp"

// Velocity-level constraints near contact (rate constraints): surfaces that come near are slowed down before they touch
// (Johnsen 2012, eq. 10 the right way round).
namespace plica {

// Is it a pair of two surfaces' features, one of a solid? Others have no layer.
bool has_rate_layer(const Surface& surface, const Pair& pair);

// Sets least_gap of the rows, just measured at the start of the substep, whose layer it concerns: 0 <= gap < layer and
// approaching by d0 < 0 as predicted. With w = 1 - g/layer, g where the prediction puts it, (1 - w) d0 are left of
// that.
void add_rate_constraints(const RowNodes& nodes, double layer, const PairScratch& pairs, RowBatch& batch);

}  // namespace plica
