#pragma once
#include "collision/tree/hierarchy.hpp"

// Refitting of the hierarchy: boxes from the leaves up, and the marks that tell a search what has changed.
namespace plica {

// Corners of the patch are remembered where they are going, with the margin that lasts for this step at least.
void set_references(Hierarchy& tree, std::size_t patch, std::span<const Vec3> x, std::span<const Vec3> p);
// From the leaves up: volumes root .. end - 1.
void refit_boxes(Hierarchy& tree, std::int32_t root, std::int32_t end, double margin);
void merge_cones(Hierarchy& tree, std::int32_t root, std::int32_t end);

void clear_marks(Hierarchy& tree);
void touch(Hierarchy& tree, std::size_t patch);
// The volumes above patches that were touched.
void refit_ancestors(Hierarchy& tree);

}  // namespace plica
