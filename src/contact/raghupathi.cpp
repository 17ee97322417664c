#include <algorithm>

#include "contact/active.hpp"

namespace plica {
namespace {

void solve_walls(ContactWorld& world, std::span<Vec3> v) {
    for (const Solid& solid : world.solids) {
        for (std::size_t n = 0; n < world.p.size(); ++n) {
            const double radius = world.node_radius[n];
            if (world.w[n] == 0.0 || radius < 0.0 || distance_bound(solid, world.p[n]) > radius) continue;
            const SurfaceSample now = sample_solid(solid, world.p[n]);
            if (now.distance >= radius) continue;
            world.p[n] += now.normal * (radius - now.distance);
            v[n] -= now.normal * std::min(0.0, dot(v[n], now.normal));
        }
    }
}

}  // namespace

void begin_raghupathi(ContactWorld& world, ContactScratch& scratch) {
    for (Pair& pair : world.candidates.pairs) {
        pair.push = 0.0;
        pair.drag = {};
    }
    for (WallMemory& wall : world.walls) wall = {};
    warm_start(world, scratch);
}

void sweep_raghupathi(ContactWorld& world, ContactScratch& scratch, std::span<Vec3> v) {
    if (world.settings.enabled) compute_travel(world, scratch);
    const std::size_t pairs = world.settings.enabled ? world.candidates.pairs.size() : 0;
    for (std::size_t i = 0; i < pairs; ++i) {
        Pair& pair = world.candidates.pairs[i];
        if (!is_active(world, scratch, i)) continue;
        const ContactScratch::Start& start = start_of(world, scratch, i);
        const Contact c = measure_moved(world, scratch, pair, start);
        const double d = compliance(c, world.w);
        if (c.gap >= 0.0 || d == 0.0) continue;
        // Raghupathi 2004, eq. 9 with the sign of eq. 8: g = (r1 + r2 - distance) / D.
        const double g = -c.gap / d;
        add_impulse(c, world.w, c.normal * g, world.p);
        // Raghupathi 2004, eq. 7, never pulling: f = max(0, (vc2 - vc1).u / D).
        const double f = std::max(0.0, -dot(relative(c, v), c.normal) / d);
        add_impulse(c, world.w, c.normal * f, v);
        pair.push += f * world.h;  // what the force report reads
    }
    solve_walls(world, v);
}

}  // namespace plica
