#include "contact/batches.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "contact/certify.hpp"
#include "contact/crowd.hpp"
#include "contact/rate.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

std::size_t padded(std::size_t count) {
    return (count + 7) / 8 * 8;
}

// Per owner, how far its nodes are from the start of the substep at most, plus what it went before. Returns by how much
// this has grown at most since the near pairs were listed.
double compute_paths(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t nodes = world.p.size();
    const Vec3 common = mean_displacement(world.x, world.p);
    scratch.node_travel.resize(padded(nodes));
    scratch.kernels.compute_node_travel(&world.x[0].x, &world.p[0].x, {common.x, common.y, common.z},
                                        static_cast<int>(nodes), scratch.node_travel.data());
    scratch.travel.resize(scratch.path.size());
    scratch.path_now.resize(scratch.path.size());
    const auto& node = scratch.owners.node;
    return scratch.kernels.compute_paths(scratch.node_travel.data(), {node[0].data(), node[1].data(), node[2].data()},
                                         scratch.path.data(), scratch.listed_path.data(),
                                         static_cast<int>(scratch.path.size()), scratch.travel.data(),
                                         scratch.path_now.data());
}

// Lists all pairs that are due now or will be while no owner goes further than some travels like the longest.
void list_near(ContactScratch& scratch) {
    constexpr double travels = 4.0;
    scratch.margin = travels * *std::max_element(scratch.travel.begin(), scratch.travel.end());
    scratch.listed_path.assign(scratch.path_now.begin(), scratch.path_now.end());
    scratch.near.resize(scratch.due.size());
    const int found = scratch.kernels.find_due(scratch.first_end.data(), scratch.second_end.data(), scratch.due.data(),
                                               scratch.path_now.data(), 2.0 * scratch.margin,
                                               static_cast<int>(scratch.due.size()), scratch.near.data());
    scratch.near.resize(static_cast<std::size_t>(found));
    // Padding is found as well when something is not finite.
    std::erase_if(scratch.near, [&](std::int32_t i) { return at(i) >= scratch.in_rows.size(); });
}

// Pairs that may touch by where the nodes are now, or meet, which takes that much more: f(pair) in order.
template <class MoreFor, class Visit>
void for_each_due(const ContactWorld& world, ContactScratch& scratch, const MoreFor& more, const Visit& visit) {
    if (!(compute_paths(world, scratch) <= scratch.margin)) list_near(scratch);
    for (const std::int32_t i : scratch.near) {
        const double gone =
            scratch.path_now[at(scratch.first_end[at(i)])] + scratch.path_now[at(scratch.second_end[at(i)])];
        if (scratch.due[at(i)] + more(at(i)) <= gone) visit(i);
    }
}

