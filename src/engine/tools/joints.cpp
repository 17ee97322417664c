#include "engine/tools/joints.hpp"

#include "core/index.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

Pose pose_of(const RigidState& now) {
    return make_pose(now.turn, now.position);
}

// rad, of the drive: what the turn of the second one's path has along the axis.
double find_wanted(const StepContext& c, const Hinge& hinge, double share) {
    const RigidBody& rigid = c.model.rigids[at(hinge.rigid[1])];
    const ToolState& now = c.state.tools[at(rigid.tool)];
    const ToolInput& input = c.inputs.tools[at(rigid.tool)];
    const Vec3 turn = now.turn + (input.turn - now.turn) * share;
    return dot(turn - rigid.start.turn, hinge.axis);
}

}  // namespace

void aim_joints(StepContext& c) {
    for (std::size_t i = 0; i < c.model.hinges.size(); ++i) {
        const Hinge& hinge = c.model.hinges[i];
        Joint& joint = c.scratch.rigids.joints[i];
        joint = hinge.joint;
        for (int s = 0; s < 2; ++s) joint.side[s].given = pose_of(c.scratch.rigids.now[at(hinge.rigid[s])]);
        joint.start_angle =
            find_angle(pose_of(c.state.rigids[at(hinge.rigid[0])]), pose_of(c.state.rigids[at(hinge.rigid[1])]), joint);
        joint.wanted = find_wanted(c, hinge, c.share());
        joint.speed = (joint.wanted - find_wanted(c, hinge, c.share() - c.h / c.model.dt)) / c.h;
    }
}

void publish_joints(const Model& model, const State& state, Frame& frame) {
    const double rate = static_cast<double>(state.substeps) / model.dt;  // 1/s, of substeps
    for (std::size_t i = 0; i < model.hinges.size(); ++i) {
        const Hinge& hinge = model.hinges[i];
        const JointMemory& memory = state.joints[i];
        frame.joints[i].angle = find_angle(pose_of(state.rigids[at(hinge.rigid[0])]),
                                           pose_of(state.rigids[at(hinge.rigid[1])]), hinge.joint);
        frame.joints[i].drive = memory.drive * rate * rate;
        frame.joints[i].stop = memory.stop * rate * rate;
    }
}

}  // namespace plica
