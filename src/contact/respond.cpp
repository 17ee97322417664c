#include "contact/respond.hpp"

#include <algorithm>
#include <cmath>

#include "contact/batches.hpp"
#include "contact/crowd.hpp"
#include "contact/near.hpp"
#include "contact/walls.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// The row's gap where the nodes are now, along the normal it was last measured with.
double gap_of(const ContactWorld& world, const RowBatch& batch, int lane, const Vec3& normal) {
    Vec3 between{};
    for (int k = 0; k < nodes_in(batch.shape); ++k) between += world.p[at(batch.node[k][lane])] * batch.weight[k][lane];
    return dot(between, normal) - (batch.shape == Shape::point_facet ? batch.apart[lane] : batch.radii[lane]);
}

double held_mass(const ContactWorld& world, const Hold& hold) {
    double mass = 0.0;
    for (const std::int32_t n : hold.nodes) mass += world.w[at(n)] > 0.0 ? 1.0 / world.w[at(n)] : 0.0;
    return mass;
}

// What a kernel does to a batch, felt by floating bodies as wholes.
template <class Kernel>
void work_on(const ContactWorld& world, RowBatch& batch, const Kernel& kernel) {
    if (!batch.floating) return kernel();
    lift_nodes(world, batch);
    const RowLoads before = loads_of(batch);
    kernel();
    move_bodies(world, before, batch);
}

// The same of multipliers that the bodies have not felt yet.
template <class Kernel>
void begin_on(const ContactWorld& world, RowBatch& batch, const Kernel& kernel) {
    if (!batch.floating) return kernel();
    lift_nodes(world, batch);
    kernel();
    move_bodies(world, {}, batch);
}

void place_floating(const ContactWorld& world) {
    if (world.floating != nullptr) place_nodes(*world.floating, world.p);
}

void move_held(ContactWorld& world, const Hold& hold, const Vec3& by) {
    for (const std::int32_t n : hold.nodes) world.p[at(n)] += world.w[at(n)] > 0.0 ? by : Vec3{};
}

}  // namespace

RowKernels row_kernels(Isa isa) {
    return {PLICA_PICK_KERNEL(isa, compute_node_travel),
            PLICA_PICK_KERNEL(isa, compute_paths),
            PLICA_PICK_KERNEL(isa, find_due),
            PLICA_PICK_KERNEL(isa, compute_clearance),
            PLICA_PICK_KERNEL(isa, measure_start),
            PLICA_PICK_KERNEL(isa, apply_multipliers),
            PLICA_PICK_KERNEL(isa, solve_rows),
            PLICA_PICK_KERNEL(isa, solve_rows_again),
            PLICA_PICK_KERNEL(isa, solve_rows_raghupathi),
            PLICA_PICK_KERNEL(isa, solve_rows_printed),
            PLICA_PICK_KERNEL(isa, push_out_rows),
            PLICA_PICK_KERNEL(isa, sample_nodes)};
}

// Implicit damped spring with a limit on its force: (w + a) dL = -(C + a L + damping part).
void solve_holds(ContactWorld& world) {
    const double h = world.h;
    for (Hold& hold : world.holds) {
        if (hold.nodes.empty()) continue;
        const double mass = held_mass(world, hold);
        if (mass == 0.0) continue;
        const double w = 1.0 / mass;
        Vec3 p, x;  // of their centre of mass
        for (const std::int32_t n : hold.nodes) {
            if (world.w[at(n)] == 0.0) continue;
            const double share = 1.0 / (mass * world.w[at(n)]);
            p += world.p[at(n)] * share;
            x += world.x[at(n)] * share;
        }
        // Force k (target - p) - c (p - x)/h; as a multiplier L = h^2 force it must agree with p + w dL.
        const double k = hold.stiffness * h * h + hold.damping * h;
        const Vec3 wanted = (hold.target - p) * (hold.stiffness * h * h) - (p - x) * (hold.damping * h);
        Vec3 total = hold.multiplier + (wanted - hold.multiplier) / (1.0 + w * k);
        const double limit = hold.max_force * h * h;
        const double size = norm(total);
        if (size > limit) total *= limit / size;
        move_held(world, hold, w * (total - hold.multiplier));
        hold.multiplier = total;
    }
}

void warm_start(ContactWorld& world, ContactScratch& scratch) {
    for (const Hold& hold : world.holds) {
        const double mass = held_mass(world, hold);
        if (mass > 0.0) move_held(world, hold, hold.multiplier / mass);
    }
    set_crowded(is_crowd(world, scratch), scratch);
    begin_batches(world, scratch);
    const RowNodes nodes = row_nodes(world);
    for (std::size_t i = 0; i < scratch.rows.count; ++i) {
        RowBatch& batch = scratch.rows.batches[i];
        begin_on(world, batch, [&] { scratch.kernels.apply_multipliers(nodes, batch); });
    }
    if (world.floating != nullptr) warm_start_floating_walls(world, scratch);
    place_floating(world);
    warm_start_walls(world, scratch.kernels, scratch.walls);
}

