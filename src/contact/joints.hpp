#pragma once
#include <cstdint>
#include <vector>

#include "geometry/pose.hpp"

// Hinges between rigid bodies: rows that hold a point and an axis of both together, with a drive and limits about it.
namespace plica {

struct ContactWorld;
struct ContactScratch;

// A substep of one. Side 1 turns on side 0.
struct Joint {
    struct Side {
        std::int32_t body = -1;  // a floating one; -1: its way is given
        Pose given{};            // of such a one, at the end of the substep
        // In the body's frame.
        Vec3 place{};           // m, a point of the axis
        Vec3 axis{}, across{};  // unit; what the angle is measured by
    };
    Side side[2];
    double lower = 0.0, upper = 0.0;        // rad, from how it was built
    double stiffness = 0.0, damping = 0.0;  // N m/rad and N m s/rad, of the drive
    double max_torque = 0.0;                // N m
    double wanted = 0.0, speed = 0.0;       // rad and rad/s, that the drive leads to by the end of the substep
    double start_angle = 0.0;               // rad
    double radius = 0.0;                    // m, that errors are measured by
};

// What a joint gave to side 1 in the last substep.
struct JointMemory {
    static constexpr bool packed_doubles = true;
    Vec3 push;           // kg m, at the axis
    Vec3 bend;           // kg m^2, across it
    double drive = 0.0;  // kg m^2, about it
    double stop = 0.0;   // kg m^2, of the limits
};

// rad, of side 1 against side 0, in (-pi, pi].
double find_angle(const Pose& first, const Pose& second, const Joint& joint);

// Gives last substep's multipliers to the bodies.
void warm_start_joints(ContactWorld& world);
// Passes over the joints, each solved as a whole, until none is corrected by more than the tolerance. Returns the
// largest correction of the first, in contact radii.
double solve_joints(ContactWorld& world);

}  // namespace plica
