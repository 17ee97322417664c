#pragma once
#include "scene/description.hpp"

namespace plica {

// Appends the body's nodes, springs, bending and collision primitives to the model.
void add_body(const BodyDescription& body, Model& model);

}  // namespace plica
