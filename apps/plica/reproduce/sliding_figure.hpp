#pragma once
#include "reproduce/experiment.hpp"

namespace plica::app {

// What continuous normals are for: the force on a ball that slides over a liver. A table, a plot and a claim.
void add_sliding(const ExperimentOptions& options, Result& result);

}  // namespace plica::app
