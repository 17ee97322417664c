#pragma once
#include "engine/world.hpp"

// What solid organs do in a step.
namespace plica {

// Work arrays, and the longest stable substep of each organ that does not know its own.
void prepare_organs(const Model& model, Isa isa, ThreadPool& pool, State& state, Scratch& scratch);

// Substeps that all organs bear: each at most 0.9 of the longest stable one.
int count_organ_substeps(const Model& model, const State& state);

// Internal forces, loads and gravity: where the organs' nodes go if nothing touches them. `last_h` is the length of the
// substep before, 0 when there was none; `k` counts the substeps of this step from 1. False when a cell is lost: what
// follows would be an explosion.
bool predict_organs(const Model& model, const Inputs& inputs, double h, double last_h, int k, ThreadPool& pool,
                    State& state, Scratch& scratch);

// Contact may have moved nodes along axes that a motion rules.
void keep_motions(const Model& model, double h, int k, const State& state, Scratch& scratch);

// After the last substep: have organs borne substeps of h? Looks again at the longest stable one now and then.
bool have_organs_held(const Model& model, double h, int substeps, ThreadPool& pool, State& state, Scratch& scratch);

// How many substeps to try after so many that did not do, from the state that the failed attempt left: as many as a
// shrunken limit asks for, or twice as many where a cell was lost. `from` learns of the limit.
int count_more_substeps(const Model& model, int substeps, const State& failed, State& from);

// Names the cells that are lost in organs that did not bear substeps of h.
void flag_organs(const Model& model, double h, const State& state, const Scratch& scratch, StepReport& report);

// Have all organs that relax come to rest? False where none does.
bool are_at_rest(const Model& model, const State& state);

}  // namespace plica
