#pragma once
#include "geometry/mesh/mesh.hpp"
#include "scene/file/nifty/document.hpp"
#include "scene/file/nifty/rigid_motion.hpp"

namespace plica::nifty {

// A rigid thing that a model's bodies touch, where it is at the start. It may be open: then it is touched from the side
// that its normals point to.
struct RigidSurface {
    std::string name;
    pugi::xml_node where;  // what speaks of it
    SurfaceMesh mesh;
    RigidMotion motion;
    double friction = 0.0;
};

// Closes an open surface by a second one, `depth` behind the first, and a seam. A closed one stays as it is. Throws
// Error where the surface has no normal.
void close_surface(SurfaceMesh& surface, double depth);

}  // namespace plica::nifty
