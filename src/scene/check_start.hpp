#pragma once
#include <span>

#include "engine/model.hpp"
#include "scene/description.hpp"

namespace plica {

// What starts in something else has no side to be pushed to: it would hang there, or be shot out. These throw Error
// naming what, where, how deep and what to do, at the line of the body that comes later.

// Nodes beyond a wall. `lines`: per body, of the scene's file; 0: of none.
void check_walls(const Model& model, std::span<const int> lines);
// Bodies in bodies, in every pair of kinds, whether their surfaces cross or one is all inside the other. Sphere tools
// count that are there from the start.
void check_start(const SceneDescription& scene, const Model& model, std::span<const int> lines);

}  // namespace plica
