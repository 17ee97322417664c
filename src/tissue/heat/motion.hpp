#pragma once
#include "tissue/heat/step.hpp"

// The matrix of a membrane's motion,
// A_x = diag(m / h) + h (B diag(2 kappa / L0^2) B^T + diag(omega) + kappa_v / V0 g g^T), g = dV/dx,
// rows and columns of held nodes being the identity's. All but the last is factored; that one, which changes with x, is
// a product.
namespace plica::heat {

inline bool is_held(const Membrane& membrane, const MembraneStep& step, std::size_t n) {
    return step.w[n] == 0.0 || membrane.fixed[n] != 0;
}

// Makes the factor that of this step, given the shortest edge, where it is not yet. False: it failed.
bool factor_motion(const Membrane& membrane, const MembraneStep& step, double least_stretch, Workspace& work);

// f becomes A_x^-1 f, with g from work.gradient; f is 0 at held nodes.
void solve_motion(const Membrane& membrane, Workspace& work, std::span<Vec3> f);

// W: u . (A_x - diag(m / h)) w, what resisting u takes when w is how it moves; both are 0 at held nodes.
double find_resistance(const Membrane& membrane, const Workspace& work, std::span<const Vec3> u,
                       std::span<const Vec3> w);

}  // namespace plica::heat
