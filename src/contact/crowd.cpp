#include "contact/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/batches.hpp"
#include "contact/measure.hpp"
#include "contact/near.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

constexpr std::size_t least_crowd = 500;  // pairs with a solid on one side that carry load
constexpr double margin_share = 0.005;    // of the contact radii: passes over the rows move nodes that far

// m: how near a pair is when its row is wanted.
double wanted_within(const ContactWorld& world, const PairScratch& pairs, std::size_t i) {
    const double within = (1.0 + margin_share) * pairs.radii[i];
    if (!(world.settings.rate_layer > 0.0)) return within;
    return within + (pairs.ends[i].rated ? world.settings.rate_layer : 0.0);
}

constexpr std::size_t pairs_a_piece = 512;  // eights of them

// m: the furthest that a node went from one place to the other, against the mean of all.
double farthest(std::span<const Vec3> from, std::span<const Vec3> to, ContactScratch& scratch) {
    const Vec3 common = mean_displacement(from, to);
    scratch.paths.node_travel.resize(padded(to.size()));
    scratch.kernels.compute_node_travel(&from[0].x, &to[0].x, {common.x, common.y, common.z},
                                        static_cast<int>(to.size()), scratch.paths.node_travel.data());
    const auto last = scratch.paths.node_travel.begin() + static_cast<std::ptrdiff_t>(to.size());
    return *std::max_element(scratch.paths.node_travel.begin(), last);
}

// Of the near pairs.
void compute_clearance(std::span<const Vec3> x, ContactScratch& scratch) {
    const std::size_t count = scratch.near.pairs.size();
    if (count == 0) return scratch.crowd.clearance.clear();
    while (scratch.near.pairs.size() % 8 != 0) scratch.near.pairs.push_back(scratch.near.pairs.back());
    scratch.crowd.clearance.resize(scratch.near.pairs.size());
    const FacingArrays pairs{
        {scratch.pairs.side_node[0].data(), scratch.pairs.side_node[1].data(), scratch.pairs.side_node[2].data(),
         scratch.pairs.side_node[3].data(), scratch.pairs.side_node[4].data()},
        {scratch.pairs.facing[0].data(), scratch.pairs.facing[1].data(), scratch.pairs.facing[2].data()}};
    for_pieces(scratch, scratch.near.pairs.size(), pairs_a_piece, [&](std::size_t begin, std::size_t end) {
        scratch.kernels.compute_clearance(&x[0].x, pairs, scratch.near.pairs.data() + begin,
                                          static_cast<int>(end - begin), scratch.crowd.clearance.data() + begin);
    });
    scratch.near.pairs.resize(count);
}

// All pairs that are near enough now, or will be while no node goes further than the furthest did. A list costs little
// more than one look at it, so it is to last for a substep rather than to be long. Written so that what is not a number
// is near.
void list_facing(const ContactWorld& world, ContactScratch& scratch) {
    scratch.near.margin = farthest(world.x, world.p, scratch);
    scratch.crowd.listed_at.assign(world.p.begin(), world.p.end());
    scratch.near.pairs.resize(scratch.pairs.ends.size());
    std::iota(scratch.near.pairs.begin(), scratch.near.pairs.end(), 0);
    compute_clearance(world.p, scratch);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < scratch.pairs.ends.size(); ++i) {
        const bool clear =
            scratch.crowd.clearance[i] > wanted_within(world, scratch.pairs, i) + 2.0 * scratch.near.margin;
        scratch.near.pairs[kept] = static_cast<std::int32_t>(i);
        kept += clear ? 0 : 1;
    }
    scratch.near.pairs.resize(kept);
}

// m: from side b to side a, at the closest points.
Vec3 between_sides(std::span<const Vec3> x, const RowEnds& ends) {
    Vec3 now[5];
    for (int k = 0; k < nodes_in(ends.shape); ++k) now[k] = x[at(ends.node[k])];
    if (ends.shape == Shape::segments) return find_closest<Shape::segments>(now).between;
    if (ends.shape == Shape::segment_triangle) return find_closest<Shape::segment_triangle>(now).between;
    return find_closest<Shape::point_triangle>(now).between;
}

