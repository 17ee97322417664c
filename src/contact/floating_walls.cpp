#include "contact/floating_walls.hpp"

#include <algorithm>

#include "contact/friction.hpp"
#include "contact/respond.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

WallMemory& memory_of(const ContactWorld& world, const FloatingWallRow& row) {
    return world.wall_memory[row.wall * world.p.size() + row.node];
}

Vec3 place_of(const FloatingBody& body, const FloatingWallRow& row) {
    return apply(body.pose, body.local[row.node - body.first_node]);
}

bool can_reach(const FloatingBody& body, const Wall& wall) {
    return distance_bound(wall, apply(body.pose, body.centre)) <= body.reach + 1.1 * body.radius;
}

// Calls use(row) for every node of a body that a wall stops.
template <class Use>
void for_each_stopped(const ContactWorld& world, const Use& use) {
    const std::vector<FloatingBody>& bodies = world.floating->bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        for (std::size_t s = 0; s < bodies[b].stopped_by.size(); ++s) {
            if (bodies[b].stopped_by[s] == 0) continue;
            for (std::size_t n = 0; n < bodies[b].local.size(); ++n)
                use(FloatingWallRow{b, s, bodies[b].first_node + n, 0.0});
        }
    }
}

// Those that touched in the last substep, and those that are near now.
void list_rows(const ContactWorld& world, std::vector<FloatingWallRow>& rows) {
    constexpr double near = 1.1;  // radii
    rows.clear();
    for_each_stopped(world, [&](FloatingWallRow row) {
        const FloatingBody& body = world.floating->bodies[row.body];
        const Wall& wall = world.walls[row.wall];
        const bool loaded = memory_of(world, row).push > 0.0;
        if (!loaded && (!can_reach(body, wall) || distance_bound(wall, place_of(body, row)) > near * body.radius))
            return;
        row.start_gap = sample_wall(wall, world.x[row.node]).distance - body.radius;
        rows.push_back(row);
    });
}

// What the wall gives to a node moves the body and is felt there.
void give(ContactWorld& world, ContactScratch& scratch, const FloatingWallRow& row, const Vec3& impulse) {
    FloatingBody& body = world.floating->bodies[row.body];
    push_body(body, lever_of(body, row.node), impulse);
    if (!scratch.outcome.force.empty()) scratch.outcome.force[row.node] += impulse;
}

// Returns the correction, in contact radii.
double solve(ContactWorld& world, ContactScratch& scratch, const FloatingWallRow& row) {
    const FloatingBody& body = world.floating->bodies[row.body];
    WallMemory& memory = memory_of(world, row);
    const SurfaceSample now = sample_wall(world.walls[row.wall], place_of(body, row));
    const Vec3 r = lever_of(body, row.node);
    const double before = memory.push, w = compliance_along(body, r, now.normal);
    // An old penetration may stay, a new one may not appear.
    const double offset = std::min(0.0, row.start_gap);
    memory.push = std::max(0.0, before + (offset - (now.distance - body.radius)) / w);
    if (memory.push == 0.0 && before == 0.0) return 0.0;
    give(world, scratch, row, now.normal * (memory.push - before));
    const Vec3 slip = place_of(body, row) - world.x[row.node];
    const double limit = friction_on_wall(world, row.wall, row.node) * memory.push;
    const Vec3 friction = return_map(memory.friction, slip / compliance_at(body, r), now.normal, limit);
    give(world, scratch, row, friction - memory.friction);
    memory.friction = friction;
    return std::abs(memory.push - before) * w / body.radius;
}

}  // namespace

void warm_start_floating_walls(ContactWorld& world, ContactScratch& scratch) {
    for_each_stopped(world, [&](const FloatingWallRow& row) {
        WallMemory& memory = memory_of(world, row);
        if (memory.push == 0.0) return;
        const Vec3 normal = sample_wall(world.walls[row.wall], world.x[row.node]).normal;
        memory.friction = make_tangential(memory.friction, normal);
        give(world, scratch, row, normal * memory.push + memory.friction);
    });
}

double solve_floating_walls(ContactWorld& world, ContactScratch& scratch) {
    constexpr int patience = 60;
    std::vector<FloatingWallRow>& rows = scratch.floating_walls;
    list_rows(world, rows);
    double first = 0.0;
    for (int pass = 0; pass < patience; ++pass) {
        double moved = 0.0;
        for (const FloatingWallRow& row : rows) moved = std::max(moved, solve(world, scratch, row));
        if (pass == 0) first = moved;
        if (moved <= 0.5 * world.settings.tolerance) break;
    }
    return first;
}

void push_out_floating_walls(ContactWorld& world, ContactScratch& scratch) {
    for (const FloatingWallRow& row : scratch.floating_walls) {
        FloatingBody& body = world.floating->bodies[row.body];
        if (memory_of(world, row).push == 0.0) continue;
        const SurfaceSample now = sample_wall(world.walls[row.wall], place_of(body, row));
        const double depth = body.radius - now.distance;
        if (depth <= 0.0) continue;
        const Vec3 r = lever_of(body, row.node);
        const double most = std::min(depth, world.settings.push_out * body.radius);
        push_body(body, r, now.normal * (most / compliance_along(body, r, now.normal)));
    }
}

}  // namespace plica
