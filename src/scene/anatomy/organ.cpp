#include "scene/anatomy/organ.hpp"

#include <fmt/format.h>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "geometry/mesh/external.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/stuffing.hpp"

namespace plica {
namespace {

VolumeMesh fill(const OrganDescription& organ, const SurfaceMesh& surface) {
    if (organ.mesher == "tetgen") return mesh_with_tetgen(surface, organ.cell);
    if (organ.mesher == "gmsh") return mesh_with_gmsh(surface, organ.cell);
    return fill_surface(surface, organ.cell);
}

VolumeMesh read_file(const OrganDescription& organ, std::vector<std::string>* notes) {
    if (kind_of_mesh_file(*organ.files, organ.mesh) == MeshFile::volume) {
        std::vector<std::string> ignored;
        VolumeMesh mesh = read_volume_mesh(*organ.files, organ.mesh, organ.scale, &ignored);
        for (const std::string& each : ignored) {
            if (notes != nullptr) notes->push_back(organ.mesh + ": ignored " + each);
        }
        return mesh;
    }
    SurfaceMesh surface = read_surface_mesh(*organ.files, organ.mesh, organ.scale);
    repair_surface(surface, organ.mesh);
    return fill(organ, surface);
}

VolumeMesh make_shape(const OrganDescription& organ) {
    if (organ.shape == "liver") {
        return organ.own_size ? make_liver(organ.cell) : make_liver(organ.cell, organ.size);
    }
    if (organ.shape == "ball") return make_ball(organ.radius, organ.cell);
    if (organ.shape == "diaphragm") return make_diaphragm(organ.cells[0], organ.hexahedra);
    if (organ.shape == "slab") return make_slab();
    const Vec3 half = organ.size * 0.5;
    return organ.hexahedra ? make_hexahedral_block(-half, half, organ.cells)
                           : make_tetrahedral_block(-half, half, organ.cells);
}

}  // namespace

Vec3 turn_about_axes(Vec3 p, const Vec3& by) {
    if (by == Vec3{}) return p;
    const auto turn = [](double& a, double& b, double angle) {
        const double old = a;
        a = elementary::cos(angle) * old - elementary::sin(angle) * b;
        b = elementary::sin(angle) * old + elementary::cos(angle) * b;
    };
    turn(p.y, p.z, by.x);
    turn(p.z, p.x, by.y);
    turn(p.x, p.y, by.z);
    return p;
}

VolumeMesh make_organ_mesh(const OrganDescription& organ, std::vector<std::string>* notes) {
    const bool from_file = !organ.mesh.empty();
    VolumeMesh mesh = organ.given ? *organ.given : from_file ? read_file(organ, notes) : make_shape(organ);
    if (organ.given || from_file) {
        const MeshReport report = repair_mesh(mesh, from_file ? organ.mesh : "the mesh");
        if (notes != nullptr && report.slivers > 0) {
            notes->push_back(fmt::format("{} slivers; the worst is cell {} with an angle of {:.1f} degrees",
                                         report.slivers, report.worst_cell, report.worst_angle));
        }
    }
    for (Vec3& p : mesh.nodes) p = turn_about_axes(p, organ.turn) + organ.center;
    return mesh;
}

}  // namespace plica
