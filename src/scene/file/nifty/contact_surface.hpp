#pragma once
#include <optional>

#include "core/file_source.hpp"
#include "scene/file/nifty/rigid_surface.hpp"

namespace plica::nifty {

// ContactSurface: a mesh, in the model or in a file relative to the source's folder, that stands or moves evenly. None
// after a complaint.
std::optional<RigidSurface> read_contact_surface(Document& document, const pugi::xml_node& node, FileSource& files);

// The list of nodes that alone are to touch is looked at, but what touches is the whole surface of all bodies.
void check_slaves(Document& document, const pugi::xml_node& node);

}  // namespace plica::nifty
