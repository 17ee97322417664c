#include "contact/joints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/respond.hpp"
#include "core/elementary.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// Rows of a joint: three for the place, two for the axis, the last for the angle. A row moves side 1 along `along` and
// turns it about `about`, and side 0 the other way.
constexpr int joint_rows = 6, angle_row = 5;
struct JointRow {
    Vec3 along{}, about[2]{};
};

// The joint where its bodies are now.
struct JointNow {
    JointRow row[joint_rows];
    double error[joint_rows];  // m and rad; of the last row: the angle
};

FloatingBody* body_at(const ContactWorld& world, const Joint::Side& side) {
    return side.body >= 0 ? &world.floating->bodies[at(side.body)] : nullptr;
}
const Pose& pose_at(const ContactWorld& world, const Joint::Side& side) {
    const FloatingBody* body = body_at(world, side);
    return body != nullptr ? body->pose : side.given;
}

// m, from the centre of mass to the joint, as the body is turned at the start of the substep.
Vec3 arm_of(const FloatingBody* body, const Joint::Side& side) {
    return body != nullptr ? turn(body->turned, side.place - body->centre) : Vec3{};
}

JointNow measure_joint(const ContactWorld& world, const Joint& joint) {
    const Pose &first = pose_at(world, joint.side[0]), &second = pose_at(world, joint.side[1]);
    const Vec3 axis = turn(first, joint.side[0].axis);
    const Vec3 across[2] = {turn(first, joint.side[0].across), cross(axis, turn(first, joint.side[0].across))};
    const Vec3 apart = apply(second, joint.side[1].place) - apply(first, joint.side[0].place);
    const Vec3 lean = cross(axis, turn(second, joint.side[1].axis));
    const Vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    JointNow now;
    for (int k = 0; k < 3; ++k) {
        now.row[k].along = units[k];
        for (int s = 0; s < 2; ++s)
            now.row[k].about[s] = cross(arm_of(body_at(world, joint.side[s]), joint.side[s]), units[k]);
        now.error[k] = dot(apart, units[k]);
    }
    for (int k = 3; k < joint_rows; ++k) {
        const Vec3& about = k == angle_row ? axis : across[k - 3];
        now.row[k].about[0] = now.row[k].about[1] = about;
        now.error[k] = k == angle_row ? find_angle(first, second, joint) : dot(lean, about);
    }
    return now;
}

// How far a unit of row j moves row i: J M^-1 J^T.
double compliance_of(const ContactWorld& world, const Joint& joint, const JointRow& i, const JointRow& j) {
    double sum = 0.0;
    for (int s = 0; s < 2; ++s) {
        const FloatingBody* body = body_at(world, joint.side[s]);
        if (body == nullptr) continue;
        sum += body->inverse_mass * dot(i.along, j.along) + dot(i.about[s], body->inverse_inertia * j.about[s]);
    }
    return sum;
}

void push_joint(const ContactWorld& world, const Joint& joint, const Vec3& push, const Vec3& torque) {
    for (int s = 0; s < 2; ++s) {
        FloatingBody* body = body_at(world, joint.side[s]);
        if (body == nullptr) continue;
        const double sign = s == 0 ? -1.0 : 1.0;
        const Vec3 arm = arm_of(body, joint.side[s]);
        move_body(*body, push * sign, (cross(arm, push) + torque) * sign);
    }
}

double by_the_shorter_way(double angle) {
    return std::remainder(angle, 2.0 * std::numbers::pi);
}

