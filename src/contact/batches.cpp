#include "contact/batches.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/certify.hpp"
#include "contact/rate.hpp"

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

std::size_t padded(std::size_t count) {
    return (count + 7) / 8 * 8;
}

// Per owner, how far its nodes are from the start of the substep at most, plus what it went before. Returns by how much
// this has grown since the near pairs were listed.
double compute_reach(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t nodes = world.p.size();
    const Vec3 common = mean_displacement(world.x, world.p);
    scratch.node_travel.resize(padded(nodes));
    scratch.kernels.compute_node_travel(&world.x[0].x, &world.p[0].x, {common.x, common.y, common.z},
                                        static_cast<int>(nodes), scratch.node_travel.data());
    scratch.travel.resize(scratch.path.size());
    scratch.reach.resize(scratch.path.size());
    const auto& node = scratch.owner_node;
    return scratch.kernels.compute_reach(scratch.node_travel.data(), {node[0].data(), node[1].data(), node[2].data()},
                                         scratch.path.data(), scratch.listed_reach.data(),
                                         static_cast<int>(scratch.path.size()), scratch.travel.data(),
                                         scratch.reach.data());
}

// Lists all pairs that are within reach now or will be while no owner goes further than some travels like the longest.
void list_near(ContactScratch& scratch) {
    constexpr double travels = 4.0;
    scratch.allowance = travels * *std::max_element(scratch.travel.begin(), scratch.travel.end());
    scratch.listed_reach.assign(scratch.reach.begin(), scratch.reach.end());
    scratch.near.resize(scratch.bound.size());
    const int found = scratch.kernels.find_within_reach(
        scratch.first_end.data(), scratch.second_end.data(), scratch.bound.data(), scratch.reach.data(),
        2.0 * scratch.allowance, static_cast<int>(scratch.bound.size()), scratch.near.data());
    scratch.near.resize(static_cast<std::size_t>(found));
    // Padding is found as well when something is not finite.
    std::erase_if(scratch.near, [&](std::int32_t i) { return at(i) >= scratch.in_rows.size(); });
}

// Pairs that may touch by where the nodes are now, or meet, which takes that much more: f(pair) in order.
template <class MoreFor, class Visit>
void for_each_reached(const ContactWorld& world, ContactScratch& scratch, const MoreFor& more, const Visit& visit) {
    if (!(compute_reach(world, scratch) <= scratch.allowance)) list_near(scratch);
    for (const std::int32_t i : scratch.near) {
        const double reach = scratch.reach[at(scratch.first_end[at(i)])] + scratch.reach[at(scratch.second_end[at(i)])];
        if (scratch.bound[at(i)] + more(at(i)) <= reach) visit(i);
    }
}

// Each corner and edge of a surface goes with the first triangle that has it; add(a, b, b) makes an owner of its own
// for one that has none.
template <class Add>
void give_parts_owners(const Surface& surface, std::int32_t tubes, std::vector<std::int32_t>& owner, const Add& add) {
    std::int32_t next = tubes + static_cast<std::int32_t>(surface.triangles.size());
    std::vector<std::array<std::int32_t, 3>> edges;  // nodes, a corner twice the same; owner
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const Triangle& triangle = surface.triangles[t];
        if (!triangle.sheet) continue;
        const std::int32_t node[3] = {triangle.a, triangle.b, triangle.c};
        for (int k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(node[k], node[(k + 1) % 3]);
            edges.push_back({a, b, tubes + static_cast<std::int32_t>(t)});
            edges.push_back({node[k], node[k], tubes + static_cast<std::int32_t>(t)});
        }
    }
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = at(tubes); i < surface.capsules.size(); ++i) {
        const auto [a, b] = std::minmax(surface.capsules[i].a, surface.capsules[i].b);
        const auto found = std::lower_bound(edges.begin(), edges.end(), std::array<std::int32_t, 3>{a, b, -1});
        const bool has = found != edges.end() && (*found)[0] == a && (*found)[1] == b;
        if (!has) add(a, b, b);
        owner[i] = has ? (*found)[2] : next++;
    }
}

void list_owners(const Surface& surface, ContactScratch& scratch) {
    const std::int32_t tubes = plain_capsules(surface);
    for (auto& list : scratch.owner_node) list.clear();
    const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
        scratch.owner_node[0].push_back(a);
        scratch.owner_node[1].push_back(b);
        scratch.owner_node[2].push_back(c);
    };
    const auto capsules = static_cast<std::int32_t>(surface.capsules.size());
    for (std::int32_t i = 0; i < tubes; ++i) {
        const Capsule& capsule = surface.capsules[at(i)];
        add(capsule.a, capsule.b, capsule.b);
    }
    for (const Triangle& t : surface.triangles) add(t.a, t.b, t.c);
    scratch.owner.resize(at(primitive_count(surface)));
    std::iota(scratch.owner.begin(), scratch.owner.begin() + tubes, 0);
    std::iota(scratch.owner.begin() + capsules, scratch.owner.end(), tubes);
    give_parts_owners(surface, tubes, scratch.owner, add);
    const std::size_t count = padded(scratch.owner_node[0].size());
    while (scratch.owner_node[0].size() < count) add(0, 0, 0);
}

