#pragma once
#include "scene/description.hpp"

namespace plica {

// What bodies, tools and pairs of the scene say of friction, when the model has all of them. Their own numbers are in
// model.friction_rules.of_body.
void add_friction(const SceneDescription& scene, Model& model);

// Bodies from the last one known on have this number of their own; none: the scene's.
void note_friction(std::optional<double> friction, Model& model);

}  // namespace plica
