#pragma once
#include <string>

#include "bench/common/bench.hpp"

// Tables of the benchmark of solid organs.
namespace plica::bench {

// What was aimed at, and what was found; only what this run measured.
Json compare_with_targets(const Json& result);

std::string tled_text(const Json& result);
std::string tled_csv(const Json& result);
std::string tled_plot();

}  // namespace plica::bench
