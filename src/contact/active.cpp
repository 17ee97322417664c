#include "contact/active.hpp"

#include <algorithm>
#include <cmath>

namespace plica {
namespace {

// The larger of what is known so far and the squared distance of a node from where it was.
double furthest(double so_far, std::span<const Vec3> p, std::span<const Vec3> from, std::int32_t node) {
    const auto n = static_cast<std::size_t>(node);
    return std::max(so_far, squared_norm(p[n] - from[n]));
}

// Per primitive, how far its nodes are from `from` at most.
void compute_distances(const Surface& surface, std::span<const Vec3> p, std::span<const Vec3> from,
                       std::vector<double>& distances) {
    distances.resize(static_cast<std::size_t>(primitive_count(surface)));
    double* out = distances.data();
    for (const Capsule& c : surface.capsules) *out++ = std::sqrt(furthest(furthest(0.0, p, from, c.a), p, from, c.b));
    for (const Triangle& t : surface.triangles) {
        *out++ = std::sqrt(furthest(furthest(furthest(0.0, p, from, t.a), p, from, t.b), p, from, t.c));
    }
}

// Largest distance any node of the pair travels within the substep, relative to the mean of both sides.
double relative_travel(const ContactWorld& world, const Contact& c) {
    Vec3 mean{};
    for (int k = 0; k < c.count; ++k) {
        const auto n = static_cast<std::size_t>(c.node[k]);
        mean += world.p[n] - world.x[n];
    }
    mean *= 1.0 / c.count;
    double most = 0.0;
    for (int k = 0; k < c.count; ++k) {
        const auto n = static_cast<std::size_t>(c.node[k]);
        most = std::max(most, squared_norm(world.p[n] - world.x[n] - mean));
    }
    return 2.0 * std::sqrt(most);
}

}  // namespace

double contact_radii(const Surface& surface, const Pair& pair) {
    const double a = surface.capsules[static_cast<std::size_t>(pair.a)].radius;
    const auto b = static_cast<std::size_t>(pair.b);
    if (b < surface.capsules.size()) return a + surface.capsules[b].radius;
    return a + surface.triangles[b - surface.capsules.size()].half_thickness;
}

void compute_travel(const ContactWorld& world, ContactScratch& scratch) {
    compute_distances(world.surface, world.p, world.x, scratch.travel);
}

void extend_paths(const ContactWorld& world, ContactScratch& scratch) {
    compute_travel(world, scratch);
    for (std::size_t i = 0; i < scratch.path.size(); ++i) scratch.path[i] += scratch.travel[i];
}

const ContactScratch::Start& start_of(const ContactWorld& world, ContactScratch& scratch, std::size_t index) {
    ContactScratch::Start& start = scratch.start[index];
    if (start.known == 0) {
        const Pair& pair = world.candidates.pairs[index];
        start = measure_start(world, scratch, pair).start;
        scratch.bound[index] =
            start.gap + scratch.path[static_cast<std::size_t>(pair.a)] + scratch.path[static_cast<std::size_t>(pair.b)];
    }
    return start;
}

StartContact measure_start(const ContactWorld& world, ContactScratch& scratch, const Pair& pair) {
    ++scratch.distance_tests;
    const Contact c = measure(world.surface, pair, world.x, pair.side);
    return {c, {c.normal, c.gap, c.gap + contact_radii(world.surface, pair), 1}};
}

// The vector between the closest points of two convex sets moves no faster than the sets do. So while the pair has
// travelled less than its distance the normal cannot have turned by 90 degrees, and a normal that points against the
// start's means that the axes went through each other.
//
// A normal at which the start of the substep would itself violate the row is refused as well: pushing along it would
// give the pair energy. The start's own normal separates the pair at the start, so it never does.
Contact measure_moved(const ContactWorld& world, ContactScratch& scratch, const Pair& pair,
                      const ContactScratch::Start& start) {
    ++scratch.distance_tests;
    const double radii = contact_radii(world.surface, pair);
    Contact c = measure(world.surface, pair, world.p, {});
    const bool meets = !(c.distance > 1e-6 * radii);
    if (meets || (dot(c.normal, start.normal) < 0.0 && !(relative_travel(world, c) < start.distance))) {
        return measure(world.surface, pair, world.p, start.normal);
    }
    if (dot(relative(c, world.x), c.normal) - radii < std::min(0.0, start.gap) - 1e-9 * radii) {
        c.normal = start.normal;
        c.gap = dot(relative(c, world.p), c.normal) - radii;
    }
    return c;
}

}  // namespace plica
