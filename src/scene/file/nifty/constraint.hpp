#pragma once
#include "scene/anatomy/organ.hpp"
#include "scene/file/nifty/model_mesh.hpp"

namespace plica::nifty {

// The model's constraints as motions and loads that reach their full size when `total_time` (s) is over.
void read_constraints(Document& document, const pugi::xml_node& model, const ModelMesh& mesh, double total_time,
                      OrganDescription& organ);

}  // namespace plica::nifty
