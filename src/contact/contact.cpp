#include "contact/contact.hpp"

#include "contact/measure.hpp"

namespace plica {
namespace {

template <Shape S>
void measure_at(std::span<const Vec3> x, double radii, const Vec3& side, Contact& c) {
    Vec3 at[5];
    for (int k = 0; k < nodes_in(S); ++k) at[k] = x[static_cast<std::size_t>(c.node[k])];
    const ClosestOf<double, S> closest = find_closest<S>(at);
    for (int k = 0; k < nodes_in(S); ++k) c.weight[k] = closest.weight[k];
    c.normal = find_normal<S>(closest, at, radii, side);
    c.distance = closest.distance;
    c.gap = dot(closest.between, c.normal) - radii;
}

}  // namespace

Shape nodes_of(const Surface& surface, const Pair& pair, std::int32_t (&node)[5]) {
    const Capsule& p = surface.capsules[static_cast<std::size_t>(pair.a)];
    const auto b = static_cast<std::size_t>(pair.b);
    node[0] = p.a;
    node[1] = p.b;
    if (b < surface.capsules.size()) {
        const Capsule& q = surface.capsules[b];
        node[2] = q.a;
        node[3] = q.b;
        node[4] = q.b;
        return Shape::segments;
    }
    const Triangle& t = surface.triangles[b - surface.capsules.size()];
    const bool point = is_node_on(p, t);
    node[point ? 1 : 2] = t.a;
    node[point ? 2 : 3] = t.b;
    node[point ? 3 : 4] = t.c;
    node[4] = t.c;
    return point ? Shape::point_triangle : Shape::segment_triangle;
}

double contact_radii(const Surface& surface, const Pair& pair) {
    const double a = surface.capsules[static_cast<std::size_t>(pair.a)].radius;
    const auto b = static_cast<std::size_t>(pair.b);
    if (b < surface.capsules.size()) return a + surface.capsules[b].radius;
    return a + surface.triangles[b - surface.capsules.size()].half_thickness;
}

Contact measure(const Surface& surface, const Pair& pair, std::span<const Vec3> x, const Vec3& side) {
    Contact c;
    const Shape shape = nodes_of(surface, pair, c.node);
    c.count = nodes_in(shape);
    const double radii = contact_radii(surface, pair);
    switch (shape) {
        case Shape::segments:
            measure_at<Shape::segments>(x, radii, side, c);
            break;
        case Shape::segment_triangle:
            measure_at<Shape::segment_triangle>(x, radii, side, c);
            break;
        case Shape::point_triangle:
        case Shape::point_facet:
            measure_at<Shape::point_triangle>(x, radii, side, c);
            break;
    }
    return c;
}

}  // namespace plica
