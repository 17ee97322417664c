#include "engine/step/verbs.hpp"
#include "engine/tools/couplings.hpp"

namespace plica {
namespace {

bool is_ours(const ContactWorld& contact) {
    return contact.settings.response == ResponseKind::consistent;
}

// Other responses know velocities of their own, which are taken before the sweeps.
bool moves_only(const ContactWorld& contact) {
    return is_ours(contact) || contact.settings.response == ResponseKind::johnsen;
}

void take_velocities(StepContext& c) {
    const double rate = 1.0 / c.h;
    c.for_moving([&](std::size_t i) { c.state.v[i] = (c.scratch.p[i] - c.state.x[i]) * rate; });
}

// One more sweep?
bool is_wanted(const StepContext& c, int pass) {
    const ContactSettings& settings = c.model.contact;
    const ContactScratch& contact = c.scratch.contact;
    if (pass < (c.late ? 1 : settings.sweeps)) return true;
    if (c.late) return false;
    if (pass > 1 && is_stalled(settings, contact, contact.outcome.moved_before, contact.outcome.moved)) return false;
    return pass < settings.most_sweeps && contact.outcome.moved > settings.tolerance;
}

void sweep_rows(ContactWorld& contact, int pass, StepContext& c) {
    ContactScratch& scratch = c.scratch.contact;
    if (is_ours(contact)) return sweep(contact, scratch, pass >= contact.settings.sweeps);
    moves_only(contact) ? sweep_johnsen(contact, scratch, pass) : sweep_raghupathi(contact, scratch, c.state.v);
}

}  // namespace

ContactWorld contact_world(const Model& model, double h, State& state, Scratch& scratch) {
    Floating& floating = scratch.rigids.floating;
    const bool floats = !floating.bodies.empty();
    return {model.surface,
            model.walls,
            model.contact_radius,
            floats ? floating.w : model.contact_inverse_mass(),
            model.contact,
            h,
            state.x,
            scratch.p,
            state.candidates,
            state.wall_memory,
            scratch.tools.holds,
            scratch.rigids.groups,
            floats ? &floating : nullptr,
            scratch.facets.get(),
            model.friction_rules.empty() ? nullptr : &model.frictions,
            model.friction_rules.body_of_node,
            scratch.rigids.joints,
            state.joints};
}

void begin_contact(StepContext& c) {
    ContactWorld contact = contact_world(c);
    switch (contact.settings.response) {
        case ResponseKind::consistent:
            return warm_start(contact, c.scratch.contact);
        case ResponseKind::penalty:
            return begin_penalty(contact, c.scratch.contact, c.state.v);
        case ResponseKind::johnsen:
            return begin_johnsen(contact, c.scratch.contact);
        case ResponseKind::raghupathi:
        case ResponseKind::raghupathi_printed:
            return begin_raghupathi(contact, c.scratch.contact);
    }
}

void solve_contact(StepContext& c) {
    ContactWorld contact = contact_world(c);
    if (!moves_only(contact)) {
        solve_holds(contact);
        take_velocities(c);
    }
    for (int pass = 0; !c.is_given_up() && is_wanted(c, pass); ++pass) {
        limit_travel(c);
        detect(c, pass == 0);
        c.lap(Stage::detect);
        sweep_rows(contact, pass, c);
        ++c.report.sweeps;
        c.lap(Stage::respond);
    }
}

void end_contact(StepContext& c) {
    ContactWorld contact = contact_world(c);
    if (moves_only(contact)) take_velocities(c);
    take_pulls(c);
    if (is_ours(contact)) push_out(contact, c.scratch.contact);
    follow_contact(c);
    finish(contact, c.scratch.contact);
}

}  // namespace plica
