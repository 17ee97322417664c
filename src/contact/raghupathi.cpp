#include <algorithm>

#include "contact/batches.hpp"

namespace plica {
namespace {

void solve_walls(ContactWorld& world, std::span<Vec3> v) {
    for (const Wall& wall : world.walls) {
        for (std::size_t n = 0; n < world.p.size(); ++n) {
            const double radius = world.node_radius[n];
            if (world.w[n] == 0.0 || radius < 0.0 || distance_bound(wall, world.p[n]) > radius) continue;
            const SurfaceSample now = sample_wall(wall, world.p[n]);
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
        pair.friction = {};
    }
    scratch.pairs.loaded.clear();
    for (WallMemory& wall : world.wall_memory) wall = {};
    warm_start(world, scratch);
}

void sweep_raghupathi(ContactWorld& world, ContactScratch& scratch, std::span<Vec3> v) {
    const ResponseKind response = world.settings.response;
    const bool by_force = response == ResponseKind::penalty || response == ResponseKind::reaction;
    if (world.settings.enabled && !by_force) {
        extend_batches(world, scratch);
        const RowNodes nodes = row_nodes(world, v);
        const auto solve = response == ResponseKind::raghupathi_printed ? scratch.kernels.solve_printed
                                                                        : scratch.kernels.solve_raghupathi;
        for (std::size_t i = 0; i < scratch.rows.count; ++i) {
            solve(nodes, world.h, scratch.rows.batches[i]);
            scratch.outcome.distance_tests += scratch.rows.batches[i].count;
        }
    }
    solve_walls(world, v);
}

}  // namespace plica
