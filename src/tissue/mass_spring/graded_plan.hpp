#pragma once
#include "tissue/mass_spring/network.hpp"

namespace plica::mass_spring {

// Cuts a graded sheet into eight alike chunks and plans their elimination.
GradedTable build_graded_table(const Network& network, const Sheet& sheet);

}  // namespace plica::mass_spring
