#pragma once
#include <optional>

#include "scene/file/nifty/rigid_surface.hpp"

namespace plica::nifty {

// ContactPlate, ContactCylinder or ContactUSProbe: surfaces made of formulas, which move as POLY345 says. None after a
// complaint.
std::optional<RigidSurface> read_contact_object(Document& document, const pugi::xml_node& node);

}  // namespace plica::nifty
