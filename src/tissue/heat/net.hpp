#pragma once
#include <cstddef>
#include <span>
#include <vector>

// Conduction on flat rectangular nets, as the paper has it (Zhong 2005, eq. 9 and 10). For comparison: on a curved net
// eq. 9 leaves out the metric and does not converge, so surfaces are triangulated (conduction.hpp).
namespace plica::heat {

// Lines at u[i] and v[j], m, ascending; node (i, j) has the number i + columns() * j.
struct Net {
    std::vector<double> u, v;
    [[nodiscard]] std::size_t columns() const { return u.size(); }
    [[nodiscard]] std::size_t rows() const { return v.size(); }
    [[nodiscard]] std::size_t nodes() const { return u.size() * v.size(); }
};

// Where the conductivity stands. Eq. 10 as printed is the Laplacian of k T: even temperatures are then no equilibrium
// where k changes. `divergence` is div(k grad T) with harmonic means between neighbours. For one k they are eq. 9.
enum class Placement { inside, divergence };

// alpha dT/dt of the nodes that are not on the rim, W/m^2 without source; 0 on the rim.
void compute_net_rate(const Net& net, Placement placement, std::span<const double> conductivity,
                      std::span<const double> temperature, std::span<double> rate);

struct NetStep {
    Placement placement;
    std::span<const double> conductivity;
    double alpha;  // capacity
    double dt;     // s
};
// Explicit step; q is a source in W/m^2 per node. The rim keeps its temperatures. scratch: one number a node.
void step_net(const Net& net, const NetStep& step, std::span<const double> q, std::span<double> scratch,
              std::span<double> temperature);

// s: the largest dt at which no node's own share of its next temperature is negative.
double compute_net_limit(const Net& net, Placement placement, std::span<const double> conductivity, double alpha);

}  // namespace plica::heat
