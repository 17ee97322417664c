#include "render/moving_frame.hpp"

namespace plica::render {
namespace {

// Across the tangent again and of length one, after a step that leaves both true to rounding: one step of Newton for
// the root.
Vec3 cleaned(const Vec3& normal, const Vec3& tangent) {
    const Vec3 across = normal - dot(normal, tangent) * tangent;
    return across * (0.5 * (3.0 - squared_norm(across)));
}

Vec3 reflected(const Vec3& v, const Vec3& mirror, double over) {
    return v - (2.0 * over * dot(mirror, v)) * mirror;
}

}  // namespace

Vec3 compute_start_normal(const Vec3& tangent) {
    constexpr Vec3 along{0.48, 0.64, 0.6}, across{-0.8, 0.6, 0.0};
    return turn_to({{}, along, across}, tangent).normal;
}

// The rotation from s to t moves v, which is across s, to v - (t.v)/(1 + s.t) (s + t).
MovingFrame turn_to(const MovingFrame& frame, const Vec3& tangent) {
    const double one_and_cos = 1.0 + dot(frame.tangent, tangent);
    if (one_and_cos < 1e-14) return {frame.position, tangent, normalized(cleaned(-frame.normal, tangent))};
    const Vec3 turned = frame.normal - (dot(tangent, frame.normal) / one_and_cos) * (frame.tangent + tangent);
    return {frame.position, tangent, normalized(cleaned(turned, tangent))};
}

MovingFrame move_to(const MovingFrame& frame, const Vec3& position, const Vec3& tangent) {
    const Vec3 step = position - frame.position;
    const double step2 = squared_norm(step);
    const double over = 1.0 / step2;
    const Vec3 second = tangent - reflected(frame.tangent, step, over);
    const double second2 = squared_norm(second);
    // No step, or one across the tangents: there is nothing to reflect in.
    if (!(step2 > 1e-30 && second2 > 1e-6)) {
        MovingFrame turned = turn_to(frame, tangent);
        turned.position = position;
        return turned;
    }
    const Vec3 normal = reflected(reflected(frame.normal, step, over), second, 1.0 / second2);
    return {position, tangent, cleaned(normal, tangent)};
}

}  // namespace plica::render
