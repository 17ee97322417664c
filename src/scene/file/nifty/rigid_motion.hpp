#pragma once
#include <vector>

#include "scene/description.hpp"

namespace plica::nifty {

// How a rigid surface moves in the time of the model.
struct RigidMotion {
    Vec3 translation;     // m, in all
    Vec3 angles;          // rad, in all, about x, then y, then z
    Vec3 center;          // m, of the rotation, moved with the translation
    bool smooth = false;  // as POLY345 says; else evenly

    [[nodiscard]] bool moves() const { return norm(translation) > 0.0 || norm(angles) > 0.0; }
};

// The most that the angles of a rotation about several axes may add up to, rad: the vector that a tool's turn is has no
// direction at a whole turn.
inline constexpr double most_turn = 6.0;

// The way of the rigid thing's own frame, whose origin is the center, from 0 to `seconds`. A curved one has a waypoint
// at the end of every step, or of every so many: within a step a script sees no more than one.
std::vector<Waypoint> make_path(const RigidMotion& motion, double seconds, double step);

}  // namespace plica::nifty