void provide_near(const ContactWorld& world, ContactScratch& scratch) {
    const bool holds = scratch.near.margin >= 0.0 && scratch.crowd.listed_at.size() == world.p.size() &&
                       farthest(scratch.crowd.listed_at, world.p, scratch) <= scratch.near.margin;
    if (!holds) list_facing(world, scratch);
}

}  // namespace

bool is_crowd(const ContactWorld& world, const ContactScratch& scratch) {
    if (world.facets != nullptr || scratch.pairs.loaded.size() <= least_crowd) return false;
    const auto is_solid = [&](std::int32_t i) { return scratch.pairs.ends[at(i)].solid; };
    return std::count_if(scratch.pairs.loaded.begin(), scratch.pairs.loaded.end(), is_solid) >
           static_cast<std::ptrdiff_t>(least_crowd);
}

void set_crowded(bool crowded, ContactScratch& scratch) {
    if (crowded == scratch.crowd.active) return;
    scratch.crowd.active = crowded;
    const std::size_t pairs = scratch.pairs.ends.size();
    std::fill(scratch.pairs.due.begin(), scratch.pairs.due.begin() + static_cast<std::ptrdiff_t>(pairs), due_at_once);
    scratch.near.margin = -1.0;
    if (!crowded) return;
    for (auto& each : scratch.pairs.facing) each.resize(pairs);
    for (auto& each : scratch.pairs.side_node) each.resize(pairs);
    for (std::size_t i = 0; i < pairs; ++i) set_sides(i, {}, scratch);
}

void set_sides(std::size_t i, const Vec3& facing, ContactScratch& scratch) {
    const RowEnds& ends = scratch.pairs.ends[i];
    const std::int32_t(&node)[5] = ends.node;
    const int first = is_point(ends.shape) ? 1 : 2;  // of side b
    const int last = nodes_in(ends.shape) - 1;
    scratch.pairs.side_node[0][i] = node[0];
    scratch.pairs.side_node[1][i] = node[first - 1];
    for (int k = 0; k < 3; ++k) scratch.pairs.side_node[2 + k][i] = node[std::min(first + k, last)];
    scratch.pairs.facing[0][i] = facing.x;
    scratch.pairs.facing[1][i] = facing.y;
    scratch.pairs.facing[2][i] = facing.z;
}

void find_facing(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& found) {
    found.clear();
    provide_near(world, scratch);
    compute_clearance(world.p, scratch);
    for (std::size_t k = 0; k < scratch.near.pairs.size(); ++k) {
        const std::int32_t i = scratch.near.pairs[k];
        if (scratch.rows.has_row[at(i)] != 0 || scratch.crowd.clearance[k] > wanted_within(world, scratch.pairs, at(i)))
            continue;
        if (!is_moved(scratch.pairs.ends[at(i)])) continue;
        found.push_back(i);
    }
}

// The clearance along one direction is concave on the way: where it is large enough at both ends, it is in between.
void find_crossing(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& found) {
    found.clear();
    provide_near(world, scratch);
    const auto is_clear = [&](std::size_t k) {
        const auto i = at(scratch.near.pairs[k]);
        return scratch.crowd.clearance[k] > scratch.pairs.radii[i] - scratch.pairs.away[i];
    };
    compute_clearance(world.p, scratch);
    std::vector<std::uint8_t>& clear = scratch.crowd.clear_at_end;
    clear.resize(scratch.near.pairs.size());
    for (std::size_t k = 0; k < clear.size(); ++k) clear[k] = is_clear(k) ? 1 : 0;
    compute_clearance(world.x, scratch);
    for (std::size_t k = 0; k < clear.size(); ++k) {
        if (clear[k] == 0 || !is_clear(k)) found.push_back(scratch.near.pairs[k]);
    }
}

bool is_near_now(const ContactWorld& world, const ContactScratch& scratch, std::size_t i, const RowStart& start) {
    const double within = (1.0 + margin_share) * scratch.pairs.ends[i].radii + std::max(0.0, start.least_gap);
    const auto height = [&](std::size_t k) { return dot(start.normal, world.p[at(scratch.pairs.side_node[k][i])]); };
    if (std::min(height(0), height(1)) - std::max({height(2), height(3), height(4)}) > within) return false;
    return !(dot(between_sides(world.p, scratch.pairs.ends[i]), start.normal) > within);
}

}  // namespace plica
