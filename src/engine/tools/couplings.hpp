#pragma once
#include "engine/world.hpp"

// Instruments that a spring and a damper lead after the hand: bodies of their own, which contact pushes back.
namespace plica {

void prepare_couplings(const Model& model, Scratch& scratch);

// Free flight under the spring to where the hand is when `share` of the step is over; implicit, so that no stiffness
// needs shorter substeps.
void aim_couplings(const Model& model, const Inputs& inputs, double h, double share, const State& state,
                   Scratch& scratch);

// Where contact has moved them so far.
void follow_contact(const Model& model, const State& state, Scratch& scratch);

// When the rows are solved: velocities, and what the hand gave.
void take_pulls(const Model& model, double h, Scratch& scratch);

// It stays behind on its way from `start`, and is as slow as that.
void hold_coupling(const RigidBody& rigid, double kept, double h, const RigidState& start, Scratch& scratch,
                   RigidState& now);

}  // namespace plica
