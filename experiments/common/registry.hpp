#pragma once
#include <vector>

#include "experiments/common/experiment.hpp"

// The one list of experiments. To add one: a file with its two functions, their declarations here, its line in
// registry.cpp.
namespace plica::experiments {

// The papers' detector.
Result run_raghupathi2003_table1(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2003_table1(const Measurements& measured);
Result run_raghupathi2003_fig8(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2003_fig8(const Measurements& measured);
Result run_raghupathi2004_fig14(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2004_fig14(const Measurements& measured);
Result run_raghupathi_recall(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi_recall(const Measurements& measured);
// What more random pairs cost, in tests and time.
Result run_raghupathi_draws(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi_draws(const Measurements& measured);
// Penalty, the papers' response as printed and corrected, and ours, on one pile.
Result run_raghupathi_response(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi_response(const Measurements& measured);
// Substeps against sweeps, and damping.
Result run_raghupathi_stability(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi_stability(const Measurements& measured);
// The papers' system as one, at their rate.
Result run_raghupathi_whole(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi_whole(const Measurements& measured);
// The mesentery against itself, which the papers leave out: what it does to the gut.
Result run_raghupathi_mesentery(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi_mesentery(const Measurements& measured);
// Spheres in voxels and trees of boxes against brute force, with and without mesentery.
Result run_raghupathi_baselines(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi_baselines(const Measurements& measured);
// The papers' pictures: a sharp fold, snapshots of the simulator, curvature, levels of detail.
Result run_raghupathi2004_fig3(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2004_fig3(const Measurements& measured);
Result run_raghupathi2003_fig9(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2003_fig9(const Measurements& measured);
Result run_raghupathi2004_fig13(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2004_fig13(const Measurements& measured);
Result run_raghupathi2004_fig10(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2004_fig10(const Measurements& measured);
Result run_raghupathi2004_fig12(const ExperimentOptions& options);
std::vector<Claim> judge_raghupathi2004_fig12(const Measurements& measured);
// Solid organs against theory.
Result run_tled_verification(const ExperimentOptions& options);
std::vector<Claim> judge_tled_verification(const Measurements& measured);
// Johnsen et al. 2012: the tree of volumes, normals, full simulations, and what the equations do as printed.
Result run_johnsen_table1(const ExperimentOptions& options);
std::vector<Claim> judge_johnsen_table1(const Measurements& measured);
Result run_johnsen_table2(const ExperimentOptions& options);
std::vector<Claim> judge_johnsen_table2(const Measurements& measured);
Result run_johnsen_fig5(const ExperimentOptions& options);
std::vector<Claim> judge_johnsen_fig5(const Measurements& measured);
Result run_johnsen_fig6(const ExperimentOptions& options);
std::vector<Claim> judge_johnsen_fig6(const Measurements& measured);
Result run_johnsen_errata(const ExperimentOptions& options);
std::vector<Claim> judge_johnsen_errata(const Measurements& measured);
// Zhong et al. 2005: what an implicit step of heat costs by elimination, network, gradients and sparse factor.
Result run_zhong_solver(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_solver(const Measurements& measured);
// Zhong et al. 2005: figures, and what the equations do as printed.
Result run_zhong_fig3(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_fig3(const Measurements& measured);
Result run_zhong_fig4(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_fig4(const Measurements& measured);
Result run_zhong_fig5(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_fig5(const Measurements& measured);
Result run_zhong_errata(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_errata(const Measurements& measured);
Result run_zhong_compare(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_compare(const Measurements& measured);
Result run_zhong_width(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_width(const Measurements& measured);
Result run_zhong_nets(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_nets(const Measurements& measured);
Result run_zhong_damping(const ExperimentOptions& options);
std::vector<Claim> judge_zhong_damping(const Measurements& measured);
// Which substeps and sweeps the built-in scenes need.
Result run_defaults(const ExperimentOptions& options);
std::vector<Claim> judge_defaults(const Measurements& measured);

const std::vector<Experiment>& all_experiments();

}  // namespace plica::experiments
