#pragma once
#include "tissue/heat/sparse.hpp"

namespace plica::heat {

// An order of elimination that fills in little: entry k is the row that comes k-th.
std::vector<std::int32_t> order_rows(const SymmetricMatrix& pattern);

}  // namespace plica::heat
