#include "scene/build_joint.hpp"

#include <algorithm>
#include <cmath>

namespace plica {
namespace {

std::int32_t find_rigid(const Model& model, const std::string& name) {
    const auto found = std::find_if(model.rigids.begin(), model.rigids.end(), [&](const RigidBody& rigid) {
        return model.bodies[static_cast<std::size_t>(rigid.body)].name == name;
    });
    return static_cast<std::int32_t>(found - model.rigids.begin());
}

// kg m^2, about an axis through a place of the body's frame.
double inertia_about(const RigidBody& rigid, const Vec3& place, const Vec3& axis) {
    const Vec3 off = cross(place - rigid.centre, axis);
    return dot(axis, rigid.inertia * axis) + rigid.coupling.mass * squared_norm(off);
}

}  // namespace

void add_joint(const JointDescription& description, Model& model) {
    const Vec3& axis = description.axis;
    const Vec3 other = std::abs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = normalized(cross(axis, other));
    Hinge hinge;
    hinge.axis = axis;
    Joint& joint = hinge.joint;
    joint.radius = model.rigids[static_cast<std::size_t>(find_rigid(model, description.second))].half_thickness;
    for (int s = 0; s < 2; ++s) {
        hinge.rigid[s] = find_rigid(model, s == 0 ? description.first : description.second);
        const RigidBody& rigid = model.rigids[static_cast<std::size_t>(hinge.rigid[s])];
        const Pose back = invert(make_pose(rigid.start.turn, rigid.start.position));
        joint.side[s] = {rigid.floating, {}, apply(back, description.place), turn(back, axis), turn(back, across)};
    }
    joint.lower = description.lower;
    joint.upper = description.upper;
    joint.stiffness = description.stiffness;
    joint.max_torque = description.max_torque;
    const RigidBody& second = model.rigids[static_cast<std::size_t>(hinge.rigid[1])];
    const double inertia = inertia_about(second, joint.side[1].place, joint.side[1].axis);
    joint.damping = description.damping < 0.0 ? 2.0 * std::sqrt(description.stiffness * inertia) : description.damping;
    model.hinges.push_back(hinge);
}

}  // namespace plica
