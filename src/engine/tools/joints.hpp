#pragma once
#include "engine/step/context.hpp"

// Hinges between rigid bodies.
namespace plica {

// Where bodies whose way is given take the joints by the end of the substep, and what the drives want then.
void aim_joints(StepContext& c);

// Angles and torques, for the frame.
void publish_joints(const Model& model, const State& state, Frame& frame);

}  // namespace plica
