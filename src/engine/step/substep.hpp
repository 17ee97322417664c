#pragma once
#include "engine/world.hpp"

// The verbs of a step, in the order in which World::step() calls them.
namespace plica {

// Tools appear, vanish, take hold and let go as the inputs say.
void take_inputs(const Model& model, const Inputs& inputs, State& state, Scratch& scratch);

// How many substeps this step takes: the model's, or so many halves of that more that nothing travels too far in one of
// them (a quarter of the thinnest pair of primitives, less in long ones). Contacts that jump further are not solved
// well by a few sweeps. With solver.adapt = false the model's, whatever happens: for experiments on the step's length.
int choose_substeps(const Model& model, const Inputs& inputs, const State& state);

// Multipliers of the last step, for substeps of another length: forces stay what they were.
void rescale_multipliers(int substeps, State& state);

// Free flight: gravity, drag, inertia. Tools are on their way to the step's targets by `share` in (0, 1].
void predict(const Model& model, const Inputs& inputs, double h, double share, const State& state, Scratch& scratch);

// Detection before any force acts on the prediction, for what needs it: the papers' detector, whose pairs that collide
// now are the candidates of all sweeps (after the warm start loaded contacts would look open; no certificate holds for
// it, and detect() leaves its list alone), and penalty forces, which act where things overlap at the start.
void detect_ahead(const Model& model, const Inputs& inputs, double h, ThreadPool& pool, State& state, Scratch& scratch,
                  StepReport& report);

// Makes the candidate list complete for every place between the substep's start and the prediction. Pairs of features
// are looked at only when asked for, before the first sweep and before certify: sweeps hardly ever take nodes out of
// the tree's margins, and what they missed certify sees.
void detect(const Model& model, const Inputs& inputs, double h, bool with_features, ThreadPool& pool, State& state,
            Scratch& scratch, StepReport& report);

ContactWorld contact_world(const Model& model, double h, State& state, Scratch& scratch);

// The four moments of contact in a substep, for the response the scene chose. Velocities are what the positions did:
// ours takes them after the sweeps, the papers' before, and then corrects both.
void begin_contact(ContactWorld& contact, const State& state, Scratch& scratch);
void begin_sweeps(ContactWorld& contact, State& state, Scratch& scratch);
bool is_wanted(const ContactSettings& settings, int pass, const Scratch& scratch);  // one more sweep
void sweep_contact(ContactWorld& contact, int pass, State& state, Scratch& scratch);
void end_sweeps(const Model& model, ContactWorld& contact, State& state, Scratch& scratch);

// Holds back what would have passed through something else.
void certify(const Model& model, const Inputs& inputs, double h, ThreadPool& pool, State& state, Scratch& scratch,
             StepReport& report);

// The substep's end becomes the state; what the tools felt is added up.
void commit(const Model& model, State& state, Scratch& scratch);

// True when something is not finite; overstretched springs are flagged too.
bool find_flags(const Model& model, const State& state, StepReport& report);

}  // namespace plica
