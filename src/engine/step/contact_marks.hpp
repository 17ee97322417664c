#pragma once
#include <vector>

#include "engine/frame.hpp"
#include "engine/model.hpp"
#include "engine/state.hpp"

namespace plica {

// One mark for each pair that carries load: the normal force is push / h^2, h the substep.
void add_contact_marks(const Model& model, const State& state, std::vector<ContactMark>& marks);
// The same of nodes that walls bear: body b is -1, the point on the wall.
void add_wall_marks(const Model& model, const State& state, std::vector<ContactMark>& marks);

}  // namespace plica