void fill(RowBatch& batch, int lane, std::int32_t index, const RowEnds& ends, const Pair& pair) {
    batch.pair[lane] = index;
    for (int k = 0; k < 5; ++k) batch.node[k][lane] = ends.node[k];
    batch.radii[lane] = ends.radii;
    batch.push[lane] = pair.push;
    for (auto& given : batch.given) given[lane] = 0.0;
    batch.drag[0][lane] = pair.drag.x;
    batch.drag[1][lane] = pair.drag.y;
    batch.drag[2][lane] = pair.drag.z;
    batch.normal[0][lane] = pair.side.x;
    batch.normal[1][lane] = pair.side.y;
    batch.normal[2][lane] = pair.side.z;
}

// Lanes that are not in use repeat the first, without load.
void pad(RowBatch& batch) {
    for (int lane = batch.count; lane < 8; ++lane) {
        for (int k = 0; k < 5; ++k) batch.node[k][lane] = batch.node[k][0];
        batch.push[lane] = 0.0;
        batch.radii[lane] = batch.radii[0];
        batch.start_gap[lane] = batch.start_gap[0];
        batch.start_distance[lane] = batch.start_distance[0];
        batch.least_gap[lane] = batch.least_gap[0];
        for (int k = 0; k < 3; ++k) {
            batch.drag[k][lane] = 0.0;
            batch.given[k][lane] = 0.0;
            batch.normal[k][lane] = batch.normal[k][0];
            batch.start_normal[k][lane] = batch.start_normal[k][0];
        }
    }
}

constexpr std::size_t shapes = 3;

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
        const RowEnds& ends = m_scratch.ends[at(index)];
        std::uint32_t taken = 0;
        for (int k = 0; k < 5; ++k) taken |= m_scratch.busy[at(ends.node[k])];
        std::uint32_t& kind = m_kind[ends.solid ? 1 : 0][static_cast<std::size_t>(ends.shape)];
        const std::uint32_t fits = kind & m_open & ~taken;
        const int bit = fits != 0 ? std::countr_zero(fits) : open(kind, ends);
        RowBatch& batch = m_scratch.batches[m_batch[bit]];
        fill(batch, batch.count++, index, ends, m_world.candidates.pairs[at(index)]);
        for (int k = 0; k < 5; ++k) m_scratch.busy[at(ends.node[k])] |= 1U << bit;
        if (batch.count == 8) close(bit);
        return batch;
    }

private:
    int open(std::uint32_t& kind, const RowEnds& ends) {
        if (m_open == ~0U) close(m_next_to_close++ % 32);
        const int bit = std::countr_one(m_open);
        m_open |= 1U << bit;
        kind |= 1U << bit;
        m_batch[bit] = m_scratch.batch_count++;
        if (m_scratch.batches.size() < m_scratch.batch_count) m_scratch.batches.resize(m_scratch.batch_count);
        RowBatch& batch = m_scratch.batches[m_batch[bit]];
        batch.count = 0;
        batch.shape = ends.shape;
        batch.solid = ends.solid;
        return bit;
    }

    void close(int bit) {
        RowBatch& batch = m_scratch.batches[m_batch[bit]];
        for (int lane = 0; lane < batch.count; ++lane) {
            for (int k = 0; k < 5; ++k) m_scratch.busy[at(batch.node[k][lane])] &= ~(1U << bit);
        }
        pad(batch);
        m_open &= ~(1U << bit);
        for (auto& kinds : m_kind) {
            for (std::uint32_t& kind : kinds) kind &= ~(1U << bit);
        }
    }

    const ContactWorld& m_world;
    ContactScratch& m_scratch;
    std::uint32_t m_open = 0, m_kind[2][shapes] = {};
    int m_next_to_close = 0;
    std::size_t m_batch[32] = {};
};

constexpr double rounding = 1e-12;  // m; of sums of paths

// m, beyond a gap of zero: how near a pair is when its row is wanted.
double layer_of(const ContactWorld& world, const RowEnds& ends) {
    return ends.rated ? world.settings.rate_layer : 0.0;
}

