#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/file_source.hpp"
#include "geometry/mesh/mesh.hpp"
#include "scene/anatomy/places.hpp"
#include "tissue/tled/organ.hpp"

namespace plica {

struct MotionDescription {
    Motion motion;  // without nodes
    NodeSelection where;
};

// A solid body: its shape, what it is made of and what acts on it.
struct OrganDescription {
    std::string shape;                               // block | ball | liver | diaphragm | slab; empty: `mesh`
    std::string mesh;                                // a file
    Files files = std::make_shared<FileSource>("");  // where it is read from
    double scale = 1.0;
    std::string mesher = "stuffing";          // of a closed surface: stuffing | tetgen | gmsh
    std::shared_ptr<const VolumeMesh> given;  // a mesh that an importer read
    double cell = 0.0;                        // m
    double radius = 0.05;                     // m, ball
    Vec3 size{0.1, 0.1, 0.1};                 // m, block; liver, unless it has its own
    bool own_size = true;
    std::array<int, 3> cells{4, 4, 4};  // block; the first is the diaphragm's number
    Vec3 turn;                          // rad, about x, then y, then z
    Vec3 center;                        // m, added to the places then

    tled::OrganSettings settings;
    bool hexahedra = false;  // where the shape can have them
    tled::Material material;
    std::map<std::string, tled::Material> of_region;  // where a region's differs
    std::vector<tled::Material> by_region;            // an importer's: all of them
    double damping = 0.0;                             // 1/s
    bool relax = false;
    double thickness = 0.0;  // m, that contact adds to the surface; 0: by the mesh
    bool self_contact = true;
    std::vector<LoadDescription> loads;
    std::vector<MotionDescription> motions;
};

// p turned about x, then y, then z, rad.
Vec3 turn_about_axes(Vec3 p, const Vec3& by);

// The mesh of the description at its place, sound, and what was noted about it (one line each; may be nullptr).
VolumeMesh make_organ_mesh(const OrganDescription& organ, std::vector<std::string>* notes);

}  // namespace plica
