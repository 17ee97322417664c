#pragma once
#include "scene/model.hpp"
#include "scene/report.hpp"

namespace plica {

// Computes a field over the nodes from frame.positions, for bodies with tissue "tled"; nodes of others have NaN. Where
// the model has no such body, or cells of it are not known, the field is left empty and of kind none.
void fill_field(const Model& model, FieldKind kind, Frame& frame);

}  // namespace plica
