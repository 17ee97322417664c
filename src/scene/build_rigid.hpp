#pragma once
#include "scene/description.hpp"

namespace plica {

// Adds a rigid body that stands (tool -1) or that a tool moves, at its first place.
void add_rigid(const std::string& name, const RigidDescription& description, std::int32_t tool, const RigidState& start,
               Model& model);

// A rigid body of a scene, which stands.
void add_rigid_body(const BodyDescription& body, bool exact, Model& model);

// Walls stop the last rigid body, but for those that it is through as built: a shaft may lead through one.
void stop_by_walls(Model& model);

// Puts the last rigid body on a coupling, as a solid of its mass; what the coupling leaves open gets its default.
// Throws Error where its surface encloses nothing.
void couple(const Coupling& coupling, Model& model);

}  // namespace plica
