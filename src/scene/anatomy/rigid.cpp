#include "scene/anatomy/rigid.hpp"

#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/surface.hpp"
#include "scene/anatomy/organ.hpp"

namespace plica {
namespace {

// The boundary of a volume, without the nodes inside.
SurfaceMesh make_boundary(const VolumeMesh& volume) {
    SurfaceMesh surface;
    std::vector<std::int32_t> number(volume.nodes.size(), -1);
    for (auto triangle : find_boundary(volume)) {
        for (std::int32_t& n : triangle) {
            std::int32_t& known = number[static_cast<std::size_t>(n)];
            if (known < 0) {
                known = static_cast<std::int32_t>(surface.nodes.size());
                surface.nodes.push_back(volume.nodes[static_cast<std::size_t>(n)]);
            }
            n = known;
        }
        surface.triangles.push_back(triangle);
    }
    return surface;
}

SurfaceMesh read_file(const RigidDescription& rigid) {
    if (kind_of_mesh_file(*rigid.files, rigid.mesh) == MeshFile::volume) {
        return make_boundary(read_volume_mesh(*rigid.files, rigid.mesh, rigid.scale, nullptr));
    }
    SurfaceMesh surface = read_surface_mesh(*rigid.files, rigid.mesh, rigid.scale);
    repair_surface(surface, rigid.mesh);
    return surface;
}

SurfaceMesh make_shape(const RigidDescription& rigid) {
    if (rigid.given) return *rigid.given;
    if (!rigid.mesh.empty()) return read_file(rigid);
    if (rigid.shape == "ribs") return make_ribs();
    if (rigid.shape == "bars") return make_bars(rigid.radius, rigid.length, rigid.apart);
    if (rigid.shape == "bar") return make_bar(rigid.radius, rigid.length);
    if (rigid.shape == "jaw") return make_forceps_jaw();
    if (rigid.shape == "ball") return make_icosphere(rigid.fineness, rigid.radius);
    const Vec3 half = rigid.size * 0.5;
    return make_boundary(make_tetrahedral_block(-half, half, {1, 1, 1}));
}

}  // namespace

SurfaceMesh make_rigid_mesh(const RigidDescription& rigid) {
    SurfaceMesh surface = make_shape(rigid);
    check_closed(surface, rigid.mesh.empty() ? "the surface of a rigid body" : rigid.mesh);
    for (Vec3& p : surface.nodes) p = turn_about_axes(p, rigid.turn) + rigid.center;
    return surface;
}

}  // namespace plica