void measure_start(const ContactWorld& world, const RowNodes& nodes, ContactScratch& scratch, RowBatch& batch) {
    scratch.kernels.measure_start(nodes, batch);
    if (world.settings.rate_layer > 0.0) add_rate_constraints(nodes, world.settings.rate_layer, scratch, batch);
    scratch.distance_tests += batch.count;
    for (int lane = 0; lane < batch.count; ++lane) {
        const auto i = at(batch.pair[lane]);
        scratch.bound[i] = batch.start_gap[lane] + scratch.path[at(scratch.first_end[i])] +
                           scratch.path[at(scratch.second_end[i])] - rounding - layer_of(world, scratch.ends[i]);
    }
}

// Measures the fresh pairs, keeps those that can touch and what was found of them. Which are kept depends on the state
// alone, not on what was known of them before.
void sift(const ContactWorld& world, ContactScratch& scratch) {
    const RowNodes nodes = row_nodes(world);
    scratch.start.resize(scratch.fresh.size());
    RowBatch open[shapes];
    std::size_t place[shapes][8];
    const auto flush = [&](std::size_t kind) {
        RowBatch& batch = open[kind];
        batch.shape = static_cast<Shape>(kind);
        pad(batch);
        measure_start(world, nodes, scratch, batch);
        for (int lane = 0; lane < batch.count; ++lane) {
            scratch.start[place[kind][lane]] = {
                {batch.start_normal[0][lane], batch.start_normal[1][lane], batch.start_normal[2][lane]},
                batch.start_gap[lane],
                batch.start_distance[lane],
                batch.least_gap[lane]};
        }
        batch.count = 0;
    };
    for (RowBatch& batch : open) batch.count = 0;
    for (std::size_t i = 0; i < scratch.fresh.size(); ++i) {
        const auto index = at(scratch.fresh[i]);
        const auto kind = static_cast<std::size_t>(scratch.ends[index].shape);
        place[kind][open[kind].count] = i;
        fill(open[kind], open[kind].count++, scratch.fresh[i], scratch.ends[index], world.candidates.pairs[index]);
        if (open[kind].count == 8) flush(kind);
    }
    for (std::size_t kind = 0; kind < shapes; ++kind) {
        if (open[kind].count > 0) flush(kind);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < scratch.fresh.size(); ++i) {
        const auto k = at(scratch.fresh[i]);
        const double travel = scratch.travel[at(scratch.first_end[k])] + scratch.travel[at(scratch.second_end[k])];
        const double most = travel + layer_of(world, scratch.ends[k]);
        if (world.candidates.pairs[k].push == 0.0 && scratch.start[i].gap > most) continue;
        scratch.fresh[kept] = scratch.fresh[i];
        scratch.start[kept++] = scratch.start[i];
    }
    scratch.fresh.resize(kept);
}

}  // namespace

RowNodes row_nodes(const ContactWorld& world, std::span<Vec3> v) {
    return {&world.x[0].x, &world.p[0].x, v.empty() ? nullptr : &v[0].x, world.w.data()};
}

void begin_batches(const ContactWorld& world, ContactScratch& scratch) {
    scratch.batch_count = 0;
    for (Vec3& force : scratch.force) force = {};
    {
        BatchBuilder builder(world, scratch);
        for (const std::int32_t index : scratch.loaded) {
            builder.add(index);
            scratch.in_rows[at(index)] = 1;
        }
    }
    const RowNodes nodes = row_nodes(world);
    for (std::size_t i = 0; i < scratch.batch_count; ++i) measure_start(world, nodes, scratch, scratch.batches[i]);
}

void extend_batches(const ContactWorld& world, ContactScratch& scratch) {
    if (world.candidates.pairs.empty()) return;
    scratch.fresh.clear();
    for_each_reached(
        world, scratch, [](std::size_t) { return 0.0; },
        [&](std::int32_t i) {
            if (scratch.in_rows[at(i)] == 0) scratch.fresh.push_back(i);
        });
    if (scratch.fresh.empty()) return;
    sift(world, scratch);
    BatchBuilder builder(world, scratch);
    for (std::size_t i = 0; i < scratch.fresh.size(); ++i) {
        RowBatch& batch = builder.add(scratch.fresh[i]);
        const int lane = batch.count - 1;
        const RowStart& start = scratch.start[i];
        batch.start_normal[0][lane] = start.normal.x;
        batch.start_normal[1][lane] = start.normal.y;
        batch.start_normal[2][lane] = start.normal.z;
        batch.start_gap[lane] = start.gap;
        batch.start_distance[lane] = start.distance;
        batch.least_gap[lane] = start.least_gap;
        scratch.in_rows[at(scratch.fresh[i])] = 1;
    }
}

namespace {

// What the row gave in all, to where it touches now: the sum over a body is exact, its moment as good as the rows.
void add_force(const RowBatch& batch, int lane, std::vector<Vec3>& force) {
    const Vec3 given{batch.given[0][lane], batch.given[1][lane], batch.given[2][lane]};
    if (given == Vec3{}) return;
    for (int k = 0; k < nodes_in(batch.shape); ++k) force[at(batch.node[k][lane])] += given * batch.weight[k][lane];
}

}  // namespace

