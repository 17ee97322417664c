#pragma once
#include "experiments/common/experiment.hpp"

namespace plica::experiments {

// What continuous normals are for: the force on a ball that slides over a liver. A table, a plot and a claim.
void add_sliding(const ExperimentOptions& options, Result& result);
std::vector<Claim> judge_sliding(const Measurements& measured);

}  // namespace plica::experiments
