#include <algorithm>

#include "core/index.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/grab.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

void flag_non_finite(StepContext& c) {
    for (std::size_t b = 0; b < c.model.bodies.size(); ++b) {
        const Body& body = c.model.bodies[b];
        bool finite = true;
        for (std::size_t n = at(body.first_node); n < at(body.first_node + body.nodes); ++n) {
            finite = finite && is_finite(c.state.x[n]) && is_finite(c.state.v[n]);
        }
        if (!finite) c.report.raise(FlagKind::non_finite, static_cast<std::int32_t>(b));
    }
}

// Last, so that there is room for what is worse.
void flag_shortfalls(StepContext& c) {
    const Shortfalls& found = c.scratch.shortfalls;
    for (std::size_t b = 0; b < c.model.bodies.size(); ++b) {
        if (found.limited[b] != 0) c.report.raise(FlagKind::limited, static_cast<std::int32_t>(b));
        if (found.held[b] != 0) c.report.raise(FlagKind::held, static_cast<std::int32_t>(b));
    }
}

}  // namespace

void commit(StepContext& c) {
    extend_paths(contact_world(c), c.scratch.contact);
    c.lap(Stage::certify);
    c.copy_moving(c.scratch.p, c.state.x);
    commit_rigids(c);
    commit_holds(c);
    c.report.contacts += c.scratch.contact.outcome.contacts;
    extend_trail(c);
    c.lap(Stage::respond);
}

bool end_step(StepContext& c, bool failed) {
    for (std::size_t t = 0; t < c.model.tools.size(); ++t) {
        c.state.tools[t].handle = c.inputs.tools[t].target;
        c.state.tools[t].turn = c.inputs.tools[t].turn;
    }
    ++c.state.step;
    flag_non_finite(c);
    Tissues::flag(c, failed);
    flag_shortfalls(c);
    return c.report.is_valid();
}

bool are_at_rest(const Model& model, const State& state) {
    const Rest rest = Tissues::find_rest(model, state);
    return rest.any && rest.all;
}

void begin_trail(StepContext& c) {
    Trail& trail = c.scratch.trail;
    trail.positions.clear();
    if (trail.interval > 0) trail.positions.insert(trail.positions.end(), c.state.x.begin(), c.state.x.end());
}

void extend_trail(StepContext& c) {
    Trail& trail = c.scratch.trail;
    if (trail.interval == 0 || (c.k % trail.interval != 0 && c.k != c.substeps)) return;
    trail.positions.insert(trail.positions.end(), c.state.x.begin(), c.state.x.end());
}

}  // namespace plica
