#pragma once
#include "tissue/mass_spring/network.hpp"

// The kernels of a substep; p is corrected in place.
namespace plica::mass_spring {

// Springs of one sheet at once: one Newton step of implicit Euler, block tridiagonal by columns.
void solve_sheet(const Network& network, const Sheet& sheet, Workspace& work, std::span<const Vec3> x,
                 std::span<const double> w, double h, std::span<Vec3> p);

// M + (h^2 + h viscosity) K, factored once for each substep length.
void factor_bending(const Network& network, Workspace& work, std::span<const double> w, double h);
void solve_bending(const Network& network, Workspace& work, std::span<const Vec3> x, std::span<const double> w,
                   double h, std::span<Vec3> p);

void solve_limits(const Network& network, std::span<const double> w, std::span<Vec3> p);

}  // namespace plica::mass_spring