namespace {

// Rows of solids, as they were just measured, until none is corrected by more than the tolerance, or passes no longer
// help: in a crowd a few rows that stick and slip go on for long, by amounts that do not matter.
void settle_solids(const ContactWorld& world, ContactScratch& scratch) {
    constexpr int patience = 60;
    constexpr double hardly = 0.1;  // of the tolerance: in a crowd such rows are left out of two passes of three
    const int between_looks = scratch.crowd.active ? 3 : 5;
    const RowNodes nodes = row_nodes(world);
    double moved = scratch.outcome.moved, looked = HUGE_VAL;
    for (int k = 0; k < patience && moved > 0.5 * world.settings.tolerance; ++k) {
        if (k % between_looks == 0) {
            if (is_stalled(world.settings, scratch, looked, moved)) return;
            looked = moved;
        }
        moved = 0.0;
        for (std::size_t i = 0; i < scratch.rows.count; ++i) {
            RowBatch& batch = scratch.rows.batches[i];
            if (!batch.solid || !batch.loaded) continue;  // what comes to carry load by this, the next pass sees
            if (scratch.crowd.active && k % 3 != 2 && batch.moved < hardly * world.settings.tolerance) continue;
            work_on(world, batch, [&] { scratch.kernels.solve_again(nodes, batch); });
            moved = std::max(moved, batch.moved);
        }
    }
}

}  // namespace

void sweep(ContactWorld& world, ContactScratch& scratch, bool solids_only) {
    scratch.outcome.moved_before = scratch.outcome.moved;
    scratch.outcome.moved = 0.0;
    if (world.settings.enabled) {
        extend_batches(world, scratch);
        const RowNodes nodes = row_nodes(world);
        for (std::size_t i = 0; i < scratch.rows.count; ++i) {
            RowBatch& batch = scratch.rows.batches[i];
            if (solids_only && !batch.solid) continue;
            work_on(world, batch, [&] { scratch.kernels.solve(nodes, batch); });
            if (batch.floating) set_compliance(world, batch);
            scratch.outcome.distance_tests += batch.count;
            if (batch.solid) scratch.outcome.moved = std::max(scratch.outcome.moved, batch.moved);
        }
        settle_solids(world, scratch);
    }
    if (world.floating != nullptr) {
        scratch.outcome.moved = std::max(scratch.outcome.moved, solve_floating_walls(world, scratch));
        place_floating(world);
    }
    solve_walls(world, scratch.kernels, scratch.walls);
    solve_holds(world);
    const auto holds = [](const Hold& hold) { return !hold.nodes.empty(); };
    scratch.outcome.corrected = scratch.rows.count > 0 || !scratch.walls.node.empty() ||
                                !scratch.floating_walls.empty() ||
                                std::any_of(world.holds.begin(), world.holds.end(), holds);
}

void push_out(ContactWorld& world, ContactScratch& scratch) {
    const RowNodes nodes = row_nodes(world);
    for (std::size_t i = 0; i < scratch.rows.count; ++i) {
        RowBatch& batch = scratch.rows.batches[i];
        if (batch.floating) lift_nodes(world, batch);
        scratch.kernels.push_out(nodes, world.settings.push_out, batch);
        if (batch.floating) follow_nodes(world, batch);
    }
    if (world.floating != nullptr) push_out_floating_walls(world, scratch);
    place_floating(world);
    push_out_walls(world, scratch.kernels, scratch.walls);
}

void release_pairs(ContactWorld& world, ContactScratch& scratch) {
    end_batches(world, scratch);
}

void finish(ContactWorld& world, ContactScratch& scratch) {
    std::vector<Pair>& pairs = world.candidates.pairs;
    for (const std::int32_t i : scratch.pairs.sided) pairs[at(i)].side = {};
    scratch.pairs.sided.clear();
    for (std::size_t i = 0; i < scratch.rows.count; ++i) {
        const RowBatch& batch = scratch.rows.batches[i];
        for (int lane = 0; lane < batch.count; ++lane) {
            const Vec3 normal{batch.normal[0][lane], batch.normal[1][lane], batch.normal[2][lane]};
            const double push = batch.push[lane];
            if (push > 0.0 || (batch.start_gap[lane] < 0.0 && gap_of(world, batch, lane, normal) < 0.0)) {
                pairs[at(batch.pair[lane])].side = normal;
                scratch.pairs.sided.push_back(batch.pair[lane]);
            }
        }
    }
    end_batches(world, scratch);
    // In the order of their indices, whatever batch they were in: the next substep must not depend on this one's.
    std::sort(scratch.pairs.sided.begin(), scratch.pairs.sided.end());
    scratch.pairs.loaded.clear();
    for (const std::int32_t i : scratch.pairs.sided) {
        if (pairs[at(i)].push > 0.0) scratch.pairs.loaded.push_back(i);
    }
    scratch.outcome.contacts = static_cast<int>(scratch.pairs.loaded.size());
}

}  // namespace plica
