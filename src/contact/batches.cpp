#include "contact/batches.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// Per primitive, how far its nodes are from the start of the substep at most, plus what it went before.
void compute_reach(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t nodes = world.p.size();
    scratch.node_travel.resize(nodes);
    for (std::size_t n = 0; n < nodes; ++n) scratch.node_travel[n] = norm(world.p[n] - world.x[n]);
    const double* travel = scratch.node_travel.data();
    scratch.reach.resize(scratch.path.size());
    const double* path = scratch.path.data();
    double* out = scratch.reach.data();
    for (const Capsule& c : world.surface.capsules) *out++ = *path++ + std::max(travel[c.a], travel[c.b]);
    for (const Triangle& t : world.surface.triangles) {
        *out++ = *path++ + std::max(std::max(travel[t.a], travel[t.b]), travel[t.c]);
    }
}

// Puts rows into batches of eight that share no node. A batch is open until it is full; which open batches a node is
// in is a bit set per node, so finding a place is a few instructions.
class BatchBuilder {
public:
    BatchBuilder(const ContactWorld& world, ContactScratch& scratch) : m_world(world), m_scratch(scratch) {
        m_scratch.busy.resize(world.p.size(), 0);
    }
    ~BatchBuilder() {
        while (m_open != 0) close(std::countr_zero(m_open));
    }
    BatchBuilder(const BatchBuilder&) = delete;
    BatchBuilder& operator=(const BatchBuilder&) = delete;

    // Returns the batch; the row is its last lane.
    RowBatch& add(std::int32_t index) {
        const Pair& pair = m_world.candidates.pairs[at(index)];
        std::int32_t node[5];
        const int nodes = nodes_of(m_world.surface, pair, node);
        std::uint32_t taken = 0;
        for (int k = 0; k < nodes; ++k) taken |= m_scratch.busy[at(node[k])];
        std::uint32_t& kind = nodes == 4 ? m_capsules : m_triangles;
        const std::uint32_t fits = kind & m_open & ~taken;
        const int bit = fits != 0 ? std::countr_zero(fits) : open(kind, nodes);
        RowBatch& batch = m_scratch.batches[m_batch[bit]];
        const int lane = batch.count++;
        fill(batch, lane, index, pair, node, nodes);
        for (int k = 0; k < nodes; ++k) m_scratch.busy[at(node[k])] |= 1U << bit;
        if (batch.count == 8) close(bit);
        return batch;
    }

private:
    int open(std::uint32_t& kind, int nodes) {
        if (m_open == ~0U) close(m_next_to_close++ % 32);
        const int bit = std::countr_one(m_open);
        m_open |= 1U << bit;
        kind |= 1U << bit;
        m_batch[bit] = m_scratch.batch_count++;
        if (m_scratch.batches.size() < m_scratch.batch_count) m_scratch.batches.resize(m_scratch.batch_count);
        RowBatch& batch = m_scratch.batches[m_batch[bit]];
        batch.count = 0;
        batch.nodes = nodes;
        return bit;
    }

    void close(int bit) {
        RowBatch& batch = m_scratch.batches[m_batch[bit]];
        for (int k = 0; k < batch.nodes; ++k) {
            for (int lane = 0; lane < batch.count; ++lane) m_scratch.busy[at(batch.node[k][lane])] &= ~(1U << bit);
            for (int lane = batch.count; lane < 8; ++lane) batch.node[k][lane] = batch.node[k][0];
        }
        for (int lane = batch.count; lane < 8; ++lane) {
            batch.push[lane] = 0.0;
            batch.radii[lane] = batch.radii[0];
            batch.start_gap[lane] = batch.start_gap[0];
            batch.start_distance[lane] = batch.start_distance[0];
            for (int k = 0; k < 3; ++k) {
                batch.drag[k][lane] = 0.0;
                batch.normal[k][lane] = batch.normal[k][0];
                batch.start_normal[k][lane] = batch.start_normal[k][0];
            }
        }
        m_open &= ~(1U << bit);
        m_capsules &= ~(1U << bit);
        m_triangles &= ~(1U << bit);
    }

    void fill(RowBatch& batch, int lane, std::int32_t index, const Pair& pair, const std::int32_t (&node)[5],
              int nodes) const {
        batch.pair[lane] = index;
        for (int k = 0; k < nodes; ++k) batch.node[k][lane] = node[k];
        batch.radii[lane] = contact_radii(m_world.surface, pair);
        batch.push[lane] = pair.push;
        batch.drag[0][lane] = pair.drag.x;
        batch.drag[1][lane] = pair.drag.y;
        batch.drag[2][lane] = pair.drag.z;
        batch.normal[0][lane] = pair.side.x;
        batch.normal[1][lane] = pair.side.y;
        batch.normal[2][lane] = pair.side.z;
    }

    const ContactWorld& m_world;
    ContactScratch& m_scratch;
    std::uint32_t m_open = 0, m_capsules = 0, m_triangles = 0;
    int m_next_to_close = 0;
    std::size_t m_batch[32] = {};
};

// What a pair's gap at the start of the substep says about when it can touch.
void set_bound(const ContactWorld& world, ContactScratch& scratch, std::int32_t index, double gap) {
    const Pair& pair = world.candidates.pairs[at(index)];
    scratch.bound[at(index)] = gap + scratch.path[at(pair.a)] + scratch.path[at(pair.b)];
}

