#include "contact/respond.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "contact/batches.hpp"
#include "contact/crowd.hpp"
#include "contact/near.hpp"
#include "contact/row_passes.hpp"
#include "contact/walls.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// The row's gap where the nodes are now, along the normal it was last measured with.
double gap_of(const ContactWorld& world, const RowBatch& batch, int lane, const Vec3& normal) {
    Vec3 between{};
    for (int k = 0; k < nodes_in(batch.shape); ++k) between += world.p[at(batch.node[k][lane])] * batch.weight[k][lane];
    return dot(between, normal) - (batch.shape == Shape::point_facet || batch.shape == Shape::segments
                                       ? batch.apart[lane]
                                       : batch.radii[lane]);
}

double held_mass(const ContactWorld& world, const Hold& hold) {
    double mass = 0.0;
    for (const std::int32_t n : hold.nodes) mass += world.w[at(n)] > 0.0 ? 1.0 / world.w[at(n)] : 0.0;
    return mass;
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
            PLICA_PICK_KERNEL(isa, note_depths),
            PLICA_PICK_KERNEL(isa, push_out_rows),
            PLICA_PICK_KERNEL(isa, keep_depths),
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
    apply_rows(world, scratch);
    if (world.floating != nullptr) {
        warm_start_joints(world);
        warm_start_floating_walls(world, scratch);
    }
    place_floating(world);
    warm_start_walls(world, scratch.kernels, scratch.walls);
}

void sweep(ContactWorld& world, ContactScratch& scratch, bool solids_only) {
    scratch.outcome.moved_before = scratch.outcome.moved;
    scratch.outcome.moved = 0.0;
    if (world.settings.enabled) {
        extend_batches(world, scratch);
        pass_over_rows(world, scratch, solids_only);
    }
    if (world.floating != nullptr) {
        scratch.outcome.moved = std::max(scratch.outcome.moved, solve_joints(world));
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
    push_out_batches(world, scratch);
    if (world.floating != nullptr) push_out_floating_walls(world, scratch);
    place_floating(world);
    push_out_walls(world, scratch.kernels, scratch.walls);
}

void release_pairs(ContactWorld& world, ContactScratch& scratch) {
    end_batches(world, scratch);
}

namespace {

// Is the side that the row was on to be remembered?
bool keeps_side(const ContactWorld& world, const RowBatch& batch, int lane, const Vec3& normal) {
    return batch.push[lane] > 0.0 || (batch.start_gap[lane] < 0.0 && gap_of(world, batch, lane, normal) < 0.0);
}

// Marked pairs, in the order of their indices, whatever batch they were in: the next substep must not depend on this
// one's.
void list_marked(const std::vector<std::uint8_t>& marks, std::vector<std::int32_t>& marked) {
    marked.clear();
    for (std::size_t i = 0; i + 8 <= marks.size(); i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, marks.data() + i, 8);
        for (; eight != 0; eight &= eight - 1) {
            const auto k = static_cast<std::size_t>(std::countr_zero(eight)) / 8;
            marked.push_back(static_cast<std::int32_t>(i + k));
        }
    }
}

}  // namespace

void finish(ContactWorld& world, ContactScratch& scratch) {
    std::vector<Pair>& pairs = world.candidates.pairs;
    for (const std::int32_t i : scratch.pairs.sided) pairs[at(i)].side = {};
    std::vector<std::uint8_t>& sided = scratch.rows.sided;
    sided.assign(scratch.rows.has_row.size(), 0);
    constexpr std::size_t piece = 16;  // batches
    const std::size_t count = scratch.rows.count;
    for_chunks(scratch, static_cast<int>((count + piece - 1) / piece), [&](int chunk) {
        const std::size_t first = at(chunk) * piece;
        for (std::size_t i = first; i < std::min(first + piece, count); ++i) {
            const RowBatch& batch = scratch.rows.batches[i];
            for (int lane = 0; lane < batch.count; ++lane) {
                const Vec3 normal{batch.normal[0][lane], batch.normal[1][lane], batch.normal[2][lane]};
                if (!keeps_side(world, batch, lane, normal)) continue;
                pairs[at(batch.pair[lane])].side = normal;
                sided[at(batch.pair[lane])] = 1;
            }
        }
    });
    end_batches(world, scratch);
    list_marked(sided, scratch.pairs.sided);
    scratch.pairs.loaded.clear();
    for (const std::int32_t i : scratch.pairs.sided) {
        if (pairs[at(i)].push > 0.0) scratch.pairs.loaded.push_back(i);
    }
    scratch.outcome.contacts = static_cast<int>(scratch.pairs.loaded.size());
}

}  // namespace plica
