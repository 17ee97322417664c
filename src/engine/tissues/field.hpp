#pragma once
#include "engine/frame.hpp"
#include "engine/model.hpp"

namespace plica {

// Computes a field over the nodes from frame.positions for bodies of the tissue that has it, stress and stretch of
// "tled", temperature (from the frame's) and conductivity of "heat"; nodes of others have NaN. Where the model has no
// such body, or the frame no temperatures, the field is left empty and of kind none.
void fill_field(const Model& model, FieldKind kind, Frame& frame);

// Nodes that have a temperature.
std::int32_t count_warm_nodes(const Model& model);

}  // namespace plica