// What drive and limits add about the axis, where the rest of the joint is solved: the angle is then `angle`, and a
// unit opens it by `compliance`.
double solve_angle(const Joint& joint, double h, double angle, double compliance, JointMemory& memory) {
    constexpr int patience = 30;
    const double stiff = joint.stiffness * h * h + joint.damping * h, most = joint.max_torque * h * h;
    const double before = memory.drive + memory.stop;
    for (int k = 0; k < patience; ++k) {
        // Spring to where it is wanted, damper against the wanted motion, implicit as a hold's.
        const double torque = by_the_shorter_way(joint.wanted - angle) * joint.stiffness * h * h +
                              (joint.speed * h - by_the_shorter_way(angle - joint.start_angle)) * joint.damping * h;
        const double drive =
            std::clamp(memory.drive + (torque - memory.drive) / (1.0 + compliance * stiff), -most, most);
        angle += compliance * (drive - memory.drive);
        memory.drive = drive;
        const double up = memory.stop + (joint.lower - angle) / compliance;
        const double down = memory.stop + (joint.upper - angle) / compliance;
        const double stop = up > 0.0 ? up : std::min(down, 0.0);
        const double change = compliance * (stop - memory.stop);
        angle += change;
        memory.stop = stop;
        if (std::abs(change) < 1e-12) break;
    }
    return memory.drive + memory.stop - before;
}

// L D L^T of the joint's compliances, the angle last: what is left of it is by how much the angle gives when the other
// rows hold.
struct JointFactor {
    double lower[joint_rows][joint_rows] = {};
    double pivot[joint_rows] = {};
};
JointFactor factor_joint(const ContactWorld& world, const Joint& joint, const JointNow& now) {
    JointFactor f;
    for (int i = 0; i < joint_rows; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = compliance_of(world, joint, now.row[i], now.row[j]);
            for (int k = 0; k < j; ++k) sum -= f.lower[i][k] * f.lower[j][k] * f.pivot[k];
            if (i == j) {
                f.pivot[i] = sum;
            } else {
                f.lower[i][j] = sum / f.pivot[j];
            }
        }
    }
    return f;
}

// Returns the correction, in contact radii.
double solve_joint(const ContactWorld& world, const Joint& joint, JointMemory& memory) {
    const JointNow now = measure_joint(world, joint);
    const JointFactor f = factor_joint(world, joint, now);
    double value[joint_rows];
    for (int i = 0; i < joint_rows; ++i) {
        value[i] = -now.error[i];
        for (int j = 0; j < i; ++j) value[i] -= f.lower[i][j] * value[j];
    }
    const double turned = solve_angle(joint, world.h, -value[angle_row], f.pivot[angle_row], memory);
    value[angle_row] = turned;
    for (int i = angle_row - 1; i >= 0; --i) {
        value[i] /= f.pivot[i];
        for (int j = i + 1; j < joint_rows; ++j) value[i] -= f.lower[j][i] * value[j];
    }
    const Vec3 push{value[0], value[1], value[2]};
    const Vec3 bend = now.row[3].about[1] * value[3] + now.row[4].about[1] * value[4];
    push_joint(world, joint, push, bend + now.row[angle_row].about[1] * turned);
    memory.push += push;
    memory.bend += bend;
    const double off = norm({now.error[0], now.error[1], now.error[2]}) / joint.radius;
    return std::max({off, std::abs(now.error[3]), std::abs(now.error[4]), std::abs(turned) * f.pivot[angle_row]});
}

}  // namespace

double find_angle(const Pose& first, const Pose& second, const Joint& joint) {
    const Vec3 axis = turn(first, joint.side[0].axis);
    const Vec3 from = turn(first, joint.side[0].across), to = turn(second, joint.side[1].across);
    return elementary::atan2(dot(cross(from, to), axis), dot(from, to));
}

void warm_start_joints(ContactWorld& world) {
    for (std::size_t i = 0; i < world.joints.size(); ++i) {
        const Joint& joint = world.joints[i];
        const JointMemory& memory = world.joint_memory[i];
        const Vec3 axis = turn(pose_at(world, joint.side[0]), joint.side[0].axis);
        push_joint(world, joint, memory.push, memory.bend + axis * (memory.drive + memory.stop));
    }
}

double solve_joints(ContactWorld& world) {
    constexpr int patience = 100;
    constexpr double enough = 0.1;  // of the tolerance
    double first = 0.0;
    for (int pass = 0; pass < patience; ++pass) {
        double moved = 0.0;
        for (std::size_t i = 0; i < world.joints.size(); ++i)
            moved = std::max(moved, solve_joint(world, world.joints[i], world.joint_memory[i]));
        if (pass == 0) first = moved;
        if (moved <= enough * world.settings.tolerance) break;
    }
    return first;
}

}  // namespace plica
