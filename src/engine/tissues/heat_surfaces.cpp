#include "engine/tissues/heat_surfaces.hpp"

#include <algorithm>
#include <cmath>

#include "engine/frame.hpp"
#include "engine/slice.hpp"
#include "engine/step/context.hpp"
#include "tissue/heat/paper.hpp"
#include "tissue/heat/touch.hpp"

namespace plica {
namespace {

// Longer substeps are as stable, but contact, which moves nodes by their masses alone, then needs so many of them to
// find what a surface answers with that a loop of gut on it does not come to rest: it trembles at 1 mm/s at 5.5 of
// them.
constexpr double contact_steps = 4.0;

void tune_membrane(const heat::Membrane& from, const Tuning& tuning, heat::Membrane& to) {
    for (std::size_t e = 0; e < from.edges.size(); ++e) to.edges[e].energy = from.edges[e].energy * tuning.stiffness;
    for (std::size_t n = 0; n < from.size(); ++n) {
        to.anchor[n] = from.anchor[n] * tuning.stiffness;
        to.damping[n] = from.damping[n] * tuning.damping;
    }
    for (std::size_t p = 0; p < from.pieces.size(); ++p) {
        to.pieces[p].anchors = from.pieces[p].anchors * tuning.stiffness;
    }
    to.settings.bulk = from.settings.bulk * tuning.stiffness;
    to.contact_step = from.contact_step / std::sqrt(tuning.stiffness);
    if (from.euler_step > 0.0) to.euler_step = heat::find_euler_step(to);
}

}  // namespace

void HeatSurfaces::prepare(Preparation& p) {
    const std::vector<heat::Membrane>& membranes = p.model.of<HeatSurfaces>();
    Work& work = p.scratch.of<HeatSurfaces>();
    work.membranes.resize(membranes.size());
    p.state.of<HeatSurfaces>().resize(membranes.size());
    if (membranes.empty()) return;
    for (std::vector<Vec3>* each : {&work.flight, &work.load, &work.velocity, &work.push})
        each->resize(p.model.nodes());
    for (std::size_t i = 0; i < membranes.size(); ++i) {
        heat::prepare(membranes[i], p.model.dt, work.membranes[i], p.state.of<HeatSurfaces>()[i]);
    }
}

// Heat pulls as before; what answers to it does not.
void HeatSurfaces::tune(const Model& scene, const Tuning& tuning, Model& tuned) {
    for (std::size_t i = 0; i < scene.of<HeatSurfaces>().size(); ++i) {
        const heat::Membrane& membrane = scene.of<HeatSurfaces>()[i];
        const std::int32_t body = scene.find_body(membrane.first_node);
        Tuning own;
        own.stiffness = tuning.stiffness_of(body);
        own.damping = tuning.damping_of(body);
        tune_membrane(membrane, own, tuned.of<HeatSurfaces>()[i]);
    }
}

void HeatSurfaces::retune(const Model& /*tuned*/, Scratch& scratch) {
    for (heat::Workspace& work : scratch.of<HeatSurfaces>().membranes) work.motion_h = 0.0;
}

SubstepNeed HeatSurfaces::count_substeps(const Model& model, const State& /*state*/) {
    const bool alone = model.bodies.size() < 2;  // nothing to touch but itself
    double contact = model.dt, stable = model.dt;
    for (const heat::Membrane& membrane : model.of<HeatSurfaces>()) {
        if (!alone) contact = std::min(contact, contact_steps * membrane.contact_step);
        if (membrane.euler_step > 0.0) stable = std::min(stable, safe_share * membrane.euler_step);
    }
    const auto count = [&](double longest) { return static_cast<int>(std::ceil(model.dt / longest - 1e-9)); };
    return {count(stable), count(contact)};
}

void HeatSurfaces::begin_step(StepContext& c) {
    for (std::size_t i = 0; i < c.model.of<HeatSurfaces>().size(); ++i) {
        const heat::Membrane& membrane = c.model.of<HeatSurfaces>()[i];
        heat::MembraneState& own = c.state.of<HeatSurfaces>()[i];
        heat::Workspace& work = c.scratch.of<HeatSurfaces>().membranes[i];
        const bool sound = heat::conduct(membrane, c.model.dt, slice(membrane, c.state.x), own, work);
        if (!sound) c.report.raise(FlagKind::non_finite, c.model.find_body(membrane.first_node));
        std::fill(own.touch.begin(), own.touch.end(), Vec3{});
    }
}

bool HeatSurfaces::predict(StepContext& c) {
    for (const heat::Membrane& membrane : c.model.of<HeatSurfaces>()) {
        const auto p = slice(membrane, c.scratch.p);
        std::copy(p.begin(), p.end(), slice(membrane, c.scratch.of<HeatSurfaces>().flight).begin());
    }
    return true;
}

void HeatSurfaces::answer_to_contact(StepContext& c) {
    Work& work = c.scratch.of<HeatSurfaces>();
    const double h = c.h;
    for (std::size_t i = 0; i < c.model.of<HeatSurfaces>().size(); ++i) {
        const heat::Membrane& membrane = c.model.of<HeatSurfaces>()[i];
        heat::MembraneState& own = c.state.of<HeatSurfaces>()[i];
        const auto x = slice(membrane, c.state.x), p = slice(membrane, c.scratch.p);
        const auto flight = slice(membrane, work.flight), v = slice(membrane, work.velocity);
        const auto load = slice(membrane, work.load);
        const auto w = slice(membrane, c.model.inverse_mass);
        for (std::size_t n = 0; n < membrane.size(); ++n) {
            const bool free = w[n] > 0.0;
            v[n] = free ? (flight[n] - x[n]) / h - c.inputs.gravity * h : Vec3{};
            load[n] = free ? (p[n] - flight[n]) * (membrane.mass[n] / (h * h)) : Vec3{};
        }
        const bool explicit_motion = membrane.settings.motion == heat::Motion::euler;
        const auto push = slice(membrane, work.push);
        if (explicit_motion) std::copy(load.begin(), load.end(), push.begin());
        add_loads(membrane.loads, c.time_after(c.k - 1), membrane.rest, x, load);
        heat::add_load_touch(load, h, c.model.dt, own);
        for (std::size_t n = 0; explicit_motion && n < membrane.size(); ++n) load[n] -= push[n];
        const heat::MembraneStep step{x, v, w, load, c.inputs.gravity, 0.0, h};
        const bool sound = heat::step_membrane(membrane, step, own, work.membranes[i], p);
        if (!sound) c.report.raise(FlagKind::non_finite, c.model.find_body(membrane.first_node));
        if (explicit_motion) heat::add_push(membrane, push, h, own, p);
        std::copy(p.begin(), p.end(), flight.begin());
    }
}

void HeatSurfaces::after_contact(StepContext& c) {
    for (std::size_t i = 0; i < c.model.of<HeatSurfaces>().size(); ++i) {
        const heat::Membrane& membrane = c.model.of<HeatSurfaces>()[i];
        heat::add_contact_touch(membrane, slice(membrane, c.model.inverse_mass),
                                slice(membrane, c.scratch.of<HeatSurfaces>().flight), slice(membrane, c.scratch.p), c.h,
                                c.model.dt, c.state.of<HeatSurfaces>()[i]);
        heat::follow_contact(membrane, slice(membrane, c.model.inverse_mass),
                             slice(membrane, c.scratch.of<HeatSurfaces>().flight), slice(membrane, c.scratch.p), c.h,
                             c.state.of<HeatSurfaces>()[i]);
    }
}

void HeatSurfaces::flag(StepContext& c, bool /*failed*/) {
    for (std::size_t i = 0; i < c.model.of<HeatSurfaces>().size(); ++i) {
        const heat::Reached& reached = c.scratch.of<HeatSurfaces>().membranes[i].reached;
        const std::int32_t body = c.model.find_body(c.model.of<HeatSurfaces>()[i].first_node);
        if (reached.tension > heat::most_tension) c.report.raise(FlagKind::overheated, body);
        if (reached.overstretched) c.report.raise(FlagKind::overstretched, body);
    }
}

std::size_t HeatSurfaces::field_count(const Model& model) {
    return model.of<HeatSurfaces>().empty() ? 0 : 1;
}

void HeatSurfaces::publish_fields(const Model& model, const State& state, std::span<Field> fields) {
    if (fields.empty()) return;
    Field& field = fields[0];
    if (field.where.empty()) {
        field.name = "temperature";
        field.unit = "J/m^2";
        for (const heat::Membrane& m : model.of<HeatSurfaces>()) field.where.push_back({m.first_node, m.nodes});
    }
    field.values.clear();
    for (const heat::MembraneState& own : state.of<HeatSurfaces>()) {
        for (const double t : own.temperature) field.values.push_back(static_cast<float>(t));
    }
}

}  // namespace plica
