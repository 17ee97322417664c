#pragma once
#include "engine/world.hpp"

// What surfaces of heat tissue do in a step.
namespace plica {

void prepare_membranes(const Model& model, State& state, Scratch& scratch);

// The model has changed: the motion's matrices are made anew.
void forget_factors(Scratch& scratch);

// Substeps in which contact finds what the surfaces answer with.
int count_membrane_substeps(const Model& model);

// Once per step, before its substeps: what touched the surfaces in the last one warms them, and warmth spreads.
void conduct_membranes(const Model& model, State& state, Scratch& scratch, StepReport& report);

// Where their nodes would fly if nothing acted on them.
void note_flight(const Model& model, Scratch& scratch);

// What contact asked for in the last substep has moved the prediction already: the surfaces answer to it as a force.
// `k` counts the substeps of this step from 1.
void predict_membranes(const Model& model, const Inputs& inputs, double h, int k, State& state, Scratch& scratch,
                       StepReport& report);

// Whatever has moved nodes since touched them: contact, walls, tools. A mean over the step, by h of dt.
void add_touch(const Model& model, double h, State& state, const Scratch& scratch);

// Surfaces beyond what their model answers to.
void flag_membranes(const Model& model, const Scratch& scratch, StepReport& report);

void publish_temperatures(const State& state, Frame& frame);

}  // namespace plica
