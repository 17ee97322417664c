#pragma once
#include "engine/model.hpp"

namespace plica {

// Triangles or edges of its own mesentery that a capsule of the root zone overlaps as built, with a tenth to spare:
// they converge around the leads by construction and are left out of contact. With everything else these capsules
// collide. A graded mesentery's triangles span several columns, so that tubes just behind the zone may overlap some:
// these join it.
void list_overlaps(Model& model);

}  // namespace plica
