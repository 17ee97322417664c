#pragma once
#include "scene/description.hpp"

namespace plica {

// Adds a surface of heat tissue: nodes, membrane, collision surface.
void add_membrane(const BodyDescription& body, bool exact, Model& model);

}  // namespace plica
