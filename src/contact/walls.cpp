#include "contact/walls.hpp"

#include <algorithm>

#include "contact/friction.hpp"
#include "contact/respond.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

SurfaceSample sample_of(const WallRows& rows, std::size_t i) {
    const WallSample& eight = rows.now[i / 8];
    return {eight.distance[i % 8], {eight.normal[0][i % 8], eight.normal[1][i % 8], eight.normal[2][i % 8]}};
}

struct WallPass {
    const ContactWorld& world;
    const RowKernels& kernels;
    WallRows& rows;
};

// Calls use(row, wall, sample) for the rows from `first` on, sampled at x. Rows of one wall have different nodes, so
// they can be sampled together although what is done to one moves its node.
template <class Use>
void for_each_row(const WallPass& on, std::span<const Vec3> x, std::size_t first, Use&& use) {
    WallRows& rows = on.rows;
    while (first < rows.node.size()) {
        const std::int32_t wall = rows.wall[first];
        std::size_t last = first;
        while (last < rows.node.size() && rows.wall[last] == wall) ++last;
        rows.now.resize((last - first + 7) / 8);
        on.kernels.sample_nodes(on.world.walls[at(wall)], &x[0].x, rows.node.data() + first,
                                static_cast<int>(last - first), rows.now.data());
        for (std::size_t i = first; i < last; ++i) use(i, on.world.walls[at(wall)], sample_of(rows, i - first));
        first = last;
    }
}

WallMemory& memory_of(const ContactWorld& world, const WallRows& rows, std::size_t i) {
    return world.wall_memory[at(rows.wall[i]) * world.p.size() + at(rows.node[i])];
}

// Nodes that may come to touch a wall in this substep and are not in the list yet: as far from it as they are now, they
// would have to go as far again.
void list_walls(const ContactWorld& world, const RowKernels& kernels, WallRows& rows) {
    constexpr double wall_margin_share = 0.1;  // of the radius
    const std::size_t known = rows.node.size();
    const std::size_t nodes = world.p.size();
    for (std::size_t s = 0; s < world.walls.size(); ++s) {
        for (std::size_t n = 0; n < nodes; ++n) {
            const double radius = world.node_radius[n];
            if (world.w[n] == 0.0 || radius < 0.0 || world.wall_memory[s * nodes + n].push > 0.0) continue;
            if (distance_bound(world.walls[s], world.p[n]) > (1.0 + wall_margin_share) * radius) continue;
            rows.add(static_cast<std::int32_t>(s), static_cast<std::int32_t>(n));
        }
    }
    for_each_row({world, kernels, rows}, world.x, known, [&](std::size_t i, const Wall&, const SurfaceSample& start) {
        rows.start_gap[i] = start.distance - world.node_radius[at(rows.node[i])];
    });
    rows.listed = true;
}

}  // namespace

double friction_on_wall(const ContactWorld& world, std::size_t wall, std::size_t node) {
    if (world.frictions == nullptr) return world.walls[wall].friction;
    return world.frictions->on_wall(wall, world.body_of_node[node]);
}

void WallRows::clear() {
    wall.clear();
    node.clear();
    start_gap.clear();
}

void WallRows::reserve(std::size_t rows) {
    wall.reserve(rows);
    node.reserve(rows);
    start_gap.reserve(rows);
    now.reserve(rows / 8 + 1);
}

void WallRows::add(std::int32_t of_wall, std::int32_t of_node) {
    wall.push_back(of_wall);
    node.push_back(of_node);
    start_gap.push_back(0.0);
}

void warm_start_walls(ContactWorld& world, const RowKernels& kernels, WallRows& rows) {
    rows.clear();
    rows.listed = false;
    const std::size_t nodes = world.p.size();
    for (std::size_t i = 0; i < world.wall_memory.size(); ++i) {
        if (world.wall_memory[i].push != 0.0 && world.node_radius[i % nodes] >= 0.0)
            rows.add(static_cast<std::int32_t>(i / nodes), static_cast<std::int32_t>(i % nodes));
    }
    for_each_row({world, kernels, rows}, world.x, 0, [&](std::size_t i, const Wall&, const SurfaceSample& start) {
        const std::size_t n = at(rows.node[i]);
        WallMemory& memory = memory_of(world, rows, i);
        memory.friction = make_tangential(memory.friction, start.normal);
        world.p[n] += world.w[n] * (start.normal * memory.push + memory.friction);
        rows.start_gap[i] = start.distance - world.node_radius[n];
    });
}

void solve_walls(ContactWorld& world, const RowKernels& kernels, WallRows& rows) {
    if (!rows.listed) list_walls(world, kernels, rows);
    for_each_row({world, kernels, rows}, world.p, 0, [&](std::size_t i, const Wall&, const SurfaceSample& now) {
        const std::size_t n = at(rows.node[i]);
        WallMemory& memory = memory_of(world, rows, i);
        const double w = world.w[n];
        const double before = memory.push;
        // An old penetration may stay (push_out_walls shrinks it), a new one may not appear.
        const double offset = std::min(0.0, rows.start_gap[i]);
        memory.push = std::max(0.0, before + (offset - (now.distance - world.node_radius[n])) / w);
        if (memory.push == 0.0 && before == 0.0) return;
        world.p[n] += now.normal * (w * (memory.push - before));
        const Vec3 slip = world.p[n] - world.x[n];
        const double limit = friction_on_wall(world, at(rows.wall[i]), n) * memory.push;
        const Vec3 friction = return_map(memory.friction, slip / w, now.normal, limit);
        world.p[n] += w * (friction - memory.friction);
        memory.friction = friction;
    });
}

void push_out_walls(ContactWorld& world, const RowKernels& kernels, WallRows& rows) {
    for_each_row({world, kernels, rows}, world.p, 0, [&](std::size_t i, const Wall&, const SurfaceSample& now) {
        const std::size_t n = at(rows.node[i]);
        if (memory_of(world, rows, i).push == 0.0) return;
        const double gap = now.distance - world.node_radius[n];
        if (gap < 0.0) world.p[n] += now.normal * std::min(-gap, world.settings.push_out * world.node_radius[n]);
    });
}

}  // namespace plica
