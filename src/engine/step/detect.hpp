#pragma once
#include "engine/step/context.hpp"

namespace plica {

// m, per node: how far it may go before the list of candidates must be rebuilt: what it will do in the list's time at
// its present speed, never less than this substep already asks for.
void set_margins(const StepContext& c, std::vector<double>& margin);

}  // namespace plica
