#pragma once
#include <cstdint>
#include <vector>

#include "tissue/mass_spring/graded_kernel.hpp"
#include "tissue/mass_spring/network.hpp"

namespace plica::mass_spring {

// Unknowns of a sparse symmetric matrix and the order in which they are eliminated, least neighbours first. The last
// `kept` of them stay.
struct Elimination {
    std::vector<std::int32_t> order;  // number of each unknown's turn; those that stay keep their numbers
    std::vector<std::vector<std::int32_t>> pattern;  // per turn: turns of the unknowns behind it that its row has
};
Elimination plan_elimination(std::vector<std::vector<std::int32_t>> neighbours, std::int32_t kept);

// Cuts a graded sheet into eight alike chunks and plans their elimination.
GradedTable build_graded_table(const Network& network, const Sheet& sheet);

}  // namespace plica::mass_spring
