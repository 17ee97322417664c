#pragma once
#include "engine/step/context.hpp"

// What is rigid moves as one, whatever its nodes touch.
namespace plica {

// Place and turn change evenly.
RigidState rigid_on_the_way(const RigidState& from, const RigidState& to, double share);

// Where a rigid body is to be when the substep ends: on its tool's way, or where it stands.
void aim_rigids(StepContext& c);

// Their nodes at their places at the end of the substep.
void place_rigids(const Model& model, Scratch& scratch);

// Where certify held a node of one back, the whole of it stays behind on its way. True when one does.
bool hold_rigids(StepContext& c);

// The end of the substep becomes the state; what they felt is added up.
void commit_rigids(StepContext& c);

// m: furthest that a point of a rigid tool goes in the step.
double furthest_rigid_travel(const Model& model, const Inputs& inputs, const State& state);

}  // namespace plica
