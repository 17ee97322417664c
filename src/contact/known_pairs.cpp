#include <algorithm>

#include "contact/certify.hpp"
#include "contact/crowd.hpp"
#include "contact/rate.hpp"
#include "contact/respond.hpp"
#include "core/index.hpp"

// What is known of the candidate pairs, and how it outlives a new list of them.
namespace plica {
namespace {

void describe_pair(const ContactWorld& world, std::size_t i, double due, ContactScratch& scratch) {
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
    ends.radii = contact_radii(world.surface, pair);
    if (world.frictions != nullptr) {
        ends.rub = world.frictions->place_of(body_of(world.surface, pair.a), body_of(world.surface, pair.b));
    }
    scratch.pairs.due[i] = pair.push > 0.0 ? due_at_once : due;
    scratch.pairs.away[i] = ends.radii - least_apart(world.surface, pair);
    if (pair.push > 0.0) scratch.pairs.loaded.push_back(static_cast<std::int32_t>(i));
    if (pair.side != Vec3{}) scratch.pairs.sided.push_back(static_cast<std::int32_t>(i));
}

void resize_pairs(std::size_t pairs, ContactScratch& scratch) {
    scratch.rows.count = 0;
    scratch.rows.has_row.assign(pairs, 0);
    scratch.pairs.ends.resize(pairs);
    scratch.pairs.owner_a.assign(padded(pairs), 0);
    scratch.pairs.owner_b.assign(padded(pairs), 0);
    scratch.pairs.due.assign(padded(pairs), std::numeric_limits<double>::infinity());
    scratch.pairs.away.assign(padded(pairs), 0.0);
    for (auto& each : scratch.crowd.facing) each.resize(scratch.crowd.active ? pairs : 0);
    for (auto& each : scratch.crowd.side_node) each.resize(scratch.crowd.active ? pairs : 0);
    scratch.pairs.loaded.clear();
    scratch.pairs.sided.clear();
    scratch.near.margin = -1.0;
}

}  // namespace

void reserve_pairs_for(std::size_t pairs, ContactScratch& scratch) {
    pairs += 8;  // of padding
    scratch.rows.batches.reserve(pairs / 8 + 64);
    scratch.pairs.ends.reserve(pairs);
    scratch.pairs.owner_a.reserve(pairs);
    scratch.pairs.owner_b.reserve(pairs);
    scratch.pairs.due.reserve(pairs);
    scratch.rows.has_row.reserve(pairs);
    scratch.rows.start.reserve(pairs);
    for (auto* list : {&scratch.pairs.loaded, &scratch.pairs.sided, &scratch.rows.fresh, &scratch.near.pairs})
        list->reserve(pairs);
    for (auto* list : {&scratch.pairs.away, &scratch.crowd.clearance}) list->reserve(pairs);
    for (auto& list : scratch.crowd.facing) list.reserve(pairs);
    for (auto& list : scratch.crowd.side_node) list.reserve(pairs);
    scratch.crowd.clear_at_end.reserve(pairs);
    scratch.pairs.known.reserve(pairs);
}

void forget_pairs(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t pairs = world.candidates.pairs.size();
    const auto primitives = static_cast<std::size_t>(primitive_count(world.surface));
    if (scratch.paths.owners.of.size() != primitives) scratch.paths.owners = list_owners(world.surface);
    scratch.paths.path.assign(scratch.paths.owners.node[0].size(), 0.0);
    scratch.near.listed_path.assign(scratch.paths.path.size(), 0.0);
    resize_pairs(pairs, scratch);
    for (std::size_t i = 0; i < pairs; ++i) {
        describe_pair(world, i, due_at_once, scratch);
        if (scratch.crowd.active) set_sides(i, {}, scratch);
    }
}

// Both lists are sorted: one walk carries over what is known of the pairs that stay.
void adopt_pairs(const ContactWorld& world, ContactScratch& scratch) {
    constexpr double long_way = 1.0;  // m, of a path: beyond it sums lose digits
    if (scratch.paths.path.empty() ||
        *std::max_element(scratch.paths.path.begin(), scratch.paths.path.end()) > long_way) {
        return forget_pairs(world, scratch);
    }
    std::vector<KnownPair>& known = scratch.pairs.known;
    known.clear();
    for (std::size_t i = 0; i < scratch.pairs.ends.size(); ++i) {
        const Vec3 facing = scratch.crowd.active ? Vec3{scratch.crowd.facing[0][i], scratch.crowd.facing[1][i],
                                                        scratch.crowd.facing[2][i]}
                                                 : Vec3{};
        known.push_back({scratch.pairs.ends[i].a, scratch.pairs.ends[i].b, scratch.pairs.due[i], facing});
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
        if (scratch.crowd.active) set_sides(i, same && pair.push == 0.0 ? known[k].facing : Vec3{}, scratch);
    }
}

}  // namespace plica
