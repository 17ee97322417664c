#pragma once
#include "core/random.hpp"
#include "experiments/tled/specimen.hpp"
#include "tissue/tled/laws.hpp"

// Errors of solid organs that must be small, each with a way to make it large. Tests and `plica reproduce` share them.
namespace plica::experiments {

// What the organ's tetrahedra become; hexahedra stay what they are.
tled::OrganSettings settings_of(tled::ElementKind kind, bool exact);

using Gradient = tled::Matrix<double>;
Gradient random_gradient(Random& random, double size);
Gradient stress_of(const tled::Material& material, const Gradient& h);  // first Piola, Pa
double size_of(const Gradient& a);
// Between stresses and differences of the energy density at 50 random strains, over the stress, the worst. `spoil` is a
// factor on one entry of the stress.
double find_stress_error(const tled::Material& material, double spoil = 1.0);

// A box of n^3 cells of 0.1 m in all whose inner nodes are out of place.
VolumeMesh make_perturbed_box(tled::ElementKind kind, int n);
// Each node somewhere else, by at most so many metres along each axis.
void shake(Specimen& specimen, double by);
// Between forces and differences of the whole organ's energy, over the largest force. `spoil` is a factor on one.
double find_force_error(Specimen& specimen, double spoil = 1.0);
// Largest force inside a perturbed box under an affine displacement, which leaves none, over the largest outside;
// `curved` (1/m) makes it another displacement.
double find_patch_residual(tled::ElementKind kind, bool exact, double curved = 0.0);

// How far the furthest node is from its place after so many steps, over how far it was put out of it.
double find_growth(Specimen& specimen, double h, int steps);

// Displacements in single precision against double after 1000 steps of a bar that falls into its clamp, over the
// largest.
double find_single_error(tled::ElementKind kind, double poisson_of_single = 0.45);

}  // namespace plica::experiments
