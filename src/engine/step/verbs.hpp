#pragma once
#include "engine/step/context.hpp"

// The verbs of a step, in the order in which World::advance() calls them; those of tissues are in tissues/tissues.hpp.
namespace plica {

// How many substeps this step takes: as many as tissues bear, and so many halves of that more that nothing travels too
// far in one of them (a quarter of the thinnest pair of primitives, less in long ones). Contacts that jump further are
// not solved well by a few sweeps. With solver.adapt = false what tissues bear, whatever happens: for experiments on
// the step's length.
int choose_substeps(const Model& model, const Inputs& inputs, const State& state);

// m/s: of the nodes whose way is not given.
double find_fastest(const Model& model, const State& state);

// How many to try after so many that did not do, from the state that the failed attempt left: as many as tissues ask
// for now, or twice as many; no more than tissues are tried with, so perhaps no more at all. `from` learns what they
// found out.
int choose_more_substeps(const Model& model, int substeps, const State& failed, State& from);

// Tools appear, vanish, take hold and let go as the inputs say; multipliers of the last step, for substeps of another
// length, are scaled so that forces stay what they were.
void take_inputs(StepContext& c);

// On to the next substep; false after the last.
bool begin_substep(StepContext& c);

// Free flight: gravity, drag, inertia. Tools are on their way to the step's targets.
void predict(StepContext& c);

// Detection before any force acts on the prediction, for what needs it: the papers' detector, whose pairs that collide
// now are the candidates of all sweeps (after the warm start loaded contacts would look open; no certificate holds for
// it, and detect() leaves its list alone), and forces of penalty and reaction, which act where things overlap at the
// start.
void detect_ahead(StepContext& c);

// Makes the candidate list complete for every place between the substep's start and the prediction. Pairs of features
// are looked at only when asked for, before the first sweep and before certify: sweeps hardly ever take nodes out of
// the tree's skins, and what they missed certify sees.
void detect(StepContext& c, bool with_features);

ContactWorld contact_world(const Model& model, double h, State& state, Scratch& scratch);
inline ContactWorld contact_world(StepContext& c) {
    return contact_world(c.model, c.h, c.state, c.scratch);
}

// What has gone further in the substep than contact can follow goes that far only: nodes that rows which contradict
// each other threw. This bounds the work and the memory of all that follows, since lists of pairs grow with the way.
double furthest_in_substep(const StepContext& c);  // m
void limit_travel(StepContext& c);

// The moments of contact in a substep, for the response the scene chose. Velocities are what the positions did: ours
// takes them after the sweeps, the papers' before, and then corrects both.
void begin_contact(StepContext& c);  // warm start
void solve_contact(StepContext& c);  // sweeps, each after a look for new pairs
void end_contact(StepContext& c);    // velocities, push-out, what is remembered

// Holds back what would have passed through something else.
void certify(StepContext& c);

// The substep's end becomes the state; what the tools felt is added up.
void commit(StepContext& c);

// The step's tools are where the inputs said; flags are raised. False: the state is not valid and must be taken back.
bool end_step(StepContext& c, bool failed);

// Have all tissues that relax come to rest? False where none does.
bool are_at_rest(const Model& model, const State& state);

// What everybody but the step reads.
void publish(const Model& model, const State& state, const Scratch& scratch, Frame& frame);

// The trail begins anew, or goes on, at the present positions.
void begin_trail(StepContext& c);
void extend_trail(StepContext& c);

}  // namespace plica
