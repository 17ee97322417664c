#pragma once
#include "scene/description.hpp"

namespace plica {

// Adds a tube, with its mesentery if it has one: nodes, springs, bending, collision surface.
void add_tube_body(const BodyDescription& body, bool exact, Model& model);

}  // namespace plica
