#pragma once
#include <array>
#include <string>

#include "experiments/common/experiment.hpp"
#include "experiments/raghupathi/detection.hpp"

// The papers' plots of segment pairs by their indices: what brute force finds and what the tracked detector holds.
namespace plica::experiments {

struct PairPlot {
    std::array<std::size_t, 2> instants;  // frames of the motion
    int draws = 0;                        // n, in the picture
};

// What two papers say of such a plot.
struct PairSayings {
    const char *where, *plotted, *fewer;  // of the plot
    const char *always, *all;             // of the method; where, what
};
std::vector<Claim> judge_pairs(const PairSayings& sayings, const Measurements& measured);

Result compare_pairs(const ExperimentOptions& options, const Motion& motion, const PairPlot& plan);

}  // namespace plica::experiments
