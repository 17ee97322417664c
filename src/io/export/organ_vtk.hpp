#pragma once
#include <string>

#include "engine/world.hpp"

namespace plica {

// The solid body of model().of<Solids>()[organ] as it is now: a legacy VTK UNSTRUCTURED_GRID, binary, in double. Its
// nodes as points with `displacement` (m), `velocity` (m/s) and `reaction` (N, of what holds a node along the axes that
// a motion rules, for a body at rest; 0 elsewhere and before the first step). Its tetrahedra and hexahedra with
// `region`, `source` (their number in the mesh, tetrahedra first), `von_mises` (Pa), `volume_ratio`, `energy` (J) and
// the tensors `stress` (Cauchy's, Pa) and `strain` (Green-Lagrange).
void write_organ_vtk(const std::string& path, const World& world, std::size_t organ);

// What holds the organ's nodes, N; empty before the first step.
std::vector<Vec3> compute_reactions(const World& world, std::size_t organ);

}  // namespace plica
