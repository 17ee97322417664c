#pragma once
#include <optional>
#include <string>

#include "engine/inputs.hpp"
#include "engine/model.hpp"
#include "render/renderer.hpp"

namespace plica::desktop {

// What a user has set; panels and keys change it.
struct Settings {
    bool paused = false;
    double speed = 1.0;  // simulated seconds a second
    Tuning tuning;
    float tilt_forward = 0.0F, tilt_sideways = 0.0F;  // rad, of gravity
    render::Style style;
    bool panel = true;
    bool help = false;
};

// What gravity the tilt makes of the scene's own, m/s^2; none while it is not tilted.
std::optional<Vec3> tilted_gravity(const Settings& settings, const Vec3& gravity);

// "0.6 x real time", "paused".
std::string describe_pace(const Settings& settings, double pace);

}  // namespace plica::desktop