void end_batches(ContactWorld& world, ContactScratch& scratch) {
    for (std::size_t i = 0; i < scratch.batch_count; ++i) {
        const RowBatch& batch = scratch.batches[i];
        for (int lane = 0; lane < batch.count; ++lane) {
            if (!scratch.force.empty()) add_force(batch, lane, scratch.force);
            Pair& pair = world.candidates.pairs[at(batch.pair[lane])];
            pair.push = batch.push[lane];
            pair.drag = {batch.drag[0][lane], batch.drag[1][lane], batch.drag[2][lane]};
            scratch.in_rows[at(batch.pair[lane])] = 0;
        }
    }
    scratch.batch_count = 0;
}

void extend_paths(const ContactWorld& world, ContactScratch& scratch) {
    if (world.candidates.pairs.empty()) return;
    if (!scratch.reach_is_final) compute_reach(world, scratch);
    scratch.reach_is_final = false;
    scratch.path.assign(scratch.reach.begin(), scratch.reach.end());
}

namespace {

// Nothing is known of a pair: it is measured when it is looked at.
constexpr double unknown = -std::numeric_limits<double>::infinity();

void describe_pair(const ContactWorld& world, std::size_t i, double bound, ContactScratch& scratch) {
    const Pair& pair = world.candidates.pairs[i];
    RowEnds& ends = scratch.ends[i];
    ends.a = pair.a;
    ends.b = pair.b;
    scratch.first_end[i] = scratch.owner[at(pair.a)];
    scratch.second_end[i] = scratch.owner[at(pair.b)];
    ends.shape = nodes_of(world.surface, pair, ends.node);
    ends.solid = is_solid(world.surface, pair.a) || is_solid(world.surface, pair.b);
    ends.rated = has_rate_layer(world.surface, pair);
    ends.radii = contact_radii(world.surface, pair);
    scratch.bound[i] = pair.push > 0.0 ? unknown : bound;
    scratch.away[i] = ends.radii - least_apart(world.surface, pair);
    if (pair.push > 0.0) scratch.loaded.push_back(static_cast<std::int32_t>(i));
    if (pair.side != Vec3{}) scratch.sided.push_back(static_cast<std::int32_t>(i));
}

void resize_pairs(std::size_t pairs, ContactScratch& scratch) {
    scratch.batch_count = 0;
    scratch.in_rows.assign(pairs, 0);
    scratch.ends.resize(pairs);
    scratch.first_end.assign(padded(pairs), 0);
    scratch.second_end.assign(padded(pairs), 0);
    scratch.bound.assign(padded(pairs), std::numeric_limits<double>::infinity());
    scratch.away.assign(padded(pairs), 0.0);
    scratch.loaded.clear();
    scratch.sided.clear();
    scratch.allowance = -1.0;
}

}  // namespace

void forget_pairs(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t pairs = world.candidates.pairs.size();
    if (scratch.owner.empty()) list_owners(world.surface, scratch);
    scratch.path.assign(scratch.owner_node[0].size(), 0.0);
    scratch.listed_reach.assign(scratch.path.size(), 0.0);
    resize_pairs(pairs, scratch);
    for (std::size_t i = 0; i < pairs; ++i) describe_pair(world, i, unknown, scratch);
}

// Both lists are sorted: one walk carries over what is known of the pairs that stay.
void adopt_pairs(const ContactWorld& world, ContactScratch& scratch) {
    constexpr double long_way = 1.0;  // m, of a path: beyond it sums lose digits
    if (scratch.path.empty() || *std::max_element(scratch.path.begin(), scratch.path.end()) > long_way) {
        return forget_pairs(world, scratch);
    }
    std::vector<KnownPair>& known = scratch.known;
    known.clear();
    for (std::size_t i = 0; i < scratch.ends.size(); ++i) {
        known.push_back({scratch.ends[i].a, scratch.ends[i].b, scratch.bound[i]});
    }
    const std::size_t pairs = world.candidates.pairs.size();
    resize_pairs(pairs, scratch);
    std::size_t k = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
        const Pair& pair = world.candidates.pairs[i];
        const auto is_before = [&](const KnownPair& p) { return p.a != pair.a ? p.a < pair.a : p.b < pair.b; };
        while (k < known.size() && is_before(known[k])) ++k;
        const bool same = k < known.size() && known[k].a == pair.a && known[k].b == pair.b;
        describe_pair(world, i, same ? known[k].bound : unknown, scratch);
    }
}

void find_close_pairs(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& close) {
    close.clear();
    if (world.candidates.pairs.empty()) return;
    for_each_reached(
        world, scratch, [&](std::size_t i) { return scratch.away[i]; }, [&](std::int32_t i) { close.push_back(i); });
}

}  // namespace plica
