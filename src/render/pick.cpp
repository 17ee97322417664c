#include "render/pick.hpp"

#include <array>
#include <cmath>

namespace plica::render {
namespace {

constexpr double never = -1.0;

// Distance at which the ray enters a sphere; `never` when it does not, or begins inside.
double enter_sphere(const Ray& ray, const Vec3& centre, double radius) {
    const Vec3 d = ray.origin - centre;
    const double b = dot(d, ray.direction);
    // The nearest point of the ray's line first: no cancellation from far away.
    const double off = radius * radius - squared_norm(d - b * ray.direction);
    if (off < 0.0) return never;
    const double t = -b - std::sqrt(off);
    return t > 0.0 ? t : never;
}

struct Entry {
    double t, part;  // m along the ray; place between the two ends
};

// The side of the hull of two spheres, a cone: with y along the axis from a, x across it and sine = (ra - rb)/length,
// x cosine + y sine = ra.
Entry enter_side(const Ray& ray, const Vec3& a, const Vec3& b, double ra, double rb) {
    const Vec3 ab = b - a;
    const double length = norm(ab);
    const double sine = length > 0.0 ? (ra - rb) / length : 1.0;
    if (!(std::abs(sine) < 1.0)) return {never, 0.0};
    const double cosine = std::sqrt(1.0 - sine * sine);
    const Vec3 axis = ab / length;
    // From the point of the ray nearest to a.
    const double shift = dot(a - ray.origin, ray.direction);
    const Vec3 from = ray.origin + shift * ray.direction - a;
    const double y0 = dot(from, axis), dy = dot(ray.direction, axis);
    const Vec3 x0 = from - y0 * axis, dx = ray.direction - dy * axis;
    const double slope = sine / cosine, at_a = ra / cosine;  // x = at_a - slope y on the side
    const double h0 = at_a - slope * y0, dh = -slope * dy;
    const double q2 = squared_norm(dx) - dh * dh, q1 = dot(x0, dx) - h0 * dh, q0 = squared_norm(x0) - h0 * h0;
    const double root = q1 * q1 - q2 * q0;
    if (root < 0.0 || q2 == 0.0) return {never, 0.0};
    const double t = (-q1 - std::sqrt(root)) / q2;
    // The sphere that touches the side here has its centre between the two ends.
    const double y = y0 + t * dy, x = h0 + t * dh;
    const double part = (y - slope * x) / length;
    return x > 0.0 && part >= 0.0 && part <= 1.0 && t + shift > 0.0 ? Entry{t + shift, part} : Entry{never, 0.0};
}

Entry enter_segment(const Ray& ray, const Vec3& a, const Vec3& b, double ra, double rb) {
    Entry best{never, 0.0};
    const auto keep = [&](const Entry& e) {
        if (e.t > 0.0 && (best.t < 0.0 || e.t < best.t)) best = e;
    };
    keep(enter_side(ray, a, b, ra, rb));
    keep({enter_sphere(ray, a, ra), 0.0});
    keep({enter_sphere(ray, b, rb), 1.0});
    return best;
}

// Distance at which the ray enters a triangle from its outer side; `never` when it does not.
double enter_triangle(const Ray& ray, const std::array<Vec3, 3>& corners) {
    const Vec3 ab = corners[1] - corners[0], ac = corners[2] - corners[0];
    const Vec3 normal = cross(ab, ac);
    const double facing = -dot(normal, ray.direction);
    if (!(facing > 0.0)) return never;
    // Barycentric coordinates times `facing`.
    const Vec3 from = ray.origin - corners[0], side = cross(from, ray.direction);
    const double v = dot(ac, side), w = -dot(ab, side);
    if (v < 0.0 || w < 0.0 || v + w > facing) return never;
    const double t = dot(normal, from) / facing;
    return t > 0.0 ? t : never;
}

void pick_organ(const Organ& organ, std::span<const Vec3> positions, const Ray& ray, std::optional<Picked>& picked) {
    for (const auto& triangle : organ.triangles) {
        std::array<std::int32_t, 3> nodes{};
        std::array<Vec3, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            nodes[k] = organ.nodes[static_cast<std::size_t>(triangle[k])];
            corners[k] = positions[static_cast<std::size_t>(nodes[k])];
        }
        const double t = enter_triangle(ray, corners);
        if (!(t > 0.0) || (picked && picked->distance <= t)) continue;
        const Vec3 point = ray.origin + t * ray.direction;
        std::size_t nearest = 0;
        for (const std::size_t k : {1U, 2U}) {
            if (distance(point, corners[k]) < distance(point, corners[nearest])) nearest = k;
        }
        picked = Picked{nodes[nearest], point, t, is_rigid(organ.look), organ.tool};
    }
}

}  // namespace

std::optional<Picked> pick(const Drawing& drawing, std::span<const Vec3> positions, const Ray& ray) {
    std::optional<Picked> picked;
    for (const Tube& tube : drawing.tubes) {
        for (std::size_t i = 0; i + 1 < tube.nodes.size(); ++i) {
            const Vec3& a = positions[static_cast<std::size_t>(tube.nodes[i])];
            const Vec3& b = positions[static_cast<std::size_t>(tube.nodes[i + 1])];
            const Entry entry = enter_segment(ray, a, b, tube.radius[i], tube.radius[i + 1]);
            if (!(entry.t > 0.0) || (picked && picked->distance <= entry.t)) continue;
            const std::int32_t node = tube.nodes[entry.part < 0.5 ? i : i + 1];
            picked = Picked{node, ray.origin + entry.t * ray.direction, entry.t};
        }
    }
    for (const Organ& organ : drawing.organs) pick_organ(organ, positions, ray, picked);
    return picked;
}

}  // namespace plica::render
