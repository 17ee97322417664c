#pragma once
#include <vector>

#include "reproduce/experiment.hpp"

// The one list of experiments. To add one: a file with its function, its declaration here, its line in registry.cpp.
namespace plica::app {

Result run_raghupathi2003_table1(const ExperimentOptions& options);
Result run_raghupathi2003_fig8(const ExperimentOptions& options);
Result run_raghupathi2004_fig14(const ExperimentOptions& options);
Result run_raghupathi_recall(const ExperimentOptions& options);

const std::vector<Experiment>& experiments();

}  // namespace plica::app
