#pragma once
#include "engine/step/context.hpp"

// Rigid tools whose way is given, and walls.
namespace plica {

// A tool that its way would take through a wall goes along the wall instead: where all its nodes are on the free side,
// as near as can be to where it was to go. Where there is no such place, a cavity may be too small, it stays where it
// is. Its way does not wait.
void keep_within_walls(StepContext& c);
// The same of one tool, if it is to be at `aim`; where there is no such place, `otherwise`.
RigidState within_walls(const Model& model, const RigidBody& rigid, RigidState aim, const RigidState& otherwise);

}  // namespace plica
