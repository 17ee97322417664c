#include "contact/row_passes.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "contact/batches.hpp"

namespace plica {
namespace {

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

// Calls work(bin) for all bins that rows were dealt out to.
template <class Work>
void for_bins(ContactScratch& scratch, const Work& work) {
    constexpr std::size_t few = 8;  // batches, that are done sooner than handed out
    if (scratch.rows.count <= few || scratch.islands.bins == 1) {
        for (std::size_t bin = 0; bin < scratch.islands.bins; ++bin) work(bin);
        return;
    }
    for_chunks(scratch, static_cast<int>(scratch.islands.bins), [&](int bin) { work(static_cast<std::size_t>(bin)); });
}

// Calls work(batch) for the batches of all bins, side by side, then for those that the bins share.
template <class Work>
void for_batches(ContactScratch& scratch, const Work& work) {
    const auto go_through = [&](std::size_t bin) {
        for (const std::int32_t i : scratch.rows.in_bin[bin]) work(scratch.rows.batches[static_cast<std::size_t>(i)]);
    };
    for_bins(scratch, go_through);
    go_through(shared_bin);
}

// The same, and floating bodies follow.
template <class Move>
void move_batches(const ContactWorld& world, ContactScratch& scratch, const Move& move) {
    for_batches(scratch, [&](RowBatch& batch) {
        if (batch.floating) lift_nodes(world, batch);
        move(batch);
        if (batch.floating) follow_nodes(world, batch);
    });
}

struct Passes {
    const ContactWorld& world;
    ContactScratch& scratch;
    RowNodes nodes;
    bool solids_only;

    [[nodiscard]] bool have_shared() const { return !scratch.rows.in_bin[shared_bin].empty(); }

    // Measures the rows of a bin where they are found, and solves them once.
    void measured(std::size_t bin) const {
        BinPass& pass = scratch.rows.pass[bin];
        pass = {};
        for (const std::int32_t i : scratch.rows.in_bin[bin]) {
            RowBatch& batch = scratch.rows.batches[static_cast<std::size_t>(i)];
            if (solids_only && !batch.solid) continue;
            work_on(world, batch, [&] { scratch.kernels.solve(nodes, batch); });
            if (batch.floating) set_compliance(world, batch);
            pass.tests += batch.count;
            if (batch.solid) pass.moved = std::max(pass.moved, batch.moved);
        }
    }

    // Solves the rows of solids again, as they were just measured.
    void linear(std::size_t bin, int k) const {
        constexpr double hardly = 0.1;  // of the tolerance: in a crowd such rows are left out of two passes of three
        double& moved = scratch.rows.pass[bin].moved;
        moved = 0.0;
        for (const std::int32_t i : scratch.rows.in_bin[bin]) {
            RowBatch& batch = scratch.rows.batches[static_cast<std::size_t>(i)];
            if (!batch.solid || !batch.loaded) continue;  // what comes to carry load by this, the next pass sees
            if (scratch.crowd.active && k % 3 != 2 && batch.moved < hardly * world.settings.tolerance) continue;
            work_on(world, batch, [&] { scratch.kernels.solve_again(nodes, batch); });
            moved = std::max(moved, batch.moved);
        }
    }

    // Calls pass(k), which tells what it moved at most, until no row is corrected by more than the tolerance, or passes
    // no longer help: in a crowd a few rows that stick and slip go on for long, by amounts that do not matter.
    template <class Pass>
    void settle(double moved, const Pass& pass) const {
        constexpr int patience = 60;
        const int between_looks = scratch.crowd.active ? 3 : 5;
        double looked = HUGE_VAL;
        for (int k = 0; k < patience && moved > 0.5 * world.settings.tolerance; ++k) {
            if (k % between_looks == 0) {
                if (is_stalled(world.settings, scratch, looked, moved)) return;
                looked = moved;
            }
            moved = pass(k);
        }
    }

    [[nodiscard]] double most_moved() const {
        double most = 0.0;
        for (const BinPass& pass : scratch.rows.pass) most = std::max(most, pass.moved);
        return most;
    }
};

}  // namespace

void apply_rows(const ContactWorld& world, ContactScratch& scratch) {
    const RowNodes nodes = row_nodes(world);
    for_batches(scratch, [&](RowBatch& batch) {
        begin_on(world, batch, [&] { scratch.kernels.apply_multipliers(nodes, batch); });
    });
}

// Where the bins share nothing each goes on until its own rows are settled; where they do, or bodies are joined, pass
// by pass together.
void pass_over_rows(ContactWorld& world, ContactScratch& scratch, bool solids_only) {
    const Passes passes{world, scratch, row_nodes(world), solids_only};
    for (BinPass& pass : scratch.rows.pass) pass = {};
    const bool together = passes.have_shared() || !world.joints.empty();
    double moved[most_bins + 1] = {};  // by the measured pass
    for_bins(scratch, [&](std::size_t bin) {
        passes.measured(bin);
        moved[bin] = scratch.rows.pass[bin].moved;
        if (together) return;
        passes.settle(moved[bin], [&](int k) {
            passes.linear(bin, k);
            return scratch.rows.pass[bin].moved;
        });
    });
    if (together) {
        passes.measured(shared_bin);
        moved[shared_bin] = scratch.rows.pass[shared_bin].moved;
        passes.settle(passes.most_moved(), [&](int k) {
            for_bins(scratch, [&](std::size_t bin) { passes.linear(bin, k); });
            passes.linear(shared_bin, k);
            const double joints = world.joints.empty() ? 0.0 : solve_joints(world);
            return std::max(passes.most_moved(), joints);
        });
    }
    scratch.outcome.moved = *std::max_element(std::begin(moved), std::end(moved));
    for (const BinPass& pass : scratch.rows.pass) scratch.outcome.distance_tests += pass.tests;
}

// Rows take it that the depth they begin with may stay. So what pushes its neighbours aside without giving them speed
// would press them into what is behind them, a little in each substep, and nothing would resist.
void push_out_batches(const ContactWorld& world, ContactScratch& scratch) {
    constexpr double hardly = 1e-3;  // contact radii, that is not worth a look around
    constexpr int passes = 4;        // there is a solution: where everything was
    const RowNodes nodes = row_nodes(world);
    const double most = world.settings.push_out;
    const auto batches = std::span(scratch.rows.batches).first(scratch.rows.count);
    const auto push = [&] {
        move_batches(world, scratch, [&](RowBatch& batch) { scratch.kernels.push_out(nodes, most, batch); });
    };
    // Rows of solids alone hold what they can, pass after pass.
    if (std::all_of(batches.begin(), batches.end(), [](const RowBatch& batch) { return batch.solid; })) return push();
    for_batches(scratch, [&](RowBatch& batch) { scratch.kernels.note_depths(nodes, most, batch); });
    double furthest = 0.0;
    for (const RowBatch& batch : batches) furthest = std::max(furthest, batch.moved);
    if (!(furthest > 0.0)) return;
    push();
    for (int k = 0; furthest > hardly && k < passes; ++k) {
        move_batches(world, scratch, [&](RowBatch& batch) { scratch.kernels.keep_depths(nodes, batch); });
    }
}

}  // namespace plica