void fill(const ContactWorld& world, RowBatch& batch, int lane, std::int32_t index, const RowEnds& ends) {
    const Pair& pair = world.candidates.pairs[at(index)];
    if (ends.shape == Shape::point_facet) {
        batch.facet[lane] = ends.b - static_cast<std::int32_t>(world.surface.capsules.size());
        for (std::size_t k = 0; k < 3; ++k) batch.slot[k][lane] = world.facets->slots(at(batch.facet[lane]))[k];
    }
    batch.pair[lane] = index;
    for (int k = 0; k < 5; ++k) batch.node[k][lane] = ends.node[k];
    batch.radii[lane] = ends.radii;
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
void pad(RowBatch& batch) {
    for (int lane = batch.count; lane < 8; ++lane) {
        for (int k = 0; k < 5; ++k) batch.node[k][lane] = batch.node[k][0];
        if (batch.shape == Shape::point_facet) {
            batch.facet[lane] = batch.facet[0];
            for (auto& slot : batch.slot) slot[lane] = slot[0];
        }
        batch.push[lane] = 0.0;
        batch.radii[lane] = batch.radii[0];
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

void set_start(const RowStart& start, int lane, RowBatch& batch) {
    batch.start_normal[0][lane] = start.normal.x;
    batch.start_normal[1][lane] = start.normal.y;
    batch.start_normal[2][lane] = start.normal.z;
    batch.start_gap[lane] = start.gap;
    batch.start_distance[lane] = start.distance;
    batch.least_gap[lane] = start.least_gap;
    if (!batch.floating) return;
    for (int k = 0; k < nodes_in(batch.shape); ++k) batch.weight[k][lane] = start.weight[k];
}

constexpr std::size_t shapes = 4;

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
        std::uint32_t& kind =
            m_kind[(ends.solid ? 1 : 0) + (ends.floating ? 2 : 0)][static_cast<std::size_t>(ends.shape)];
        const std::uint32_t fits = kind & m_open & ~taken;
        const int bit = fits != 0 ? std::countr_zero(fits) : open(kind, ends);
        RowBatch& batch = m_scratch.batches[m_batch[bit]];
        fill(m_world, batch, batch.count++, index, ends);
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
        batch.floating = ends.floating;
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
    std::uint32_t m_open = 0, m_kind[4][shapes] = {};
    int m_next_to_close = 0;
    std::size_t m_batch[32] = {};
};

// Calls visit(i) for all i below count. Rows that follow each other in the list share nodes; in a crowd it is gone
// through from many places at once, or most batches would have to be closed before they are full.
template <class Visit>
void for_each_row(std::size_t count, bool crowded, const Visit& visit) {
    constexpr std::size_t most_places = 64;
    const std::size_t places = crowded ? most_places : 1;
    const std::size_t length = (count + places - 1) / places;
    for (std::size_t k = 0; k < length; ++k) {
        for (std::size_t i = k; i < count; i += length) visit(i);
    }
}

constexpr double rounding = 1e-12;  // m; of sums of paths

// m, beyond a gap of zero: how near a pair is when its row is wanted.
double layer_of(const ContactWorld& world, const RowEnds& ends) {
    return ends.rated ? world.settings.rate_layer : 0.0;
}

void measure_start(const ContactWorld& world, const RowNodes& nodes, ContactScratch& scratch, RowBatch& batch) {
    if (batch.shape == Shape::point_facet) world.facets->provide(world.x);
    scratch.kernels.measure_start(nodes, batch);
    if (world.settings.rate_layer > 0.0) add_rate_constraints(nodes, world.settings.rate_layer, scratch, batch);
    scratch.distance_tests += batch.count;
    for (int lane = 0; lane < batch.count; ++lane) {
        const auto i = at(batch.pair[lane]);
        scratch.due[i] = batch.start_distance[lane] - batch.radii[lane] + scratch.path[at(scratch.first_end[i])] +
                         scratch.path[at(scratch.second_end[i])] - rounding - layer_of(world, scratch.ends[i]);
        if (!scratch.crowded) continue;
        for (int k = 0; k < 3; ++k) scratch.facing[k][i] = batch.start_normal[k][lane];
    }
}

// Does the row do something where its nodes are now?
bool is_pressed(const ContactWorld& world, std::size_t pair, double radii, const RowStart& start) {
    const Contact now = measure(world.surface, world.candidates.pairs[pair], world.p, {});
    return now.distance * dot(now.normal, start.normal) - radii <= std::max(0.0, start.least_gap);
}

// May a pair without load, as it was found at the start of the substep, be left out?
bool cannot_touch_yet(const ContactWorld& world, const ContactScratch& scratch, std::size_t k, const RowStart& start) {
    if (scratch.crowded) return !is_near_now(world, scratch, k, start);
    const double travel = scratch.travel[at(scratch.first_end[k])] + scratch.travel[at(scratch.second_end[k])];
    const double most = travel + layer_of(world, scratch.ends[k]);
    return start.distance - scratch.ends[k].radii > most;
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
            RowStart& start = scratch.start[place[kind][lane]];
            start.normal = {batch.start_normal[0][lane], batch.start_normal[1][lane], batch.start_normal[2][lane]};
            start.gap = batch.start_gap[lane];
            start.distance = batch.start_distance[lane];
            start.least_gap = batch.least_gap[lane];
            if (world.floating == nullptr) continue;
            for (int k = 0; k < nodes_in(batch.shape); ++k) start.weight[k] = batch.weight[k][lane];
        }
        batch.count = 0;
    };
    for (RowBatch& batch : open) batch.count = 0;
    for (std::size_t i = 0; i < scratch.fresh.size(); ++i) {
        const auto index = at(scratch.fresh[i]);
        const auto kind = static_cast<std::size_t>(scratch.ends[index].shape);
        place[kind][open[kind].count] = i;
        fill(world, open[kind], open[kind].count++, scratch.fresh[i], scratch.ends[index]);
        if (open[kind].count == 8) flush(kind);
    }
    for (std::size_t kind = 0; kind < shapes; ++kind) {
        if (open[kind].count > 0) flush(kind);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < scratch.fresh.size(); ++i) {
        const auto k = at(scratch.fresh[i]);
        const bool unloaded = world.candidates.pairs[k].push == 0.0;
        if (unloaded && cannot_touch_yet(world, scratch, k, scratch.start[i])) continue;
        // What shares a floating body does not leave the others alone: only rows that act may be among them, or results
        // would depend on which pairs happen to be listed.
        if (scratch.ends[k].floating && unloaded && !is_pressed(world, k, scratch.ends[k].radii, scratch.start[i]))
            continue;
        scratch.fresh[kept] = scratch.fresh[i];
        scratch.start[kept++] = scratch.start[i];
    }
    scratch.fresh.resize(kept);
}

}  // namespace

