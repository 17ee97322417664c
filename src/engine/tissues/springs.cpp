#include "engine/tissues/springs.hpp"

#include "engine/step/context.hpp"
#include "tissue/mass_spring/solve.hpp"

namespace plica {
namespace {

void remember_places(StepContext& c) {
    if (c.model.carried_inverse_mass.empty()) return;
    c.scratch.of<Springs>().solved.assign(c.scratch.p.begin(), c.scratch.p.end());
}

}  // namespace

void Springs::prepare(Preparation& p) {
    mass_spring::prepare(p.model.of<Springs>(), p.scratch.of<Springs>().network, p.isa);
}

void Springs::tune(const Model& scene, const Tuning& tuning, Model& tuned) {
    const mass_spring::Network& from = scene.of<Springs>();
    mass_spring::Network& to = tuned.of<Springs>();
    for (std::size_t i = 0; i < from.springs.size(); ++i) {
        to.springs[i].stiffness = from.springs[i].stiffness * tuning.stiffness_of(from.springs[i].body);
    }
    for (std::size_t i = 0; i < from.sheets.size(); ++i) {
        const std::int32_t body = from.sheets[i].bending_body;  // a mesentery is damped as its gut is
        to.sheets[i].bending = from.sheets[i].bending * tuning.stiffness_of(body);
        to.sheets[i].viscosity = from.sheets[i].viscosity * tuning.damping_of(body);
    }
}

void Springs::retune(const Model& tuned, Scratch& scratch) {
    mass_spring::Workspace& work = scratch.of<Springs>().network;
    mass_spring::prepare(tuned.of<Springs>(), work, work.isa);
}

bool Springs::predict(StepContext& c) {
    if (c.model.of<Springs>().sheets.empty()) return true;
    c.copy_moving(c.scratch.p, c.scratch.of<Springs>().flight);
    return true;
}

void Springs::answer_to_contact(StepContext& c) {
    Work& work = c.scratch.of<Springs>();
    const mass_spring::Network& network = c.model.of<Springs>();
    mass_spring::follow_carriers(network, work.flight, work.moved, c.scratch.p);
    const mass_spring::NetworkStep step{c.state.x, work.flight, c.model.inverse_mass, c.h};
    for (std::size_t i = 0; i < network.sheets.size(); ++i) {
        mass_spring::solve_sheet(network, i, step, work.network, c.scratch.p);
    }
    remember_places(c);
    mass_spring::solve_limits(network, c.model.contact_inverse_mass(), c.scratch.p);
}

void Springs::keep_motions(StepContext& c) {
    Work& work = c.scratch.of<Springs>();
    mass_spring::follow_carriers(c.model.of<Springs>(), work.solved, work.moved, c.scratch.p);
    remember_places(c);
}

void Springs::after_contact(StepContext& c) {
    Work& work = c.scratch.of<Springs>();
    mass_spring::follow_carriers(c.model.of<Springs>(), work.solved, work.moved, c.scratch.p);
}

void Springs::flag(StepContext& c, bool /*failed*/) {
    const double longest = 1.0 + c.model.stretch_limit;
    for (std::size_t b = 0; b < c.model.bodies.size(); ++b) {
        const auto body = static_cast<std::int32_t>(b);
        if (c.report.has(FlagKind::non_finite, body)) continue;
        if (!mass_spring::is_longer_than(c.model.of<Springs>(), c.state.x, body, longest)) continue;
        c.report.raise(FlagKind::overstretched, body);
    }
}

}  // namespace plica
