#pragma once
#include "scene/file/nifty/model_mesh.hpp"
#include "tissue/tled/material.hpp"

namespace plica::nifty {

// The materials of the model's element sets; the mesh's cells learn which one is theirs. `density` (kg/m^3) is that of
// a material that has none of its own; 0: each must have one.
std::vector<tled::Material> read_materials(Document& document, const pugi::xml_node& model, double density,
                                           ModelMesh& mesh);

}  // namespace plica::nifty