RowNodes row_nodes(const ContactWorld& world, std::span<Vec3> v) {
    RowNodes nodes{&world.x[0].x, &world.p[0].x, v.empty() ? nullptr : &v[0].x, world.w.data()};
    if (world.facets != nullptr) {
        nodes.normals = world.facets->normals();
        nodes.creases = world.facets->creases();
        nodes.constant_normals = world.facets->is_constant();
    }
    return nodes;
}

void begin_batches(const ContactWorld& world, ContactScratch& scratch) {
    scratch.batch_count = 0;
    if (world.facets != nullptr) world.facets->begin();
    for (Vec3& force : scratch.force) force = {};
    {
        BatchBuilder builder(world, scratch);
        for_each_row(scratch.loaded.size(), scratch.crowded, [&](std::size_t i) {
            builder.add(scratch.loaded[i]);
            scratch.in_rows[at(scratch.loaded[i])] = 1;
        });
    }
    const RowNodes nodes = row_nodes(world);
    for (std::size_t i = 0; i < scratch.batch_count; ++i) measure_start(world, nodes, scratch, scratch.batches[i]);
}

namespace {

void find_fresh(const ContactWorld& world, ContactScratch& scratch) {
    if (scratch.crowded) return find_facing(world, scratch, scratch.fresh);
    scratch.fresh.clear();
    for_each_due(
        world, scratch, [](std::size_t) { return 0.0; },
        [&](std::int32_t i) {
            if (scratch.in_rows[at(i)] == 0) scratch.fresh.push_back(i);
        });
}

}  // namespace

void extend_batches(const ContactWorld& world, ContactScratch& scratch) {
    if (world.candidates.pairs.empty()) return;
    find_fresh(world, scratch);
    if (scratch.fresh.empty()) return;
    sift(world, scratch);
    const auto is_loaded = [&](std::int32_t index) { return world.candidates.pairs[at(index)].push > 0.0; };
    // As at the start of the substep, whenever the list is replaced: first what carries load. In a crowd the passes
    // over such rows then meet few others.
    for (const bool loaded : {true, false}) {
        if (loaded && world.floating == nullptr && !scratch.crowded) continue;
        BatchBuilder builder(world, scratch);
        for_each_row(scratch.fresh.size(), scratch.crowded, [&](std::size_t i) {
            const std::int32_t index = scratch.fresh[i];
            const bool goes_first = (scratch.crowded || scratch.ends[at(index)].floating) && is_loaded(index);
            if (goes_first != loaded) return;
            RowBatch& batch = builder.add(index);
            set_start(scratch.start[i], batch.count - 1, batch);
            scratch.in_rows[at(index)] = 1;
        });
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
            pair.friction = {batch.friction[0][lane], batch.friction[1][lane], batch.friction[2][lane]};
            scratch.in_rows[at(batch.pair[lane])] = 0;
        }
    }
    scratch.batch_count = 0;
}

