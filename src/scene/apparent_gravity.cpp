#include "scene/apparent_gravity.hpp"

#include <numbers>

#include "core/elementary.hpp"

namespace plica {
namespace {

constexpr double turn_rounding = 1e-9;  // s, rounding of step times

// By 90 degrees, without sines: a multiple of the axes stays one however often it turns.
Vec3 turned(const Vec3& v, const Vec3& axis) {
    return cross(axis, v) + axis * dot(axis, v);
}

Vec3 turned(Vec3 v, const GravityTurn& turn, double time) {
    const auto turns = static_cast<std::size_t>((time + turn_rounding) / turn.every);
    for (std::size_t i = 0; i < turns; ++i) v = turned(v, turn.axes[i % turn.axes.size()]);
    return v;
}

// The cavity is at amplitude sin(2 pi f t); what is in it feels the opposite of its acceleration.
Vec3 shaken(const Shake& shake, double from, double to) {
    const double rate = 2.0 * std::numbers::pi * shake.frequency;
    const double gained = shake.amplitude * rate * (elementary::cos(rate * to) - elementary::cos(rate * from));
    return shake.direction * (-gained / (to - from));
}

}  // namespace

Vec3 compute_apparent_gravity(const SceneDescription& scene, double from, double to) {
    Vec3 gravity = scene.gravity;
    if (scene.gravity_turn) gravity = turned(gravity, *scene.gravity_turn, from);
    if (scene.shake) gravity += shaken(*scene.shake, from, to);
    return gravity;
}

}  // namespace plica
