#pragma once
#include "tissue/mass_spring/network.hpp"

// The kernels of a substep; p is corrected in place.
namespace plica::mass_spring {

// Springs and bending of one sheet at once: one Newton step of implicit Euler from q.
void solve_sheet(const Network& network, std::size_t sheet, const NetworkStep& step, Workspace& work,
                 std::span<Vec3> p);

void solve_limits(const Network& network, std::span<const double> w, std::span<Vec3> p);

}  // namespace plica::mass_spring
