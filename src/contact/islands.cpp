#include "contact/islands.hpp"

#include <algorithm>

#include "contact/respond.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

constexpr std::int32_t least_in_bin = 64;  // rows: fewer fill no batches
// Rows that carry load: fewer are solved in the order of their pairs, which a contact patch of equal pressure asks for
// (dealt out to bins its nodes chatter).
constexpr std::int32_t least_to_split = 500;

std::int32_t find_root(std::vector<std::int32_t>& parent, std::int32_t node) {
    while (parent[at(node)] != node) node = parent[at(node)] = parent[at(parent[at(node)])];
    return node;
}

template <class Visit>
void for_each_moving(const RowEnds& ends, const Visit& visit) {
    for (int k = 0; k < 5; ++k) {
        if ((ends.moving >> k & 1U) != 0) visit(ends.node[k]);
    }
}

// Joins a node to those that `root` stands for (-1: none yet); who stands for all of them.
std::int32_t join(std::int32_t root, std::int32_t node, IslandScratch& own) {
    if (own.parent[at(node)] < 0) {
        own.parent[at(node)] = node;
        own.touched.push_back(node);
    }
    const std::int32_t other = find_root(own.parent, node);
    if (root < 0 || root == other) return other;
    const auto [first, last] = std::minmax(root, other);
    own.parent[at(last)] = first;
    own.count[at(first)] += own.count[at(last)];
    own.count[at(last)] = 0;
    return first;
}

// What is joined by a row, and by the triangles around its nodes: pairs that come to touch there would join it soon.
void join_rows(const ContactWorld& world, const ContactScratch& scratch, IslandScratch& own) {
    for (const std::int32_t i : scratch.pairs.loaded) {
        const RowEnds& ends = scratch.pairs.ends[at(i)];
        if (ends.floating) continue;
        std::int32_t root = -1;
        for_each_moving(ends, [&](std::int32_t node) { root = join(root, node, own); });
        if (root >= 0) ++own.count[at(root)];
    }
    own.of_rows.assign(own.parent.begin(), own.parent.end());
    for (const Triangle& t : world.surface.triangles) {
        const std::int32_t node[3] = {t.a, t.b, t.c};
        const auto is_of_row = [&](std::int32_t n) { return own.of_rows[at(n)] >= 0; };
        if (std::none_of(std::begin(node), std::end(node), is_of_row)) continue;
        std::int32_t root = -1;
        for (const std::int32_t n : node) {
            if (world.w[at(n)] > 0.0) root = join(root, n, own);
        }
    }
}

std::size_t emptiest(const IslandScratch& own) {
    return static_cast<std::size_t>(std::min_element(own.rows, own.rows + own.bins) - own.rows);
}

// The largest first, each to the bin that has least; of equal ones the one whose first node comes first.
void deal(IslandScratch& own) {
    own.islands.clear();
    for (const std::int32_t node : own.touched) {
        if (own.parent[at(node)] == node) own.islands.push_back({own.count[at(node)], node});
    }
    std::sort(own.islands.begin(), own.islands.end(),
              [](const Island& p, const Island& q) { return p.rows != q.rows ? p.rows > q.rows : p.root < q.root; });
    own.bins = std::min(own.bins, own.islands.size());
    for (const Island& island : own.islands) {
        const std::size_t bin = emptiest(own);
        own.rows[bin] += island.rows;
        own.bin_of[at(island.root)] = static_cast<std::int8_t>(bin);
    }
    for (const std::int32_t node : own.touched) own.bin_of[at(node)] = own.bin_of[at(find_root(own.parent, node))];
}

bool is_worn(const IslandScratch& own) {
    std::int32_t all = 0;
    for (const std::int32_t rows : own.rows) all += rows;
    return own.bins > 1 && own.rows[shared_bin] > std::max(8, all / 16);
}

}  // namespace

bool can_split(const ContactWorld& world) {
    return world.surface.features.edges > 0 && world.facets == nullptr && !(world.settings.rate_layer > 0.0) &&
           world.settings.response == ResponseKind::consistent;
}

void deal_islands(const ContactWorld& world, ContactScratch& scratch) {
    IslandScratch& own = scratch.islands;
    const bool anew = own.stale || is_worn(own);
    own.stale = false;
    std::fill(std::begin(own.rows), std::end(own.rows), 0);
    if (!anew) return;
    own.bins = 1;
    if (!can_split(world)) return;
    const auto rows = static_cast<std::int32_t>(scratch.pairs.loaded.size());
    if (rows < least_to_split) return;
    own.bins = at(std::clamp(rows / least_in_bin, 1, static_cast<std::int32_t>(most_bins)));
    if (own.bins == 1) return;
    own.touched.reserve(world.p.size());
    own.islands.reserve(world.p.size());
    own.bin_of.assign(world.p.size(), -1);
    own.parent.assign(world.p.size(), -1);
    own.count.assign(world.p.size(), 0);
    own.touched.clear();
    join_rows(world, scratch, own);
    deal(own);
    std::fill(std::begin(own.rows), std::end(own.rows), 0);
}

std::size_t take_bin(const RowEnds& ends, IslandScratch& own) {
    if (own.bins == 1) return 0;
    int bin = ends.floating ? static_cast<int>(shared_bin) : -1;
    for_each_moving(ends, [&](std::int32_t node) {
        const int of_node = own.bin_of[at(node)];
        if (of_node >= 0 && bin != of_node) bin = bin < 0 ? of_node : static_cast<int>(shared_bin);
    });
    if (bin < 0) bin = static_cast<int>(emptiest(own));
    if (bin != static_cast<int>(shared_bin)) {
        for_each_moving(ends, [&](std::int32_t node) { own.bin_of[at(node)] = static_cast<std::int8_t>(bin); });
    }
    ++own.rows[bin];
    return static_cast<std::size_t>(bin);
}

}  // namespace plica
