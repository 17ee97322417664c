#include "render/camera.hpp"

#include <algorithm>
#include <cmath>

namespace plica::render {
Vec3 Camera::forward() const {
    return {-std::cos(elevation) * std::cos(azimuth), -std::cos(elevation) * std::sin(azimuth), -std::sin(elevation)};
}

Vec3 Camera::right() const {
    return {-std::sin(azimuth), std::cos(azimuth), 0.0};
}

Vec3 Camera::up() const {
    return cross(right(), forward());
}

Vec3 Camera::eye() const {
    return target - distance * forward();
}

Matrix Camera::view() const {
    return look(eye(), right(), up(), forward());
}

Matrix Camera::projection(double aspect) const {
    return perspective(field, aspect, nearest(), farthest());
}

Ray ray_through(const Camera& camera, double aspect, double x, double y) {
    const double half = std::tan(0.5 * camera.field);
    const Vec3 direction =
        camera.forward() + camera.right() * ((2.0 * x - 1.0) * half * aspect) + camera.up() * ((1.0 - 2.0 * y) * half);
    return {camera.eye(), normalized(direction)};
}

Vec3 place_in_picture(const Camera& camera, double aspect, const Vec3& point) {
    const double half = std::tan(0.5 * camera.field);
    const Vec3 d = point - camera.eye();
    const double depth = dot(d, camera.forward());
    const double x = dot(d, camera.right()) / (depth * half * aspect);
    const double y = dot(d, camera.up()) / (depth * half);
    return {0.5 * (1.0 + x), 0.5 * (1.0 - y), depth};
}

namespace {

// How far the eye must be for all organs to be in a picture of 4 : 3, with a little room around them, m.
double distance_to_see(const std::vector<Organ>& organs, std::span<const Vec3> positions, const Camera& camera) {
    constexpr double room = 0.9, aspect = 4.0 / 3.0;
    const double tall = room * std::tan(0.5 * camera.field), wide = aspect * tall;
    double far = 0.0;
    for (const Organ& organ : organs) {
        for (const std::int32_t n : organ.nodes) {
            const Vec3 d = positions[static_cast<std::size_t>(n)] - camera.target;
            const double across = std::abs(dot(d, camera.right())) / wide, up = std::abs(dot(d, camera.up())) / tall;
            far = std::max(far, std::max(across, up) - dot(d, camera.forward()));
        }
    }
    return far;
}

}  // namespace

Camera choose_camera(const Drawing& drawing, std::span<const Vec3> positions) {
    Camera camera;
    camera.azimuth = -1.25;
    camera.elevation = 0.95;
    Vec3 lo{1e30, 1e30, 1e30}, hi = -1.0 * lo;
    const auto widen = [&](const Vec3& p, double r) {
        lo = {std::min(lo.x, p.x - r), std::min(lo.y, p.y - r), std::min(lo.z, p.z - r)};
        hi = {std::max(hi.x, p.x + r), std::max(hi.y, p.y + r), std::max(hi.z, p.z + r)};
    };
    for (const Tube& tube : drawing.tubes) {
        for (std::size_t i = 0; i < tube.nodes.size(); ++i) {
            widen(positions[static_cast<std::size_t>(tube.nodes[i])], tube.radius[i]);
        }
    }
    for (const Sheet& sheet : drawing.sheets) {
        for (const std::int32_t n : sheet.nodes) widen(positions[static_cast<std::size_t>(n)], 0.0);
    }
    for (const Organ& organ : drawing.organs) {
        for (const std::int32_t n : organ.nodes) widen(positions[static_cast<std::size_t>(n)], 0.0);
    }
    for (const Solid& solid : drawing.solids) {
        if (solid.kind == SolidKind::bowl) widen(solid.center - Vec3{0, 0, 0.5 * solid.radii.x}, 0.8 * solid.radii.x);
    }
    if (lo.x > hi.x) return camera;
    for (const Solid& solid : drawing.solids) {  // what hangs over a plane will lie on it
        const double below = lo.z - solid.center.z;
        if (solid.kind == SolidKind::plane && below > 0.0 && below < norm(hi - lo)) lo.z = solid.center.z;
    }
    camera.target = 0.5 * (lo + hi);
    camera.distance = 0.36 * norm(hi - lo) / std::tan(0.5 * camera.field);
    camera.distance = std::max(camera.distance, distance_to_see(drawing.organs, positions, camera));
    return camera;
}

}  // namespace plica::render
