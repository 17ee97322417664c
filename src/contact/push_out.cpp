#include "contact/push_out.hpp"

#include <algorithm>
#include <span>

#include "contact/batches.hpp"
#include "contact/islands.hpp"

namespace plica {
namespace {

// Calls work(batch) for the batches of all bins, side by side, then for those that the bins share.
template <class Work>
void for_batches(ContactScratch& scratch, const Work& work) {
    const auto go_through = [&](int bin) {
        for (const std::int32_t i : scratch.rows.in_bin[bin]) work(scratch.rows.batches[static_cast<std::size_t>(i)]);
    };
    for_chunks(scratch, static_cast<int>(scratch.islands.bins), go_through);
    go_through(static_cast<int>(shared_bin));
}

// Calls move(batch), and floating bodies follow.
template <class Move>
void move_batches(const ContactWorld& world, ContactScratch& scratch, const Move& move) {
    for_batches(scratch, [&](RowBatch& batch) {
        if (batch.floating) lift_nodes(world, batch);
        move(batch);
        if (batch.floating) follow_nodes(world, batch);
    });
}

}  // namespace

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
