#include "contact/batches.hpp"

#include <algorithm>

#include "contact/batch_builder.hpp"
#include "contact/crowd.hpp"
#include "contact/paths.hpp"
#include "contact/rate.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// Calls visit(i) for all i below count. Rows that follow each other in the list share nodes; where there are many it is
// gone through from many places at once, or most batches would have to be closed before they are full.
template <class Visit>
void for_each_row(std::size_t count, bool many, const Visit& visit) {
    constexpr std::size_t most_places = 64;
    const std::size_t places = many ? most_places : 1;
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
    if (world.settings.rate_layer > 0.0) add_rate_constraints(nodes, world.settings.rate_layer, scratch.pairs, batch);
    for (int lane = 0; lane < batch.count; ++lane) {
        const auto i = at(batch.pair[lane]);
        scratch.pairs.due[i] =
            batch.start_distance[lane] - batch.radii[lane] + scratch.paths.path[at(scratch.pairs.owner_a[i])] +
            scratch.paths.path[at(scratch.pairs.owner_b[i])] - rounding - layer_of(world, scratch.pairs.ends[i]);
        if (!scratch.crowd.active) continue;
        for (int k = 0; k < 3; ++k) scratch.pairs.facing[k][i] = batch.start_normal[k][lane];
    }
}

// Does the row do something where its nodes are now?
bool is_pressed(const ContactWorld& world, std::size_t pair, double radii, const RowStart& start) {
    const Contact now = measure(world.surface, world.candidates.pairs[pair], world.p, {});
    return now.distance * dot(now.normal, start.normal) - radii <= std::max(0.0, start.least_gap);
}

// May a pair without load, as it was found at the start of the substep, be left out?
bool cannot_touch_yet(const ContactWorld& world, const ContactScratch& scratch, std::size_t k, const RowStart& start) {
    if (scratch.crowd.active) return !is_near_now(world, scratch, k, start);
    const double travel =
        scratch.paths.travel[at(scratch.pairs.owner_a[k])] + scratch.paths.travel[at(scratch.pairs.owner_b[k])];
    const double most = travel + layer_of(world, scratch.pairs.ends[k]);
    return start.distance - scratch.pairs.ends[k].radii > most;
}

