#pragma once
#include "core/file_source.hpp"
#include "scene/description.hpp"
#include "scene/file/nifty/system.hpp"

// What touches what in a model, and its rigid surfaces.
namespace plica::nifty {

// Elements of a model that are rigid surfaces.
inline const Names contact_parts{"ContactSurface", "ContactPlate", "ContactCylinder", "ContactUSProbe"};

// What contact must know of a body that was read.
struct TouchedBody {
    pugi::xml_node where;
    std::size_t pieces = 1;  // of its mesh
    double edge = 0.0;       // m, mean of its surface
};

// Reads the model's rigid surfaces, as bodies where they stand and as tools where they move, and sets contact of all
// bodies that the scene has: `touched` tells of each.
void read_contact(Document& document, const pugi::xml_node& model, FileSource& files, const System& system,
                  const std::vector<TouchedBody>& touched, SceneDescription& scene);

}  // namespace plica::nifty
