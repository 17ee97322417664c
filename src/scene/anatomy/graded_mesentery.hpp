#pragma once
#include "scene/anatomy/intestine.hpp"

namespace plica {

// A mesentery whose triangles keep their shape, whatever the number of segments. Its rows hang on every k-th gut node,
// each row has half as many nodes as the one before and stands twice as far from it: triangles are as long as they are
// wide, and there are no more of them than gut nodes, and no smaller ones than `cell`. Needs the gut's nodes and the
// rulings.
void add_graded_mesentery(IntestineGeometry& geometry, const IntestineParameters& parameters);

}  // namespace plica
