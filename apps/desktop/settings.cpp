#include "apps/desktop/settings.hpp"

#include <fmt/format.h>

#include <cmath>

namespace plica::desktop {

std::optional<Vec3> tilted_gravity(const Settings& settings, const Vec3& gravity) {
    if (settings.tilt_forward == 0.0F && settings.tilt_sideways == 0.0F) return {};
    const auto a = static_cast<double>(settings.tilt_forward), b = static_cast<double>(settings.tilt_sideways);
    // About x, then about y.
    const Vec3 g{gravity.x, gravity.y * std::cos(a) - gravity.z * std::sin(a),
                 gravity.y * std::sin(a) + gravity.z * std::cos(a)};
    return Vec3{g.x * std::cos(b) + g.z * std::sin(b), g.y, g.z * std::cos(b) - g.x * std::sin(b)};
}

std::string describe_pace(const Settings& settings, double pace) {
    if (settings.paused) return "paused";
    if (pace == 0.0) return "starting";
    return pace < 0.1 ? fmt::format("{:.2f} x real time", pace) : fmt::format("{:.1f} x real time", pace);
}

}  // namespace plica::desktop
