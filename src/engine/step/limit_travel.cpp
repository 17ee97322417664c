#include <algorithm>
#include <cmath>
#include <limits>

#include "core/index.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/couplings.hpp"

namespace plica {
namespace {

// True when one did.
bool limit_body(const Body& body, double most, StepContext& c) {
    bool any = false;
    for (std::size_t n = at(body.first_node); n < at(body.first_node + body.nodes); ++n) {
        Vec3& p = c.scratch.p[n];
        const Vec3& x = c.state.x[n];
        const double way = squared_norm(p - x);
        if (way <= most * most || !std::isfinite(way)) continue;  // no number: flagged when the step ends
        if (!(c.model.inverse_mass[n] > 0.0)) continue;           // goes a way that is given
        p = x + (p - x) * (most / std::sqrt(way));
        c.state.v[n] = (p - x) / c.h;
        any = true;
    }
    return any;
}

}  // namespace

// Substeps are so many that what flies stays below one thickness of the thinnest pair, where that can be; what flies
// faster may go on, and throw what is lighter at twice its speed.
double furthest_in_substep(const StepContext& c) {
    constexpr double shares = 4.0, most_shares = 64.0, faster = 3.0;
    constexpr double any = std::numeric_limits<double>::infinity();
    const Model& model = c.model;
    if (!model.adapt || !model.contact.enabled) return any;
    const double tubes = model.thinnest_pair > 0.0 ? model.thinnest_pair : any;
    const double thinnest = std::min(tubes, model.thinnest_solid > 0.0 ? model.thinnest_solid : any);
    const double flies = faster * find_fastest(model, c.state) * c.h;
    return std::max(shares * thinnest, std::min(flies, most_shares * thinnest));
}

void limit_travel(StepContext& c) {
    const double most = c.furthest;
    if (!std::isfinite(most)) return;
    limit_couplings(c, most);
    for (std::size_t b = 0; b < c.model.bodies.size(); ++b) {
        if (c.model.bodies[b].tissue == TissueKind::rigid) continue;  // stands, goes a way that is given, or is coupled
        if (limit_body(c.model.bodies[b], most, c)) c.scratch.shortfalls.limited[b] = 1;
    }
}

}  // namespace plica
