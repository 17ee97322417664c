#pragma once
#include "scene/description.hpp"

namespace plica {

// Adds a solid body: nodes, organ, collision surface.
void add_organ(const BodyDescription& body, bool exact, Model& model);

}  // namespace plica
