#include "scene/file/nifty/rigid_motion.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"

namespace plica::nifty {
namespace {

constexpr double most_pieces = 200.0;  // of a curved way; straight ones between them leave 2e-5 of it at most

struct Quaternion {
    double w = 1.0;
    Vec3 v;
};

// First b, then a.
Quaternion compose(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - dot(a.v, b.v), b.v * a.w + a.v * b.w + cross(a.v, b.v)};
}

Quaternion turn_about(const Vec3& axis, double angle) {
    return {elementary::cos(0.5 * angle), axis * elementary::sin(0.5 * angle)};
}

// The direction is the axis, the length the angle, which goes on beyond half a turn as w becomes negative.
Vec3 to_vector(const Quaternion& q) {
    const double sine = norm(q.v);
    return sine > 0.0 ? q.v * (2.0 * elementary::atan2(sine, q.w) / sine) : Vec3{};
}

bool is_about_one_axis(const Vec3& angles) {
    return (angles.x != 0.0 ? 1 : 0) + (angles.y != 0.0 ? 1 : 0) + (angles.z != 0.0 ? 1 : 0) <= 1;
}

Vec3 turn_at(const Vec3& angles, double share) {
    if (is_about_one_axis(angles)) return angles * share;
    const Quaternion x = turn_about({1, 0, 0}, angles.x * share), y = turn_about({0, 1, 0}, angles.y * share),
                     z = turn_about({0, 0, 1}, angles.z * share);
    return to_vector(compose(z, compose(y, x)));
}

}  // namespace

std::vector<Waypoint> make_path(const RigidMotion& motion, double seconds, double step) {
    const bool straight = !motion.smooth && is_about_one_axis(motion.angles);
    const double piece = straight ? seconds : step * std::ceil(seconds / step / most_pieces - 1e-9);
    const int count = std::max(1, static_cast<int>(std::ceil(seconds / piece - 1e-6)));
    const Ramp ramp{motion.smooth ? RampShape::smooth : RampShape::linear, 0.0, seconds};
    std::vector<Waypoint> path;
    for (int i = 0; i <= count; ++i) {
        Waypoint point;
        point.t = i == count ? seconds : piece * i;
        const double share = i == count ? 1.0 : ramp.at(point.t);
        point.kind = i == 0 ? WaypointKind::at : WaypointKind::to;
        point.where = motion.center + motion.translation * share;
        point.turn = turn_at(motion.angles, share);
        path.push_back(point);
    }
    return path;
}

}  // namespace plica::nifty
