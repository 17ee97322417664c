#include "contact/contact.hpp"

#include "geometry/closest.hpp"

namespace plica {
namespace {

// Axes closer than this share of the contact radii have no usable direction.
constexpr double meeting = 1e-6;

Vec3 point(std::span<const Vec3> x, std::int32_t node) {
    return x[static_cast<std::size_t>(node)];
}

void set(Contact& c, std::int32_t node, double weight) {
    c.node[c.count] = node;
    c.weight[c.count] = weight;
    ++c.count;
}

// Normal and gap from the vector between the closest points. `fallback` is used when the axes meet and nothing is
// remembered of the pair: any answer is as good, but it must be the same one every time.
void orient(Contact& c, const Vec3& between, double radii, const Vec3& side, const Vec3& fallback) {
    c.distance = norm(between);
    const bool remembered = side != Vec3{};
    if (c.distance > meeting * radii) {
        c.normal = between / c.distance;
        if (remembered && dot(c.normal, side) < 0.0) c.normal = side;
    } else {
        c.normal = remembered ? side : fallback;
    }
    c.gap = dot(between, c.normal) - radii;
}

Contact measure_capsules(const Capsule& p, const Capsule& q, std::span<const Vec3> x, const Vec3& side) {
    const Vec3 p1 = point(x, p.a);
    const Vec3 p2 = point(x, p.b);
    const Vec3 q1 = point(x, q.a);
    const Vec3 q2 = point(x, q.b);
    const SegmentPair closest = closest_segment_segment(p1, p2, q1, q2);
    Contact c;
    set(c, p.a, 1.0 - closest.s);
    set(c, p.b, closest.s);
    set(c, q.a, closest.t - 1.0);
    set(c, q.b, -closest.t);
    const Vec3 across = cross(p2 - p1, q2 - q1);
    const bool skew = squared_norm(across) > 1e-18 * squared_norm(p2 - p1) * squared_norm(q2 - q1);
    const Vec3 along = p1 != p2 ? p2 - p1 : q2 - q1;  // both spheres: zero, which any_perpendicular takes
    orient(c, relative(c, x), p.radius + q.radius, side,
           skew ? normalized(across) : any_perpendicular(normalized(along)));
    return c;
}

Contact measure_capsule_triangle(const Capsule& p, const Triangle& t, std::span<const Vec3> x, const Vec3& side) {
    const Vec3 a = point(x, t.a);
    const Vec3 b = point(x, t.b);
    const Vec3 d = point(x, t.c);
    const SegmentTriangle closest = closest_segment_triangle(point(x, p.a), point(x, p.b), a, b, d);
    Contact c;
    set(c, p.a, 1.0 - closest.s);
    set(c, p.b, closest.s);
    set(c, t.a, -closest.u);
    set(c, t.b, -closest.v);
    set(c, t.c, -closest.w);
    // A pierced triangle is left across its face, to the side the segment came from.
    Vec3 face = normalized(cross(b - a, d - a));
    if (face == Vec3{}) face = {0, 0, 1};
    const Vec3 came_from = dot(face, side) < 0.0 ? -face : face;
    orient(c, relative(c, x), p.radius + t.half_thickness, closest.pierced && side != Vec3{} ? came_from : side,
           came_from);
    return c;
}

}  // namespace

Contact measure(const Surface& surface, const Pair& pair, std::span<const Vec3> x, const Vec3& side) {
    const Capsule& p = surface.capsules[static_cast<std::size_t>(pair.a)];
    const auto b = static_cast<std::size_t>(pair.b);
    if (b < surface.capsules.size()) return measure_capsules(p, surface.capsules[b], x, side);
    return measure_capsule_triangle(p, surface.triangles[b - surface.capsules.size()], x, side);
}

}  // namespace plica
