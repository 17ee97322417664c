#pragma once
#include "scene/file/nifty/model_mesh.hpp"

// Where a constraint acts.
namespace plica::nifty {

// Nodes of the mesh in the order of the constraint's list; -1 stands for one of no element. False after a
// complaint, or where there are none.
bool read_place(Document& document, const pugi::xml_node& constraint, const ModelMesh& mesh,
                std::vector<std::int32_t>& nodes);

// Faces in the order of the list, as the list turns them.
bool read_faces(Document& document, const pugi::xml_node& constraint, const ModelMesh& mesh, std::vector<Face>& faces);

}  // namespace plica::nifty
