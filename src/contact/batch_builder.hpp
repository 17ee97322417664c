#pragma once
#include <bit>

#include "contact/respond.hpp"
#include "core/index.hpp"

// Graph colouring of the constraint rows, greedily: rows of a batch share no node, so that eight are solved side by
// side.
namespace plica {

inline double friction_of(const ContactWorld& world, const RowEnds& ends) {
    return world.frictions != nullptr ? world.frictions->at_place(ends.rub) : world.settings.friction;
}

// A lane with what the pair brings along.
inline void fill(const ContactWorld& world, RowBatch& batch, int lane, std::int32_t index, const RowEnds& ends) {
    const Pair& pair = world.candidates.pairs[at(index)];
    if (ends.shape == Shape::point_facet) {
        batch.facet[lane] = ends.b - static_cast<std::int32_t>(world.surface.capsules.size());
        for (std::size_t k = 0; k < 3; ++k) batch.slot[k][lane] = world.facets->slots(at(batch.facet[lane]))[k];
    }
    batch.pair[lane] = index;
    for (int k = 0; k < 5; ++k) batch.node[k][lane] = ends.node[k];
    batch.radii[lane] = ends.radii;
    batch.coefficient[lane] = friction_of(world, ends);
    batch.push[lane] = pair.push;
    for (auto& given : batch.given) given[lane] = 0.0;
    batch.friction[0][lane] = pair.friction.x;
    batch.friction[1][lane] = pair.friction.y;
    batch.friction[2][lane] = pair.friction.z;
    batch.normal[0][lane] = pair.side.x;
    batch.normal[1][lane] = pair.side.y;
    batch.normal[2][lane] = pair.side.z;
}

// Lanes that are not in use repeat the first, without load.
inline void pad(RowBatch& batch) {
    for (int lane = batch.count; lane < 8; ++lane) {
        for (int k = 0; k < 5; ++k) batch.node[k][lane] = batch.node[k][0];
        if (batch.shape == Shape::point_facet) {
            batch.facet[lane] = batch.facet[0];
            for (auto& slot : batch.slot) slot[lane] = slot[0];
        }
        batch.push[lane] = 0.0;
        batch.radii[lane] = batch.radii[0];
        batch.coefficient[lane] = batch.coefficient[0];
        batch.start_gap[lane] = batch.start_gap[0];
        batch.start_distance[lane] = batch.start_distance[0];
        batch.least_gap[lane] = batch.least_gap[0];
        for (int k = 0; k < 3; ++k) {
            batch.friction[k][lane] = 0.0;
            batch.given[k][lane] = 0.0;
            batch.normal[k][lane] = batch.normal[k][0];
            batch.start_normal[k][lane] = batch.start_normal[k][0];
        }
    }
}

// What sift() found of the row at the start of the substep.
inline void set_start(const RowStart& start, int lane, RowBatch& batch) {
    batch.start_normal[0][lane] = start.normal.x;
    batch.start_normal[1][lane] = start.normal.y;
    batch.start_normal[2][lane] = start.normal.z;
    batch.start_gap[lane] = start.gap;
    batch.start_distance[lane] = start.distance;
    batch.least_gap[lane] = start.least_gap;
    batch.apart[lane] = batch.radii[lane];
    if (!batch.floating) return;
    for (int k = 0; k < nodes_in(batch.shape); ++k) batch.weight[k][lane] = start.weight[k];
}

// A batch whose lanes were only chosen.
inline void fill_all(const ContactWorld& world, const PairScratch& pairs, RowBatch& batch) {
    for (int lane = 0; lane < batch.count; ++lane) {
        fill(world, batch, lane, batch.pair[lane], pairs.ends[at(batch.pair[lane])]);
    }
    pad(batch);
}

inline constexpr std::size_t shapes = 4;

// Puts rows of one bin into batches of eight that share no node. A batch is open until it is full; which open batches a
// node is in is a bit set per node, so finding a place is a few instructions. Nodes that contact does not move are no
// matter where rows are dealt out to bins.
class BatchBuilder {
public:
    BatchBuilder(const ContactWorld& world, ContactScratch& scratch, std::size_t bin)
        : m_world(world), m_scratch(scratch), m_bin(bin), m_minding(scratch.islands.bins > 1 ? 0 : 31) {
        m_scratch.rows.busy.resize(world.p.size(), 0);
    }
    ~BatchBuilder() {
        while (m_open != 0) close(std::countr_zero(m_open));
    }
    BatchBuilder(const BatchBuilder&) = delete;
    BatchBuilder& operator=(const BatchBuilder&) = delete;

    // Chooses a place; the row is the last lane of the batch, to be filled.
    RowBatch& place(std::int32_t index) {
        const RowEnds& ends = m_scratch.pairs.ends[at(index)];
        std::uint32_t taken = 0;
        for_each_minded(ends, [&](std::uint32_t& busy) { taken |= busy; });
        std::uint32_t& kind =
            m_kind[(ends.solid ? 1 : 0) + (ends.floating ? 2 : 0)][static_cast<std::size_t>(ends.shape)];
        const std::uint32_t fits = kind & m_open & ~taken;
        const int bit = fits != 0 ? std::countr_zero(fits) : open(kind, ends);
        RowBatch& batch = m_scratch.rows.batches[m_batch[bit]];
        batch.pair[batch.count++] = index;
        for_each_minded(ends, [&](std::uint32_t& busy) { busy |= 1U << bit; });
        if (batch.count == 8) close(bit);
        return batch;
    }

private:
    template <class Visit>
    void for_each_minded(const RowEnds& ends, const Visit& visit) {
        const unsigned minded = ends.moving | m_minding;
        for (unsigned k = 0; k < 5; ++k) {
            if ((minded >> k & 1U) != 0) visit(m_scratch.rows.busy[at(ends.node[k])]);
        }
    }

    int open(std::uint32_t& kind, const RowEnds& ends) {
        if (m_open == ~0U) close(m_next_to_close++ % 32);
        const int bit = std::countr_one(m_open);
        m_open |= 1U << bit;
        kind |= 1U << bit;
        m_scratch.rows.in_bin[m_bin].push_back(static_cast<std::int32_t>(m_scratch.rows.count));
        m_batch[bit] = m_scratch.rows.count++;
        if (m_scratch.rows.batches.size() < m_scratch.rows.count) m_scratch.rows.batches.resize(m_scratch.rows.count);
        RowBatch& batch = m_scratch.rows.batches[m_batch[bit]];
        batch.count = 0;
        batch.shape = ends.shape;
        batch.solid = ends.solid;
        batch.floating = ends.floating;
        return bit;
    }

    void close(int bit) {
        const RowBatch& batch = m_scratch.rows.batches[m_batch[bit]];
        for (int lane = 0; lane < batch.count; ++lane) {
            for_each_minded(m_scratch.pairs.ends[at(batch.pair[lane])],
                            [&](std::uint32_t& busy) { busy &= ~(1U << bit); });
        }
        m_open &= ~(1U << bit);
        for (auto& kinds : m_kind) {
            for (std::uint32_t& kind : kinds) kind &= ~(1U << bit);
        }
    }

    const ContactWorld& m_world;
    ContactScratch& m_scratch;
    std::size_t m_bin;
    unsigned m_minding;  // bit k: of node k, also where it is not moved
    std::uint32_t m_open = 0, m_kind[4][shapes] = {};
    int m_next_to_close = 0;
    std::size_t m_batch[32] = {};
};

}  // namespace plica