void measure_batches(const ContactWorld& world, ContactScratch& scratch, std::size_t first) {
    const RowNodes nodes = row_nodes(world);
    for (std::size_t i = first; i < scratch.batch_count; ++i) {
        RowBatch& batch = scratch.batches[i];
        scratch.kernels.measure_start(nodes, batch);
        scratch.distance_tests += batch.count;
        for (int lane = 0; lane < batch.count; ++lane) {
            set_bound(world, scratch, batch.pair[lane], batch.start_gap[lane]);
        }
    }
}

bool can_touch_now(const ContactWorld& world, const ContactScratch& scratch, std::int32_t index) {
    const Pair& pair = world.candidates.pairs[at(index)];
    return pair.push > 0.0 || scratch.bound[at(index)] <= scratch.reach[at(pair.a)] + scratch.reach[at(pair.b)];
}

// Measures the fresh pairs in the order of their indices, keeps those that can touch and what was found of them.
void sift(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t first = scratch.batch_count;
    {
        BatchBuilder builder(world, scratch);
        for (const std::int32_t index : scratch.fresh) builder.add(index);
    }
    measure_batches(world, scratch, first);
    scratch.start.resize(scratch.bound.size());
    for (std::size_t i = first; i < scratch.batch_count; ++i) {
        const RowBatch& batch = scratch.batches[i];
        for (int lane = 0; lane < batch.count; ++lane) {
            scratch.start[at(batch.pair[lane])] = {
                {batch.start_normal[0][lane], batch.start_normal[1][lane], batch.start_normal[2][lane]},
                batch.start_gap[lane],
                batch.start_distance[lane]};
        }
    }
    scratch.batch_count = first;
    std::erase_if(scratch.fresh, [&](std::int32_t index) { return !can_touch_now(world, scratch, index); });
}

}  // namespace

RowNodes row_nodes(const ContactWorld& world, std::span<Vec3> v) {
    return {&world.x[0].x, &world.p[0].x, v.empty() ? nullptr : &v[0].x, world.w.data()};
}

void begin_batches(const ContactWorld& world, ContactScratch& scratch) {
    scratch.batch_count = 0;
    {
        BatchBuilder builder(world, scratch);
        for (const std::int32_t index : scratch.loaded) {
            builder.add(index);
            scratch.in_rows[at(index)] = 1;
        }
    }
    measure_batches(world, scratch, 0);
}

void extend_batches(const ContactWorld& world, ContactScratch& scratch) {
    compute_reach(world, scratch);
    const double* reach = scratch.reach.data();
    scratch.fresh.clear();
    for (std::size_t i = 0; i < scratch.bound.size(); ++i) {
        const std::array<std::int32_t, 2>& ends = scratch.ends[i];
        if (scratch.bound[i] <= reach[ends[0]] + reach[ends[1]] && scratch.in_rows[i] == 0) {
            scratch.fresh.push_back(static_cast<std::int32_t>(i));
        }
    }
    if (scratch.fresh.empty()) return;
    sift(world, scratch);
    BatchBuilder builder(world, scratch);
    for (const std::int32_t index : scratch.fresh) {
        RowBatch& batch = builder.add(index);
        const int lane = batch.count - 1;
        const ContactScratch::Start& start = scratch.start[at(index)];
        batch.start_normal[0][lane] = start.normal.x;
        batch.start_normal[1][lane] = start.normal.y;
        batch.start_normal[2][lane] = start.normal.z;
        batch.start_gap[lane] = start.gap;
        batch.start_distance[lane] = start.distance;
        scratch.in_rows[at(index)] = 1;
    }
}

void end_batches(ContactWorld& world, ContactScratch& scratch) {
    for (std::size_t i = 0; i < scratch.batch_count; ++i) {
        const RowBatch& batch = scratch.batches[i];
        for (int lane = 0; lane < batch.count; ++lane) {
            Pair& pair = world.candidates.pairs[at(batch.pair[lane])];
            pair.push = batch.push[lane];
            pair.drag = {batch.drag[0][lane], batch.drag[1][lane], batch.drag[2][lane]};
            scratch.in_rows[at(batch.pair[lane])] = 0;
        }
    }
    scratch.batch_count = 0;
}

void extend_paths(const ContactWorld& world, ContactScratch& scratch) {
    compute_reach(world, scratch);
    scratch.path.assign(scratch.reach.begin(), scratch.reach.end());
}

void forget_pairs(const ContactWorld& world, ContactScratch& scratch) {
    const std::vector<Pair>& pairs = world.candidates.pairs;
    scratch.batch_count = 0;
    scratch.in_rows.assign(pairs.size(), 0);
    scratch.bound.assign(pairs.size(), -std::numeric_limits<double>::infinity());
    scratch.ends.resize(pairs.size());
    scratch.loaded.clear();
    scratch.sided.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        scratch.ends[i] = {pairs[i].a, pairs[i].b};
        if (pairs[i].push > 0.0) scratch.loaded.push_back(static_cast<std::int32_t>(i));
        if (pairs[i].side != Vec3{}) scratch.sided.push_back(static_cast<std::int32_t>(i));
    }
    scratch.path.assign(static_cast<std::size_t>(primitive_count(world.surface)), 0.0);
}

}  // namespace plica
