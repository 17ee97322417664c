#pragma once
#include "scene/description.hpp"

namespace plica {

// Adds a rigid body that stands (tool -1) or that a tool moves, at its first place.
void add_rigid(const std::string& name, const RigidDescription& description, std::int32_t tool, const RigidState& start,
               Model& model);

}  // namespace plica
