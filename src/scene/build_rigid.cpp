#include "scene/build_rigid.hpp"

#include <algorithm>

namespace plica {

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
    rigid.start = start;
    for (const Vec3& p : mesh.nodes) rigid.radius = std::max(rigid.radius, norm(p));
    const Pose pose = make_pose(start.turn, start.position);
    for (const Vec3& p : mesh.nodes) model.rest.push_back(apply(pose, p));
    model.inverse_mass.resize(model.rest.size(), 0.0);
    model.contact_radius.resize(model.rest.size(), -1.0);  // its way is given; walls do not stop it
    model.column.resize(model.rest.size(), -1);
    const double half = 0.5 * description.thickness;
    for (const auto& t : mesh.triangles) {
        model.surface.triangles.push_back(
            {first + t[0], first + t[1], first + t[2], half, body, -1, -1, -1, true, false});
    }
    const bool from_file = description.given != nullptr || !description.mesh.empty();
    model.bodies.push_back({name, "rigid", first, nodes, {}, from_file ? std::string() : description.shape});
    model.rigids.push_back(std::move(rigid));
}

}  // namespace plica
