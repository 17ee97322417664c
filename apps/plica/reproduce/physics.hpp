#pragma once
#include "reproduce/experiment.hpp"

// Experiments on the response to contact, on the step, and on other detectors.
namespace plica::app {

// Penalty, the papers' response as printed and corrected, and ours, on one pile.
Result run_raghupathi_response(const ExperimentOptions& options);
// Substeps against sweeps, and damping.
Result run_raghupathi_stability(const ExperimentOptions& options);
// Spheres in voxels and trees of boxes against brute force, with and without mesentery.
Result run_raghupathi_baselines(const ExperimentOptions& options);
// Which substeps and sweeps the built-in scenes need.
Result run_defaults(const ExperimentOptions& options);

}  // namespace plica::app
