#include "engine/tissues/own_tissues.hpp"

#include <algorithm>
#include <cmath>

#include "engine/frame.hpp"
#include "engine/slice.hpp"
#include "engine/step/context.hpp"
#include "engine/tissues/call_own.hpp"

namespace plica {
namespace {

template <class Vector>
auto numbers_of(std::span<Vector> vectors) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    return std::span(&vectors.data()->x, 3 * vectors.size());
}

TissueView view_of(const OwnBody& body, const State& state, double time, double h) {
    return {numbers_of(slice(body, state.x)), numbers_of(slice(body, state.v)), time, h};
}

double time_of(const Model& model, const State& state) {
    return static_cast<double>(state.step) * model.dt;
}

double last_substep(const Model& model, const State& state) {
    return state.substeps == 0 ? 0.0 : model.dt / static_cast<double>(state.substeps);
}

const std::string& name_of(const Model& model, const OwnBody& body) {
    return model.bodies[static_cast<std::size_t>(model.find_body(body.first_node))].name;
}

bool are_finite(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

constexpr double most_substeps = 10000.0;  // of a step

// Infinite: the tissue says nothing that could be stepped by.
double count_needed(const Model& model, const OwnBody& body, const State& state, std::span<const double> own) {
    const TissueView view = view_of(body, state, time_of(model, state), last_substep(model, state));
    const double limit =
        safe_share * call_own(name_of(model, body), "stable_step", [&] { return body.tissue->stable_step(view, own); });
    return limit > 0.0 ? std::max(1.0, std::ceil(model.dt / limit - 1e-9)) : HUGE_VAL;
}

bool has_field(const OwnBody& body) {
    return !body.field.name.empty();
}

}  // namespace

void OwnTissues::prepare(Preparation& p) {
    const std::vector<OwnBody>& bodies = p.model.of<OwnTissues>();
    if (bodies.empty()) return;
    p.scratch.of<OwnTissues>().force.resize(p.model.nodes());
    States& states = p.state.of<OwnTissues>();
    if (states.size() == bodies.size()) return;  // goes on from a state of before
    states.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::string& name = name_of(p.model, bodies[i]);
        const Tissue& tissue = *bodies[i].tissue;
        states[i].resize(call_own(name, "state_size", [&] { return tissue.state_size(); }));
        call_own(name, "start", [&] { tissue.start(states[i]); });
        if (!are_finite(states[i])) throw Error(name + ": found what is no number in the first state of its tissue");
    }
}

SubstepNeed OwnTissues::count_substeps(const Model& model, const State& state) {
    double most = 1.0;
    for (std::size_t i = 0; i < model.of<OwnTissues>().size(); ++i) {
        const OwnBody& body = model.of<OwnTissues>()[i];
        const double needed = count_needed(model, body, state, state.of<OwnTissues>()[i]);
        if (needed <= most_substeps) most = std::max(most, needed);
    }
    return {static_cast<int>(most)};
}

void OwnTissues::flag(StepContext& c, bool /*failed*/) {
    for (std::size_t i = 0; i < c.model.of<OwnTissues>().size(); ++i) {
        const OwnBody& body = c.model.of<OwnTissues>()[i];
        const std::int32_t index = c.model.find_body(body.first_node);
        if (!are_finite(c.state.of<OwnTissues>()[i]) && !c.report.has(FlagKind::non_finite, index)) {
            c.report.raise(FlagKind::non_finite, index);
        }
        if (c.report.has(FlagKind::non_finite, index)) continue;  // what it would ask for means nothing
        if (count_needed(c.model, body, c.state, c.state.of<OwnTissues>()[i]) <= most_substeps) continue;
        c.report.raise(FlagKind::unstable, index);
    }
}

void OwnTissues::begin_step(StepContext& c) {
    for (std::size_t i = 0; i < c.model.of<OwnTissues>().size(); ++i) {
        const OwnBody& body = c.model.of<OwnTissues>()[i];
        call_own(name_of(c.model, body), "begin_step", [&] {
            body.tissue->begin_step(view_of(body, c.state, c.time_after(0), c.h), c.state.of<OwnTissues>()[i]);
        });
    }
}

// Semi-implicit Euler: free flight is in p already.
bool OwnTissues::predict(StepContext& c) {
    for (std::size_t i = 0; i < c.model.of<OwnTissues>().size(); ++i) {
        const OwnBody& body = c.model.of<OwnTissues>()[i];
        const auto force = slice(body, c.scratch.of<OwnTissues>().force), p = slice(body, c.scratch.p);
        const auto w = slice(body, c.model.inverse_mass);
        std::fill(force.begin(), force.end(), Vec3{});
        call_own(name_of(c.model, body), "add_forces", [&] {
            body.tissue->add_forces(view_of(body, c.state, c.time_after(c.k - 1), c.h), c.state.of<OwnTissues>()[i],
                                    numbers_of(force));
        });
        for (std::size_t n = 0; n < p.size(); ++n) p[n] += force[n] * (w[n] * c.h * c.h);
    }
    return true;
}

std::size_t OwnTissues::field_count(const Model& model) {
    const std::vector<OwnBody>& bodies = model.of<OwnTissues>();
    return static_cast<std::size_t>(std::count_if(bodies.begin(), bodies.end(), has_field));
}

void OwnTissues::publish_fields(const Model& model, const State& state, std::span<Field> fields) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < model.of<OwnTissues>().size(); ++i) {
        const OwnBody& body = model.of<OwnTissues>()[i];
        if (!has_field(body)) continue;
        Field& field = fields[next++];
        if (field.where.empty()) {
            field.name = body.field.name;
            field.unit = body.field.unit;
            field.where.push_back({body.first_node, body.nodes});
            field.values.resize(static_cast<std::size_t>(body.nodes));
        }
        call_own(name_of(model, body), "publish", [&] {
            body.tissue->publish(view_of(body, state, time_of(model, state), last_substep(model, state)),
                                 state.of<OwnTissues>()[i], field.values);
        });
    }
}

}  // namespace plica
