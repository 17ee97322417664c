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

struct Box {
    Vec3 lo{1e30, 1e30, 1e30}, hi{-1e30, -1e30, -1e30};  // m

    void widen(const Vec3& p, double r = 0.0) {
        lo = {std::min(lo.x, p.x - r), std::min(lo.y, p.y - r), std::min(lo.z, p.z - r)};
        hi = {std::max(hi.x, p.x + r), std::max(hi.y, p.y + r), std::max(hi.z, p.z + r)};
    }
    [[nodiscard]] bool is_empty() const { return lo.x > hi.x; }
    [[nodiscard]] double size() const { return norm(hi - lo); }
    [[nodiscard]] Vec3 nearest(const Vec3& p) const {
        return {std::clamp(p.x, lo.x, hi.x), std::clamp(p.y, lo.y, hi.y), std::clamp(p.z, lo.z, hi.z)};
    }
};

// Around all that is soft.
Box box_of_tissue(const Drawing& drawing, std::span<const Vec3> positions) {
    Box box;
    for (const Tube& tube : drawing.tubes) {
        for (std::size_t i = 0; i < tube.nodes.size(); ++i) {
            box.widen(positions[static_cast<std::size_t>(tube.nodes[i])], tube.radius[i]);
        }
    }
    for (const Sheet& sheet : drawing.sheets) {
        for (const std::int32_t n : sheet.nodes) box.widen(positions[static_cast<std::size_t>(n)]);
    }
    for (const Organ& organ : drawing.organs) {
        if (is_rigid(organ.look)) continue;
        for (const std::int32_t n : organ.nodes) box.widen(positions[static_cast<std::size_t>(n)]);
    }
    return box;
}

// Points that a picture is to show: of organs, and of tubes among several. Of what is rigid, only what is near to
// tissue: neither a table nor an instrument that waits far away makes the rest small.
std::vector<Vec3> list_points(const Drawing& drawing, std::span<const Vec3> positions, const Box& tissue) {
    constexpr double near = 0.3;  // of the tissue's size
    Box around = tissue;
    if (!tissue.is_empty()) {
        around.widen(tissue.lo, near * tissue.size());
        around.widen(tissue.hi, near * tissue.size());
    }
    std::vector<Vec3> points;
    for (const Tube& tube : drawing.tubes) {
        if (drawing.organs.size() < 2) break;
        for (const std::int32_t n : tube.nodes) points.push_back(positions[static_cast<std::size_t>(n)]);
    }
    for (const Organ& organ : drawing.organs) {
        const bool all = tissue.is_empty() || !is_rigid(organ.look);
        for (const std::int32_t n : organ.nodes) {
            const Vec3& p = positions[static_cast<std::size_t>(n)];
            points.push_back(all ? p : around.nearest(p));
        }
    }
    return points;
}

// How far the eye must be for all points to be in a picture of 4 : 3, with a little room around them, m.
double distance_to_see(std::span<const Vec3> points, const Camera& camera) {
    constexpr double room = 0.9, aspect = 4.0 / 3.0;
    const double tall = room * std::tan(0.5 * camera.field), wide = aspect * tall;
    double far = 0.0;
    for (const Vec3& p : points) {
        const Vec3 d = p - camera.target;
        const double across = std::abs(dot(d, camera.right())) / wide, up = std::abs(dot(d, camera.up())) / tall;
        far = std::max(far, std::max(across, up) - dot(d, camera.forward()));
    }
    return far;
}

// What is in the picture as much to one side of the middle as to the other.
void centre(std::span<const Vec3> points, Camera& camera) {
    Box places;
    for (const Vec3& p : points) places.widen(place_in_picture(camera, 1.0, p));
    const Vec3 middle = 0.5 * (places.lo + places.hi);
    const double height = 2.0 * camera.distance * std::tan(0.5 * camera.field);  // m, at the target
    camera.target += height * ((middle.x - 0.5) * camera.right() + (0.5 - middle.y) * camera.up());
}

}  // namespace

Camera choose_camera(const Drawing& drawing, std::span<const Vec3> positions) {
    Camera camera;
    camera.azimuth = -1.25;
    camera.elevation = 0.95;
    Box box = box_of_tissue(drawing, positions);
    const std::vector<Vec3> points = list_points(drawing, positions, box);
    for (const Vec3& p : points) box.widen(p);
    for (const Wall& wall : drawing.walls) {
        const double r = wall.radii.x;
        if (wall.kind == WallKind::bowl) box.widen(wall.center - Vec3{0, 0, 0.5 * r}, 0.8 * r);
    }
    if (box.is_empty()) return camera;
    for (const Wall& wall : drawing.walls) {  // what hangs over a plane will lie on it
        const double below = box.lo.z - wall.center.z;
        if (wall.kind == WallKind::plane && below > 0.0 && below < box.size()) box.lo.z = wall.center.z;
    }
    camera.target = 0.5 * (box.lo + box.hi);
    camera.distance = 0.36 * box.size() / std::tan(0.5 * camera.field);
    camera.distance = std::max(camera.distance, distance_to_see(points, camera));
    // One organ is seen around its own middle; of several, one near to the eye would push the others aside.
    for (int i = 0; i < 2 && drawing.organs.size() > 1; ++i) {
        centre(points, camera);
        camera.distance = distance_to_see(points, camera);
    }
    return camera;
}

}  // namespace plica::render
