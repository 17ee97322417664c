#pragma once
#include "scene/description.hpp"

namespace plica {

// Adds a body of a tissue from outside (plica/tissue.hpp). Throws Error where its shape is no shape.
void add_own_body(const BodyDescription& body, bool exact, Model& model);

}  // namespace plica
