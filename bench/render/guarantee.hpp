#pragma once
#include "bench/common/bench.hpp"
#include "bench/render/render_load.hpp"

// Whether the governor's rate is guaranteed as Raghupathi 2004, sec. 5.3, has it.
namespace plica::bench {

// From the coarsest and from the finest level, alone and beside another load: after how many seconds no half second is
// slower any more than 80 % of the rate wanted, which lies amid what all levels reach.
Json measure_starts(RenderLoad& load, double seconds, const Hooks& hooks);

// Frames a second while the scene runs in real time on a thread of its own, drawn as the window draws it: from its
// beginning, from a coarse level, no faster than 30 a second.
Json measure_beside(const std::string& scene, double seconds, int width, int height, const Hooks& hooks);

std::string describe_starts(const Json& rows);
std::string describe_beside(const Json& row);

}  // namespace plica::bench
