#include "scene/build_rigid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "geometry/mesh/mass.hpp"

namespace plica {
namespace {

SurfaceMesh mesh_of(const RigidBody& rigid, const Surface& surface) {
    SurfaceMesh mesh;
    mesh.nodes = rigid.local;
    const std::int32_t first = rigid.first_node;
    for (const Triangle& t : surface.triangles) {
        if (t.body == rigid.body) mesh.triangles.push_back({t.a - first, t.b - first, t.c - first});
    }
    return mesh;
}

Symmetric scale(const Symmetric& m, double s) {
    return {m.xx * s, m.yy * s, m.zz * s, m.xy * s, m.xz * s, m.yz * s};
}

}  // namespace

void add_rigid(const std::string& name, const RigidDescription& description, std::int32_t tool, const RigidState& start,
               Model& model) {
    const SurfaceMesh mesh = make_rigid_mesh(description);
    const auto first = static_cast<std::int32_t>(model.nodes());
    const auto body = static_cast<std::int32_t>(model.bodies.size());
    const auto nodes = static_cast<std::int32_t>(mesh.nodes.size());
    RigidBody rigid;
    rigid.body = body;
    rigid.first_node = first;
    rigid.tool = tool;
    rigid.local = mesh.nodes;
    rigid.half_thickness = 0.5 * description.thickness;
    rigid.start = start;
    for (const Vec3& p : mesh.nodes) rigid.radius = std::max(rigid.radius, norm(p));
    const Pose pose = make_pose(start.turn, start.position);
    for (const Vec3& p : mesh.nodes) model.rest.push_back(apply(pose, p));
    model.inverse_mass.resize(model.rest.size(), 0.0);
    model.contact_radius.resize(model.rest.size(), -1.0);  // walls stop it as a whole, see stop_by_walls()
    model.column.resize(model.rest.size(), -1);
    const double half = rigid.half_thickness;
    for (const auto& t : mesh.triangles) {
        model.surface.triangles.push_back(
            {first + t[0], first + t[1], first + t[2], half, body, -1, -1, -1, true, false});
    }
    const bool from_file = description.given != nullptr || !description.mesh.empty();
    model.bodies.push_back(
        {name, TissueKind::rigid, first, nodes, {}, from_file ? std::string() : description.shape, tool});
    model.rigids.push_back(std::move(rigid));
}

void add_rigid_body(const BodyDescription& body, bool /*exact*/, Model& model) {
    add_rigid(body.name, body.rigid, -1, {}, model);
}

void stop_by_walls(Model& model) {
    RigidBody& rigid = model.rigids.back();
    for (const Wall& wall : model.walls) {
        const auto is_through = [&](std::size_t n) {
            return sample_wall(wall, model.rest[n]).distance < rigid.half_thickness - 1e-6;
        };
        bool through = false;
        const auto first = static_cast<std::size_t>(rigid.first_node);
        for (std::size_t n = first; n < first + rigid.local.size(); ++n) through = through || is_through(n);
        rigid.stopped_by.push_back(through ? 0 : 1);
    }
}

void couple(const Coupling& coupling, Model& model) {
    const auto others =
        std::count_if(model.rigids.begin(), model.rigids.end(), [](const RigidBody& r) { return r.floating >= 0; });
    RigidBody& rigid = model.rigids.back();
    const MassShape shape = compute_mass_shape(mesh_of(rigid, model.surface));
    if (!(shape.volume > 0.0)) {
        throw Error(fmt::format("{}: its surface encloses no volume; expected one that does, for a tool with stiffness",
                                model.bodies[static_cast<std::size_t>(rigid.body)].name));
    }
    rigid.floating = static_cast<std::int32_t>(others);
    rigid.centre = shape.centre;
    rigid.inertia = scale(shape.inertia, coupling.mass);
    rigid.coupling = coupling;
    Coupling& own = rigid.coupling;
    // By default it turns as fast as it moves, on the mean of its axes, and neither swings over.
    const double gyration = trace(shape.inertia) / 3.0;  // m^2
    if (own.damping < 0.0) own.damping = 2.0 * std::sqrt(own.stiffness * own.mass);
    if (own.turn_stiffness < 0.0) own.turn_stiffness = own.stiffness * gyration;
    if (own.turn_damping < 0.0) own.turn_damping = 2.0 * std::sqrt(own.turn_stiffness * own.mass * gyration);
}

}  // namespace plica
