#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

// CPU seconds of one implicit step of heat by every method, and how far its temperatures are from the factor's.
namespace plica::experiments {

inline const double not_measured = std::nan("");

struct SolverRow {
    double nodes = 0.0;
    double entries = 0.0;  // of the factor
    double dense = not_measured, blocked = not_measured;
    double band = not_measured, band_solve = not_measured;
    double order = not_measured, factor = not_measured;  // once a topology, once a step size
    double solve = not_measured, solve_three = not_measured;
    double explicit_one = not_measured, explicit_all = not_measured;
    double gradients = not_measured, network = not_measured;
    int gradient_count = 0, network_count = 0;
    double worst_difference = 0.0;  // of dense, blocked, band: relative
    double loose_difference = 0.0;  // of gradients and network
};

struct SolverLimits {
    int dense = 2025, blocked = 10000, band = 200000;  // nodes up to which these are run
    int most_sweeps = 200000;
};

// side^2 nodes; the step is `steps` times the explicit limit.
SolverRow measure_solvers(int side, double steps, const SolverLimits& limits);

// Sweeps of the network, and their time, for one step in seconds whatever the spacing.
SolverRow measure_network(int side, double dt);

}  // namespace plica::experiments
