#include "contact/push_out.hpp"

#include <algorithm>

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
    for_batches(scratch, [&](RowBatch& batch) { scratch.kernels.note_depths(nodes, most, batch); });
    double furthest = 0.0;
    bool tubes = false;  // rows of solids alone hold what they can, pass after pass
    for (std::size_t i = 0; i < scratch.rows.count; ++i) {
        furthest = std::max(furthest, scratch.rows.batches[i].moved);
        tubes = tubes || !scratch.rows.batches[i].solid;
    }
    if (!(furthest > 0.0)) return;
    move_batches(world, scratch, [&](RowBatch& batch) { scratch.kernels.push_out(nodes, most, batch); });
    for (int k = 0; tubes && furthest > hardly && k < passes; ++k) {
        move_batches(world, scratch, [&](RowBatch& batch) { scratch.kernels.keep_depths(nodes, batch); });
    }
}

}  // namespace plica