void extend_paths(const ContactWorld& world, ContactScratch& scratch) {
    if (world.candidates.pairs.empty() || scratch.crowded) return;
    if (!scratch.path_is_final) compute_paths(world, scratch);
    scratch.path_is_final = false;
    scratch.path.assign(scratch.path_now.begin(), scratch.path_now.end());
}

namespace {

void describe_pair(const ContactWorld& world, std::size_t i, double due, ContactScratch& scratch) {
    const Pair& pair = world.candidates.pairs[i];
    RowEnds& ends = scratch.ends[i];
    ends.a = pair.a;
    ends.b = pair.b;
    scratch.first_end[i] = scratch.owners.of[at(pair.a)];
    scratch.second_end[i] = scratch.owners.of[at(pair.b)];
    ends.shape = nodes_of(world.surface, pair, ends.node);
    ends.solid = is_solid(world.surface, pair.a) || is_solid(world.surface, pair.b);
    if (world.facets != nullptr && is_point(ends.shape) && is_solid(world.surface, pair.b)) {
        ends.shape = Shape::point_facet;
    }
    ends.rated = has_rate_layer(world.surface, pair);
    ends.floating = has_floating(world.floating, ends.node);
    ends.radii = contact_radii(world.surface, pair);
    scratch.due[i] = pair.push > 0.0 ? due_at_once : due;
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
    scratch.due.assign(padded(pairs), std::numeric_limits<double>::infinity());
    scratch.away.assign(padded(pairs), 0.0);
    for (auto& each : scratch.facing) each.resize(scratch.crowded ? pairs : 0);
    for (auto& each : scratch.side_node) each.resize(scratch.crowded ? pairs : 0);
    scratch.loaded.clear();
    scratch.sided.clear();
    scratch.margin = -1.0;
}

}  // namespace

void forget_pairs(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t pairs = world.candidates.pairs.size();
    const auto primitives = static_cast<std::size_t>(primitive_count(world.surface));
    if (scratch.owners.of.size() != primitives) scratch.owners = list_owners(world.surface);
    scratch.path.assign(scratch.owners.node[0].size(), 0.0);
    scratch.listed_path.assign(scratch.path.size(), 0.0);
    resize_pairs(pairs, scratch);
    for (std::size_t i = 0; i < pairs; ++i) {
        describe_pair(world, i, due_at_once, scratch);
        if (scratch.crowded) set_sides(i, {}, scratch);
    }
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
        const Vec3 facing =
            scratch.crowded ? Vec3{scratch.facing[0][i], scratch.facing[1][i], scratch.facing[2][i]} : Vec3{};
        known.push_back({scratch.ends[i].a, scratch.ends[i].b, scratch.due[i], facing});
    }
    const std::size_t pairs = world.candidates.pairs.size();
    resize_pairs(pairs, scratch);
    std::size_t k = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
        const Pair& pair = world.candidates.pairs[i];
        const auto is_before = [&](const KnownPair& p) { return p.a != pair.a ? p.a < pair.a : p.b < pair.b; };
        while (k < known.size() && is_before(known[k])) ++k;
        const bool same = k < known.size() && known[k].a == pair.a && known[k].b == pair.b;
        describe_pair(world, i, same ? known[k].due : due_at_once, scratch);
        // What carries load must be found again, wherever it is.
        if (scratch.crowded) set_sides(i, same && pair.push == 0.0 ? known[k].facing : Vec3{}, scratch);
    }
}

void find_close_pairs(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& close) {
    close.clear();
    if (world.candidates.pairs.empty()) return;
    if (scratch.crowded) return find_crossing(world, scratch, close);
    for_each_due(
        world, scratch, [&](std::size_t i) { return scratch.away[i]; }, [&](std::int32_t i) { close.push_back(i); });
}

}  // namespace plica
