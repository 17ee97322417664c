#pragma once
#include <memory>
#include <string>

#include "core/file_source.hpp"
#include "geometry/mesh/mesh.hpp"

namespace plica {

// The shape of a rigid thing: an instrument, a bone, a table with corners.
struct RigidDescription {
    std::string shape = "ball";                      // ball | block | ribs | bar | bars | jaw; empty: `mesh`
    std::string mesh;                                // a file with a closed surface, or a volume whose boundary it is
    Files files = std::make_shared<FileSource>("");  // where it is read from
    double scale = 1.0;
    std::shared_ptr<const SurfaceMesh> given;  // a surface that an importer read
    double radius = 0.01;                      // m, ball, bar, bars
    double length = 0.2;                       // m, bar, bars
    double apart = 0.09;                       // m, bars
    int fineness = 3;                          // ball: how often its 20 triangles are quartered
    Vec3 size{0.1, 0.1, 0.1};                  // m, block
    Vec3 turn;                                 // rad, about x, then y, then z
    Vec3 center;                               // m, added to the places then
    double thickness = 0.001;                  // m, that contact adds to the surface
};

// Closed, and counterclockwise seen from outside. Throws Error where a file's is not.
SurfaceMesh make_rigid_mesh(const RigidDescription& rigid);

}  // namespace plica
