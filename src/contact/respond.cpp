#include "contact/respond.hpp"

#include <algorithm>

#include "contact/active.hpp"
#include "contact/friction.hpp"

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// The row's offset: an old penetration may stay (push_out shrinks it), a new one may not appear.
double offset(double gap_at_start) {
    return std::min(0.0, gap_at_start);
}

void solve_pair(ContactWorld& world, ContactScratch& scratch, std::size_t index) {
    Pair& pair = world.candidates.pairs[index];
    const ContactScratch::Start& start = start_of(world, scratch, index);
    if (!is_active(world, scratch, index)) return;  // by what was just measured
    const Contact c = measure_moved(world, scratch, pair, start);
    const double d = compliance(c, world.w);
    if (d == 0.0) return;
    const double before = pair.push;
    pair.push = std::max(0.0, before + (offset(start.gap) - c.gap) / d);
    add_impulse(c, world.w, c.normal * (pair.push - before), world.p);
    if (pair.push == 0.0 && before == 0.0) return;
    const Vec3 slip = relative(c, world.p) - relative(c, world.x);
    const Vec3 drag = return_map(pair.drag, slip, c.normal, d, world.settings.friction * pair.push);
    add_impulse(c, world.w, drag - pair.drag, world.p);
    pair.drag = drag;
}

void solve_walls(ContactWorld& world) {
    const std::size_t nodes = world.p.size();
    for (std::size_t s = 0; s < world.solids.size(); ++s) {
        const Solid& solid = world.solids[s];
        for (std::size_t n = 0; n < nodes; ++n) {
            const double w = world.w[n];
            const double radius = world.node_radius[n];
            if (w == 0.0 || radius < 0.0) continue;
            WallMemory& memory = world.walls[s * nodes + n];
            if (memory.push == 0.0 && distance_bound(solid, world.p[n]) > radius) continue;
            const SurfaceSample now = sample_solid(solid, world.p[n]);
            const double before = memory.push;
            const double gap = now.distance - radius;
            const double start = gap < 0.0 ? sample_solid(solid, world.x[n]).distance - radius : 0.0;
            memory.push = std::max(0.0, before + (offset(start) - gap) / w);
            world.p[n] += now.normal * (w * (memory.push - before));
            if (memory.push == 0.0 && before == 0.0) continue;
            const Vec3 slip = world.p[n] - world.x[n];
            const Vec3 drag = return_map(memory.drag, slip, now.normal, w, solid.friction * memory.push);
            world.p[n] += w * (drag - memory.drag);
            memory.drag = drag;
        }
    }
}

}  // namespace

// Implicit damped spring with a limit on its force: (w + a) dL = -(C + a L + damping part).
void solve_holds(ContactWorld& world) {
    const double h = world.h;
    for (Hold& hold : world.holds) {
        if (hold.node < 0) continue;
        const std::size_t n = at(hold.node);
        const double w = world.w[n];
        if (w == 0.0) continue;
        // Force k (target - p) - c (p - x)/h; as a multiplier L = h^2 force it must agree with p + w dL.
        const double k = hold.stiffness * h * h + hold.damping * h;
        const Vec3 wanted =
            (hold.target - world.p[n]) * (hold.stiffness * h * h) - (world.p[n] - world.x[n]) * (hold.damping * h);
        Vec3 total = hold.multiplier + (wanted - hold.multiplier) / (1.0 + w * k);
        const double limit = hold.max_force * h * h;
        const double size = norm(total);
        if (size > limit) total *= limit / size;
        world.p[n] += w * (total - hold.multiplier);
        hold.multiplier = total;
    }
}

void forget_pairs(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t pairs = world.candidates.pairs.size();
    scratch.start.resize(pairs);
    for (ContactScratch::Start& start : scratch.start) start.known = 0;
    scratch.bound.assign(pairs, -1.0);
    scratch.path.assign(static_cast<std::size_t>(primitive_count(world.surface)), 0.0);
}

