#pragma once
#include <vector>

#include "experiments/common/experiment.hpp"

// The one list of experiments. To add one: a file with its function, its declaration here, its line in registry.cpp.
namespace plica::experiments {

// The papers' detector.
Result run_raghupathi2003_table1(const ExperimentOptions& options);
Result run_raghupathi2003_fig8(const ExperimentOptions& options);
Result run_raghupathi2004_fig14(const ExperimentOptions& options);
Result run_raghupathi_recall(const ExperimentOptions& options);
// Penalty, the papers' response as printed and corrected, and ours, on one pile.
Result run_raghupathi_response(const ExperimentOptions& options);
// Substeps against sweeps, and damping.
Result run_raghupathi_stability(const ExperimentOptions& options);
// Spheres in voxels and trees of boxes against brute force, with and without mesentery.
Result run_raghupathi_baselines(const ExperimentOptions& options);
// The papers' pictures: a sharp fold, snapshots of the simulator, curvature, levels of detail.
Result run_raghupathi2004_fig3(const ExperimentOptions& options);
Result run_raghupathi2003_fig9(const ExperimentOptions& options);
Result run_raghupathi2004_fig13(const ExperimentOptions& options);
Result run_raghupathi2004_fig10(const ExperimentOptions& options);
Result run_raghupathi2004_fig12(const ExperimentOptions& options);
// Solid organs against theory.
Result run_tled_verification(const ExperimentOptions& options);
// Johnsen et al. 2012: the tree of volumes, normals, full simulations, and what the equations do as printed.
Result run_johnsen_table1(const ExperimentOptions& options);
Result run_johnsen_table2(const ExperimentOptions& options);
Result run_johnsen_fig5(const ExperimentOptions& options);
Result run_johnsen_fig6(const ExperimentOptions& options);
Result run_johnsen_errata(const ExperimentOptions& options);
// Zhong et al. 2005: what an implicit step of heat costs by elimination, network, gradients and sparse factor.
Result run_zhong_solver(const ExperimentOptions& options);
// Zhong et al. 2005: figures, and what the equations do as printed.
Result run_zhong_fig3(const ExperimentOptions& options);
Result run_zhong_fig4(const ExperimentOptions& options);
Result run_zhong_fig5(const ExperimentOptions& options);
Result run_zhong_errata(const ExperimentOptions& options);
Result run_zhong_compare(const ExperimentOptions& options);
Result run_zhong_width(const ExperimentOptions& options);
Result run_zhong_nets(const ExperimentOptions& options);
Result run_zhong_damping(const ExperimentOptions& options);
// Which substeps and sweeps the built-in scenes need.
Result run_defaults(const ExperimentOptions& options);

const std::vector<Experiment>& all_experiments();

}  // namespace plica::experiments
