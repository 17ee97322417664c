#pragma once
#include "geometry/vec3.hpp"

namespace plica::render {

// A frame that moves along a curve; the third axis is tangent x normal.
struct MovingFrame {
    Vec3 position;         // m
    Vec3 tangent, normal;  // unit, across each other
};

// The normal to start with. The paper starts with Frenet's, which jumps where the curvature passes zero and so makes
// the whole tube spin. This one is a fixed vector carried along the smallest rotation from a fixed direction to the
// tangent: it moves smoothly with it, except for a tangent opposite to that direction, which lies along no axis or
// diagonal of the world. No choice without memory can do without such an exception.
Vec3 compute_start_normal(const Vec3& tangent);

// Turns the frame to another tangent by the smallest rotation. Opposite tangents turn about tangent x normal.
MovingFrame turn_to(const MovingFrame& frame, const Vec3& tangent);

// Carries the frame on with the least rotation about the tangent: double reflection (Wang, Juettler, Zheng and Liu
// 2008), of fourth order in the step, where the projection of eq. 12 is of second order.
MovingFrame move_to(const MovingFrame& frame, const Vec3& position, const Vec3& tangent);

}  // namespace plica::render