void warm_start(ContactWorld& world, ContactScratch& scratch) {
    for (ContactScratch::Start& start : scratch.start) start.known = 0;
    for (const Hold& hold : world.holds) {
        if (hold.node >= 0) world.p[at(hold.node)] += world.w[at(hold.node)] * hold.multiplier;
    }
    for (std::size_t i = 0; i < world.candidates.pairs.size(); ++i) {
        Pair& pair = world.candidates.pairs[i];
        if (pair.push == 0.0) continue;
        const auto [c, start] = measure_start(world, scratch, pair);
        scratch.start[i] = start;
        pair.drag -= c.normal * dot(pair.drag, c.normal);
        add_impulse(c, world.w, c.normal * pair.push + pair.drag, world.p);
    }
    const std::size_t nodes = world.p.size();
    for (std::size_t s = 0; s < world.solids.size(); ++s) {
        for (std::size_t n = 0; n < nodes; ++n) {
            WallMemory& memory = world.walls[s * nodes + n];
            if (memory.push == 0.0) continue;
            const Vec3 normal = sample_solid(world.solids[s], world.x[n]).normal;
            memory.drag -= normal * dot(memory.drag, normal);
            world.p[n] += world.w[n] * (normal * memory.push + memory.drag);
        }
    }
}

void sweep(ContactWorld& world, ContactScratch& scratch) {
    if (world.settings.enabled) {
        compute_travel(world, scratch);
        for (std::size_t i = 0; i < world.candidates.pairs.size(); ++i) {
            if (is_active(world, scratch, i)) solve_pair(world, scratch, i);
        }
    }
    solve_walls(world);
    solve_holds(world);
}

void push_out(ContactWorld& world, ContactScratch& scratch) {
    for (std::size_t i = 0; i < world.candidates.pairs.size(); ++i) {
        const Pair& pair = world.candidates.pairs[i];
        const ContactScratch::Start& start = scratch.start[i];
        if (start.known == 0 || pair.push == 0.0) continue;
        const Contact c = measure_moved(world, scratch, pair, start);
        const double d = compliance(c, world.w);
        if (c.gap >= 0.0 || d == 0.0) continue;
        const double most = world.settings.push_out * contact_radii(world.surface, pair);
        add_impulse(c, world.w, c.normal * (std::min(-c.gap, most) / d), world.p);
    }
    const std::size_t nodes = world.p.size();
    for (std::size_t s = 0; s < world.solids.size(); ++s) {
        for (std::size_t n = 0; n < nodes; ++n) {
            if (world.walls[s * nodes + n].push == 0.0) continue;
            const SurfaceSample now = sample_solid(world.solids[s], world.p[n]);
            const double gap = now.distance - world.node_radius[n];
            if (gap < 0.0) world.p[n] += now.normal * std::min(-gap, world.settings.push_out * world.node_radius[n]);
        }
    }
}

void finish(ContactWorld& world, ContactScratch& scratch) {
    extend_paths(world, scratch);
    scratch.contacts = 0;
    for (Vec3& force : scratch.force) force = {};
    for (std::size_t i = 0; i < world.candidates.pairs.size(); ++i) {
        Pair& pair = world.candidates.pairs[i];
        const ContactScratch::Start& start = scratch.start[i];
        pair.side = {};
        if (start.known == 0 || (pair.push == 0.0 && start.gap >= 0.0)) continue;
        const Contact c = measure_moved(world, scratch, pair, start);
        if (c.gap < 0.0 || pair.push > 0.0) pair.side = c.normal;
        if (pair.push == 0.0) continue;
        ++scratch.contacts;
        if (!scratch.force.empty()) {
            const Vec3 push = c.normal * pair.push + pair.drag;
            for (int k = 0; k < c.count; ++k) scratch.force[at(c.node[k])] += push * c.weight[k];
        }
    }
}

}  // namespace plica
