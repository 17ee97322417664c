#pragma once
#include "experiments/common/experiment.hpp"

// The sections of `plica reproduce johnsen-errata`: equations of Johnsen 2012 as printed beside what stands here
// instead. A section adds its tables, plots, notes and, under its name, what it measured to the result, and
// judges that; to add one: its functions here, its line in johnsen_errata.cpp.
namespace plica::experiments {

// Eq. 5: how far facets can turn.
void add_cone_bound(const ExperimentOptions& options, Result& result);
std::vector<Claim> judge_cone_bound(const Measurements& measured);
// Edges against edges by the cubic of coplanarity.
void add_edge_test(const ExperimentOptions& options, Result& result);
std::vector<Claim> judge_edge_test(const Measurements& measured);
// Eq. 10: how the rate response grows as surfaces come near.
void add_rate_layer(const ExperimentOptions& options, Result& result);
std::vector<Claim> judge_rate_layer(const Measurements& measured);
// Eq. 9 and 13: momentum and energy of two blocks that meet.
void add_momentum(const ExperimentOptions& options, Result& result);
std::vector<Claim> judge_momentum(const Measurements& measured);
// Alg. 1: the contact patch test.
void add_patch(const ExperimentOptions& options, Result& result);
std::vector<Claim> judge_patch(const Measurements& measured);

// For sections: the files of a plot() into the result.
inline void add_plot(Result& result, std::vector<std::string> files) {
    for (std::string& file : files) result.plots.push_back(std::move(file));
}

}  // namespace plica::experiments
