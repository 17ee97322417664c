#pragma once
#include <string>

#include "bench/common/bench.hpp"
#include "bench/self_collision/participant.hpp"

// Tables of the self-collision benchmark.
namespace plica::bench {

Json to_json(const Trial& trial, const RopeCase& rope);
std::string to_text(const Json& result);
std::string to_csv(const Json& result);
std::string plot_commands();

}  // namespace plica::bench
