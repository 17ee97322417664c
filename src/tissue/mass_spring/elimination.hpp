#pragma once
#include <cstdint>
#include <vector>

namespace plica::mass_spring {

void insert_sorted(std::vector<std::int32_t>& list, std::int32_t value);  // unless it is there

// Unknowns of a sparse symmetric matrix and the order in which they are eliminated, least neighbours first. The last
// `kept` of them stay.
struct Elimination {
    std::vector<std::int32_t> order;  // number of each unknown's turn; those that stay keep their numbers
    std::vector<std::vector<std::int32_t>> pattern;  // per turn: turns of the unknowns behind it that its row has
};
Elimination plan_elimination(std::vector<std::vector<std::int32_t>> neighbours, std::int32_t kept);

}  // namespace plica::mass_spring
