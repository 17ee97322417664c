#pragma once
#include "engine/step/context.hpp"

// Instruments that a spring and a damper lead after the hand: bodies of their own, which contact pushes back.
namespace plica {

void prepare_couplings(const Model& model, Scratch& scratch);

// Free flight under the spring to where the hand is when the substep ends; implicit, so that no stiffness needs
// shorter substeps.
void aim_couplings(StepContext& c);

// None of them goes further than this (m) in the substep.
void limit_couplings(StepContext& c, double most);

// Where contact has moved them so far.
void follow_contact(StepContext& c);

// When the rows are solved: velocities, and what the hand gave.
void take_pulls(StepContext& c);

// Rigid body i stays behind on its way, and is as slow as that.
void hold_coupling(std::size_t i, double kept, StepContext& c);

}  // namespace plica
