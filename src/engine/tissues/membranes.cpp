#include "engine/tissues/membranes.hpp"

#include <algorithm>
#include <cmath>

#include "engine/slice.hpp"

namespace plica {
namespace {

// Longer substeps are as stable, but contact, which moves nodes by their masses alone, then needs so many of them to
// find what a surface answers with that a loop of gut on it does not come to rest: it trembles at 1 mm/s at 5.5 of
// them.
constexpr double contact_steps = 4.0;

}  // namespace

void prepare_membranes(const Model& model, State& state, Scratch& scratch) {
    scratch.membranes.resize(model.membranes.size());
    state.membranes.resize(model.membranes.size());
    if (model.membranes.empty()) return;
    for (std::vector<Vec3>* each : {&scratch.membrane_flight, &scratch.membrane_load, &scratch.membrane_velocity}) {
        each->resize(model.nodes());
    }
    for (std::size_t i = 0; i < model.membranes.size(); ++i) {
        heat::prepare(model.membranes[i], model.dt, scratch.membranes[i], state.membranes[i]);
    }
}

void forget_factors(Scratch& scratch) {
    for (heat::Workspace& work : scratch.membranes) work.motion_h = 0.0;
}

int count_membrane_substeps(const Model& model) {
    if (model.bodies.size() < 2) return 1;  // nothing to touch but itself
    double shortest = model.dt;
    for (const heat::Membrane& membrane : model.membranes) {
        shortest = std::min(shortest, contact_steps * membrane.contact_step);
    }
    return static_cast<int>(std::ceil(model.dt / shortest - 1e-9));
}

void conduct_membranes(const Model& model, State& state, Scratch& scratch, StepReport& report) {
    for (std::size_t i = 0; i < model.membranes.size(); ++i) {
        const heat::Membrane& membrane = model.membranes[i];
        heat::MembraneState& own = state.membranes[i];
        const bool sound = heat::conduct(membrane, model.dt, slice(membrane, state.x), own, scratch.membranes[i]);
        if (!sound) report.raise(FlagKind::non_finite, model.find_body(membrane.first_node));
        std::fill(own.touch.begin(), own.touch.end(), Vec3{});
    }
}

void note_flight(const Model& model, Scratch& scratch) {
    for (const heat::Membrane& membrane : model.membranes) {
        std::copy_n(scratch.p.begin() + membrane.first_node, membrane.nodes,
                    scratch.membrane_flight.begin() + membrane.first_node);
    }
}

void predict_membranes(const Model& model, const Inputs& inputs, double h, int k, State& state, Scratch& scratch,
                       StepReport& report) {
    const double t = static_cast<double>(state.step) * model.dt + (k - 1) * h;
    for (std::size_t i = 0; i < model.membranes.size(); ++i) {
        const heat::Membrane& membrane = model.membranes[i];
        heat::MembraneState& own = state.membranes[i];
        const auto x = slice(membrane, state.x), p = slice(membrane, scratch.p);
        const auto flight = slice(membrane, scratch.membrane_flight), v = slice(membrane, scratch.membrane_velocity);
        const auto load = slice(membrane, scratch.membrane_load);
        const auto w = slice(membrane, model.inverse_mass);
        for (std::size_t n = 0; n < membrane.size(); ++n) {
            const bool free = w[n] > 0.0;
            v[n] = free ? (flight[n] - x[n]) / h - inputs.gravity * h : Vec3{};
            load[n] = free ? (p[n] - flight[n]) * (membrane.mass[n] / (h * h)) : Vec3{};
        }
        add_loads(membrane.loads, t, membrane.rest, x, load);
        for (std::size_t n = 0; n < membrane.size(); ++n) own.touch[n] += load[n] * (h / model.dt);
        const heat::MembraneStep step{x, v, w, load, inputs.gravity, 0.0, h};
        const bool sound = heat::step_membrane(membrane, step, own, scratch.membranes[i], p);
        if (!sound) report.raise(FlagKind::non_finite, model.find_body(membrane.first_node));
        std::copy(p.begin(), p.end(), flight.begin());
    }
}

void add_touch(const Model& model, double h, State& state, const Scratch& scratch) {
    for (std::size_t i = 0; i < model.membranes.size(); ++i) {
        const heat::Membrane& membrane = model.membranes[i];
        const auto alone = slice(membrane, scratch.membrane_flight), p = slice(membrane, scratch.p);
        const auto w = slice(membrane, model.inverse_mass);
        for (std::size_t n = 0; n < membrane.size(); ++n) {
            if (w[n] == 0.0) continue;
            state.membranes[i].touch[n] += (p[n] - alone[n]) * (membrane.mass[n] / (h * model.dt));
        }
    }
}

void flag_membranes(const Model& model, const Scratch& scratch, StepReport& report) {
    for (std::size_t i = 0; i < model.membranes.size(); ++i) {
        const heat::Reached& reached = scratch.membranes[i].reached;
        const std::int32_t body = model.find_body(model.membranes[i].first_node);
        if (reached.tension > heat::most_tension) report.raise(FlagKind::overheated, body);
        if (reached.overstretched) report.raise(FlagKind::overstretched, body);
    }
}

void publish_temperatures(const State& state, Frame& frame) {
    frame.temperature.clear();
    for (const heat::MembraneState& own : state.membranes) {
        for (const double t : own.temperature) frame.temperature.push_back(static_cast<float>(t));
    }
}

}  // namespace plica
