#include "contact/contact.hpp"

#include "contact/measure.hpp"

namespace plica {
namespace {

template <int Nodes>
void measure_at(std::span<const Vec3> x, double radii, const Vec3& side, Contact& c) {
    Vec3 at[5];
    for (int k = 0; k < Nodes; ++k) at[k] = x[static_cast<std::size_t>(c.node[k])];
    const ClosestOf<double, Nodes> closest = find_closest<Nodes>(at);
    for (int k = 0; k < Nodes; ++k) c.weight[k] = closest.weight[k];
    c.normal = find_normal<Nodes>(closest, at, radii, side);
    c.distance = closest.distance;
    c.gap = dot(closest.between, c.normal) - radii;
}

}  // namespace

int nodes_of(const Surface& surface, const Pair& pair, std::int32_t (&node)[5]) {
    const Capsule& p = surface.capsules[static_cast<std::size_t>(pair.a)];
    const auto b = static_cast<std::size_t>(pair.b);
    node[0] = p.a;
    node[1] = p.b;
    if (b < surface.capsules.size()) {
        const Capsule& q = surface.capsules[b];
        node[2] = q.a;
        node[3] = q.b;
        node[4] = q.b;
        return 4;
    }
    const Triangle& t = surface.triangles[b - surface.capsules.size()];
    node[2] = t.a;
    node[3] = t.b;
    node[4] = t.c;
    return 5;
}

double contact_radii(const Surface& surface, const Pair& pair) {
    const double a = surface.capsules[static_cast<std::size_t>(pair.a)].radius;
    const auto b = static_cast<std::size_t>(pair.b);
    if (b < surface.capsules.size()) return a + surface.capsules[b].radius;
    return a + surface.triangles[b - surface.capsules.size()].half_thickness;
}

Contact measure(const Surface& surface, const Pair& pair, std::span<const Vec3> x, const Vec3& side) {
    Contact c;
    c.count = nodes_of(surface, pair, c.node);
    const double radii = contact_radii(surface, pair);
    c.count == 4 ? measure_at<4>(x, radii, side, c) : measure_at<5>(x, radii, side, c);
    return c;
}

}  // namespace plica