// Measures a piece of the fresh pairs, and keeps what was found of them.
void measure_fresh(const ContactWorld& world, std::size_t begin, std::size_t end, ContactScratch& scratch) {
    RowNodes nodes = row_nodes(world);
    nodes.evenly = false;  // solids and tubes are in one batch
    RowBatch open[shapes];
    std::size_t place[shapes][8];
    const auto flush = [&](std::size_t kind) {
        RowBatch& batch = open[kind];
        batch.shape = static_cast<Shape>(kind);
        pad(batch);
        measure_start(world, nodes, scratch, batch);
        for (int lane = 0; lane < batch.count; ++lane) {
            RowStart& start = scratch.rows.start[place[kind][lane]];
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
    for (std::size_t i = begin; i < end; ++i) {
        const auto index = at(scratch.rows.fresh[i]);
        const auto kind = static_cast<std::size_t>(scratch.pairs.ends[index].shape);
        place[kind][open[kind].count] = i;
        fill(world, open[kind], open[kind].count++, scratch.rows.fresh[i], scratch.pairs.ends[index]);
        if (open[kind].count == 8) flush(kind);
    }
    for (std::size_t kind = 0; kind < shapes; ++kind) {
        if (open[kind].count > 0) flush(kind);
    }
}

// Is a pair that was just measured worth a row? Depends on the state alone, not on what was known of it before.
bool is_wanted(const ContactWorld& world, const ContactScratch& scratch, std::size_t k, const RowStart& start) {
    if (world.candidates.pairs[k].push != 0.0) return true;
    if (cannot_touch_yet(world, scratch, k, start)) return false;
    // What shares a floating body does not leave the others alone: only rows that act may be among them, or results
    // would depend on which pairs happen to be listed.
    return !scratch.pairs.ends[k].floating || is_pressed(world, k, scratch.pairs.ends[k].radii, start);
}

// Measures the fresh pairs, keeps those that can touch and what was found of them.
void sift(const ContactWorld& world, ContactScratch& scratch) {
    constexpr std::size_t piece = 64;  // pairs
    const std::size_t fresh = scratch.rows.fresh.size();
    scratch.rows.start.resize(fresh);
    scratch.rows.unwanted.resize(fresh);
    scratch.outcome.distance_tests += static_cast<std::int64_t>(fresh);
    const bool alone = world.facets != nullptr;  // which are made where they are asked for
    const std::size_t size = alone ? std::max<std::size_t>(1, fresh) : piece;
    for_chunks(scratch, static_cast<int>((fresh + size - 1) / size), [&](int chunk) {
        const std::size_t begin = static_cast<std::size_t>(chunk) * size;
        const std::size_t end = std::min(begin + size, fresh);
        measure_fresh(world, begin, end, scratch);
        for (std::size_t i = begin; i < end; ++i) {
            scratch.rows.unwanted[i] =
                is_wanted(world, scratch, at(scratch.rows.fresh[i]), scratch.rows.start[i]) ? 0 : 1;
        }
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fresh; ++i) {
        if (scratch.rows.unwanted[i] != 0) continue;
        scratch.rows.fresh[kept] = scratch.rows.fresh[i];
        scratch.rows.start[kept++] = scratch.rows.start[i];
    }
    scratch.rows.fresh.resize(kept);
}

// Deals `count` rows out to the bins: pair_of(i) is the candidate, or -1 for one that is not meant.
template <class PairOf>
void deal_rows(std::size_t count, const PairOf& pair_of, ContactScratch& scratch) {
    for (auto& dealt : scratch.rows.dealt) dealt.clear();
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t index = pair_of(i);
        if (index < 0) continue;
        scratch.rows.dealt[take_bin(scratch.pairs.ends[at(index)], scratch.islands)].push_back(
            static_cast<std::int32_t>(i));
        scratch.rows.has_row[at(index)] = 1;
    }
}

// Calls place(builder, i) for the rows that were dealt out, bin by bin.
template <class Place>
void batch_dealt(const ContactWorld& world, ContactScratch& scratch, const Place& place) {
    const bool many = scratch.crowd.active || scratch.islands.bins > 1;
    for (std::size_t bin = 0; bin <= most_bins; ++bin) {
        const std::vector<std::int32_t>& dealt = scratch.rows.dealt[bin];
        if (dealt.empty()) continue;
        BatchBuilder builder(world, scratch, bin);
        for_each_row(dealt.size(), many, [&](std::size_t k) { place(builder, at(dealt[k])); });
    }
}

}  // namespace

RowNodes row_nodes(const ContactWorld& world, std::span<Vec3> v) {
    RowNodes nodes{&world.x[0].x, &world.p[0].x, v.empty() ? nullptr : &v[0].x, world.w.data()};
    nodes.evenly = v.empty() && world.settings.response == ResponseKind::consistent;
    nodes.most_push = world.settings.max_force * world.h * world.h;
    if (world.facets != nullptr) {
        nodes.normals = world.facets->normals();
        nodes.creases = world.facets->creases();
        nodes.constant_normals = world.facets->is_constant();
    }
    return nodes;
}

void end_rows(ContactScratch& scratch) {
    scratch.rows.count = 0;
    for (auto& bin : scratch.rows.in_bin) bin.clear();
}

void begin_batches(const ContactWorld& world, ContactScratch& scratch) {
    end_rows(scratch);
    if (world.facets != nullptr) world.facets->begin();
    for (Vec3& force : scratch.outcome.force) force = {};
    const std::vector<std::int32_t>& loaded = scratch.pairs.loaded;
    deal_islands(world, scratch);
    deal_rows(loaded.size(), [&](std::size_t i) { return loaded[i]; }, scratch);
    batch_dealt(world, scratch, [&](BatchBuilder& builder, std::size_t i) { builder.place(loaded[i]); });
    const RowNodes nodes = row_nodes(world);
    for_chunks(scratch, static_cast<int>(scratch.islands.bins == 1 ? 1 : most_bins + 1), [&](int bin) {
        for (const std::int32_t i : scratch.rows.in_bin[bin]) {
            RowBatch& batch = scratch.rows.batches[at(i)];
            fill_all(world, scratch.pairs, batch);
            measure_start(world, nodes, scratch, batch);
        }
    });
    scratch.outcome.distance_tests += static_cast<std::int64_t>(loaded.size());
}

namespace {

void find_fresh(const ContactWorld& world, ContactScratch& scratch) {
    if (scratch.crowd.active) return find_facing(world, scratch, scratch.rows.fresh);
    scratch.rows.fresh.clear();
    for_each_due(
        world, scratch, [](std::size_t) { return 0.0; },
        [&](std::int32_t i) {
            if (scratch.rows.has_row[at(i)] == 0 && is_moved(scratch.pairs.ends[at(i)]))
                scratch.rows.fresh.push_back(i);
        });
}

}  // namespace

void extend_batches(const ContactWorld& world, ContactScratch& scratch) {
    if (world.candidates.pairs.empty()) return;
    find_fresh(world, scratch);
    if (scratch.rows.fresh.empty()) return;
    sift(world, scratch);
    const auto is_loaded = [&](std::int32_t index) { return world.candidates.pairs[at(index)].push > 0.0; };
    // As at the start of the substep, whenever the list is replaced: first what carries load. In a crowd the passes
    // over such rows then meet few others.
    for (const bool loaded : {true, false}) {
        if (loaded && world.floating == nullptr && !scratch.crowd.active) continue;
        const std::size_t first = scratch.rows.count;
        const auto pair_of = [&](std::size_t i) {
            const std::int32_t index = scratch.rows.fresh[i];
            const bool goes_first =
                (scratch.crowd.active || scratch.pairs.ends[at(index)].floating) && is_loaded(index);
            return goes_first == loaded ? index : -1;
        };
        deal_rows(scratch.rows.fresh.size(), pair_of, scratch);
        batch_dealt(world, scratch, [&](BatchBuilder& builder, std::size_t i) {
            const std::int32_t index = scratch.rows.fresh[i];
            RowBatch& batch = builder.place(index);
            fill(world, batch, batch.count - 1, index, scratch.pairs.ends[at(index)]);
            set_start(scratch.rows.start[i], batch.count - 1, batch);
        });
        for (std::size_t i = first; i < scratch.rows.count; ++i) pad(scratch.rows.batches[i]);
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
    for (std::size_t i = 0; i < scratch.rows.count; ++i) {
        const RowBatch& batch = scratch.rows.batches[i];
        for (int lane = 0; lane < batch.count; ++lane) {
            if (!scratch.outcome.force.empty()) add_force(batch, lane, scratch.outcome.force);
            Pair& pair = world.candidates.pairs[at(batch.pair[lane])];
            pair.push = batch.push[lane];
            pair.friction = {batch.friction[0][lane], batch.friction[1][lane], batch.friction[2][lane]};
            scratch.rows.has_row[at(batch.pair[lane])] = 0;
        }
    }
    end_rows(scratch);
}

void find_close_pairs(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& close) {
    close.clear();
    if (world.candidates.pairs.empty()) return;
    if (scratch.crowd.active) return find_crossing(world, scratch, close);
    for_each_due(
        world, scratch, [&](std::size_t i) { return scratch.pairs.away[i]; },
        [&](std::int32_t i) { close.push_back(i); });
}

}  // namespace plica
