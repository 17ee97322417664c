#pragma once
#include "scene/description.hpp"

namespace plica {

// A hinge between two rigid bodies of the model, all of which are there.
void add_joint(const JointDescription& description, Model& model);

}  // namespace plica
