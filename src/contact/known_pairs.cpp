#include <algorithm>
#include <utility>

#include "contact/batches.hpp"
#include "contact/certify.hpp"
#include "contact/crowd.hpp"
#include "contact/rate.hpp"
#include "contact/respond.hpp"
#include "core/index.hpp"

// What is known of the candidate pairs, and how it outlives a new list of them.
namespace plica {
namespace {

constexpr std::uint8_t carries_load = 1, has_side = 2;

void describe_pair(const ContactWorld& world, std::size_t i, ContactScratch& scratch) {
    const Pair& pair = world.candidates.pairs[i];
    RowEnds& ends = scratch.pairs.ends[i];
    ends.a = pair.a;
    ends.b = pair.b;
    scratch.pairs.owner_a[i] = scratch.paths.owners.of[at(pair.a)];
    scratch.pairs.owner_b[i] = scratch.paths.owners.of[at(pair.b)];
    ends.shape = nodes_of(world.surface, pair, ends.node);
    ends.solid = is_solid(world.surface, pair.a) || is_solid(world.surface, pair.b);
    if (world.facets != nullptr && is_point(ends.shape) && is_solid(world.surface, pair.b)) {
        ends.shape = Shape::point_facet;
    }
    ends.rated = has_rate_layer(world.surface, pair);
    ends.floating = has_floating(world.floating, ends.node);
    ends.moving = 0;
    for (unsigned k = 0; k < 5; ++k) {
        if (ends.floating || world.w[at(ends.node[k])] > 0.0) ends.moving |= static_cast<std::uint8_t>(1U << k);
    }
    ends.radii = contact_radii(world.surface, pair);
    if (world.frictions != nullptr) {
        ends.rub = world.frictions->place_of(body_of(world.surface, pair.a), body_of(world.surface, pair.b));
    }
    scratch.pairs.radii[i] = ends.radii;
    scratch.pairs.away[i] = most_closer(world.surface, pair, world.settings.deepest);
    scratch.pairs.due[i] = due_at_once;
    if (scratch.crowd.active) set_sides(i, {}, scratch);
}

// What was known of the pair when it was number k of the last list. What carries load must be found again, wherever it
// is.
void take_over(const ContactWorld& world, std::size_t i, std::size_t k, ContactScratch& scratch) {
    KnownPairs& now = scratch.pairs;
    const KnownPairs& before = scratch.pairs.before;
    const bool loaded = world.candidates.pairs[i].push > 0.0;
    now.ends[i] = before.ends[k];
    now.owner_a[i] = before.owner_a[k];
    now.owner_b[i] = before.owner_b[k];
    now.radii[i] = before.radii[k];
    now.away[i] = before.away[k];
    now.due[i] = loaded ? due_at_once : before.due[k];
    if (!scratch.crowd.active) return;
    for (std::size_t n = 0; n < 5; ++n) now.side_node[n][i] = before.side_node[n][k];
    for (std::size_t axis = 0; axis < 3; ++axis) now.facing[axis][i] = loaded ? 0.0 : before.facing[axis][k];
}

void mark_pair(const Pair& pair, std::size_t i, PairScratch& pairs) {
    pairs.marks[i] =
        static_cast<std::uint8_t>((pair.push > 0.0 ? carries_load : 0) | (pair.side != Vec3{} ? has_side : 0));
}

// In the order of their indices.
void list_marked_pairs(PairScratch& pairs) {
    for (std::size_t i = 0; i < pairs.marks.size(); ++i) {
        if (pairs.marks[i] == 0) continue;
        if ((pairs.marks[i] & carries_load) != 0) pairs.loaded.push_back(static_cast<std::int32_t>(i));
        if ((pairs.marks[i] & has_side) != 0) pairs.sided.push_back(static_cast<std::int32_t>(i));
    }
}

void resize_pairs(std::size_t pairs, ContactScratch& scratch) {
    end_rows(scratch);
    scratch.rows.has_row.assign(padded(pairs), 0);
    scratch.pairs.marks.resize(pairs);
    scratch.pairs.ends.resize(pairs);
    scratch.pairs.radii.resize(pairs);
    scratch.pairs.owner_a.assign(padded(pairs), 0);
    scratch.pairs.owner_b.assign(padded(pairs), 0);
    scratch.pairs.due.assign(padded(pairs), std::numeric_limits<double>::infinity());
    scratch.pairs.away.assign(padded(pairs), 0.0);
    for (auto& each : scratch.pairs.facing) each.resize(scratch.crowd.active ? pairs : 0);
    for (auto& each : scratch.pairs.side_node) each.resize(scratch.crowd.active ? pairs : 0);
    scratch.pairs.loaded.clear();
    scratch.pairs.sided.clear();
    scratch.near.margin = -1.0;
}

void reserve_known(std::size_t pairs, bool facing, KnownPairs& known) {
    known.ends.reserve(pairs);
    for (auto* list : {&known.owner_a, &known.owner_b}) list->reserve(pairs);
    for (auto* list : {&known.due, &known.away, &known.radii}) list->reserve(pairs);
    if (!facing) return;
    for (auto& list : known.facing) list.reserve(pairs);
    for (auto& list : known.side_node) list.reserve(pairs);
}

}  // namespace

void reserve_pairs_for(std::size_t pairs, ContactScratch& scratch) {
    pairs += 8;  // of padding
    scratch.rows.batches.reserve(pairs / 8 + 64);
    for (std::size_t bin = 0; bin <= most_bins; ++bin) {
        const std::size_t rows = bin == 0 ? pairs : pairs / most_bins;
        scratch.rows.dealt[bin].reserve(rows);
        scratch.rows.in_bin[bin].reserve(rows / 4);
    }
    for (KnownPairs* known : {static_cast<KnownPairs*>(&scratch.pairs), &scratch.pairs.before}) {
        reserve_known(pairs, true, *known);
    }
    scratch.pairs.marks.reserve(pairs);
    scratch.rows.has_row.reserve(pairs);
    scratch.rows.sided.reserve(pairs);
    scratch.rows.unwanted.reserve(pairs);
    scratch.rows.start.reserve(pairs);
    for (auto* list : {&scratch.pairs.loaded, &scratch.pairs.sided, &scratch.rows.fresh, &scratch.near.pairs})
        list->reserve(pairs);
    scratch.crowd.clearance.reserve(pairs);
    scratch.crowd.clear_at_end.reserve(pairs);
}

void forget_pairs(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t pairs = world.candidates.pairs.size();
    const auto primitives = static_cast<std::size_t>(primitive_count(world.surface));
    if (scratch.paths.owners.of.size() != primitives) scratch.paths.owners = list_owners(world.surface);
    scratch.paths.path.assign(scratch.paths.owners.node[0].size(), 0.0);
    scratch.near.listed_path.assign(scratch.paths.path.size(), 0.0);
    resize_pairs(pairs, scratch);
    for (std::size_t i = 0; i < pairs; ++i) {
        describe_pair(world, i, scratch);
        mark_pair(world.candidates.pairs[i], i, scratch.pairs);
    }
    list_marked_pairs(scratch.pairs);
}

namespace {

// Both lists are sorted: one walk over a piece of the new one finds the pairs that stay.
void adopt_piece(const ContactWorld& world, std::size_t begin, std::size_t end, ContactScratch& scratch) {
    const std::vector<RowEnds>& old = scratch.pairs.before.ends;
    const auto is_before = [](const RowEnds& p, const Pair& pair) {
        return p.a != pair.a ? p.a < pair.a : p.b < pair.b;
    };
    const std::vector<Pair>& pairs = world.candidates.pairs;
    auto k = static_cast<std::size_t>(std::lower_bound(old.begin(), old.end(), pairs[begin], is_before) - old.begin());
    for (std::size_t i = begin; i < end; ++i) {
        while (k < old.size() && is_before(old[k], pairs[i])) ++k;
        const bool stays = k < old.size() && old[k].a == pairs[i].a && old[k].b == pairs[i].b;
        stays ? take_over(world, i, k, scratch) : describe_pair(world, i, scratch);
        mark_pair(pairs[i], i, scratch.pairs);
    }
}

}  // namespace

void adopt_pairs(const ContactWorld& world, ContactScratch& scratch) {
    constexpr double long_way = 1.0;  // m, of a path: beyond it sums lose digits
    constexpr std::size_t pairs_a_piece = 512;
    if (scratch.paths.path.empty() ||
        *std::max_element(scratch.paths.path.begin(), scratch.paths.path.end()) > long_way) {
        return forget_pairs(world, scratch);
    }
    std::swap(static_cast<KnownPairs&>(scratch.pairs), scratch.pairs.before);
    const std::size_t pairs = world.candidates.pairs.size();
    resize_pairs(pairs, scratch);
    for_pieces(scratch, pairs, pairs_a_piece,
               [&](std::size_t begin, std::size_t end) { adopt_piece(world, begin, end, scratch); });
    list_marked_pairs(scratch.pairs);
}

}  // namespace plica
