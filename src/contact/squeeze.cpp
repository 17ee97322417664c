#include "contact/squeeze.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/index.hpp"

namespace plica {
namespace {

double depth_of(const ContactWorld& world, const RowBatch& batch, int lane) {
    Vec3 between{};
    for (int k = 0; k < nodes_in(batch.shape); ++k) between += world.p[at(batch.node[k][lane])] * batch.weight[k][lane];
    const Vec3 normal{batch.normal[0][lane], batch.normal[1][lane], batch.normal[2][lane]};
    return 1.0 - dot(between, normal) / batch.radii[lane];
}

bool counts(const Surface& surface, const RowEnds& ends) {
    return !is_solid(surface, ends.a) || !is_solid(surface, ends.b);
}

// What neither side of can yield carries no load.
void stop_groups(const ContactWorld& world, const RowBatch& batch, int lane, double depth, SqueezeScratch& s) {
    if (!(depth > 0.0)) return;
    for (std::size_t g = 0; g < world.groups.size(); ++g) {
        const NodeGroup& group = world.groups[g];
        if (!group.pushed) continue;
        double share = 0.0;  // 1 or -1 of one of the two sides
        for (int k = 0; k < nodes_in(batch.shape); ++k) {
            if (at(batch.node[k][lane]) - group.first < group.count) share += batch.weight[k][lane];
        }
        if (std::abs(share) < 0.5 || depth <= norm(s.stopped[g])) continue;
        const Vec3 normal{batch.normal[0][lane], batch.normal[1][lane], batch.normal[2][lane]};
        s.stopped[g] = normal * (share > 0.0 ? depth : -depth);
    }
}

void list_pressed(const ContactWorld& world, ContactScratch& scratch) {
    SqueezeScratch& s = scratch.squeeze;
    s.rows.clear();
    s.deepest = 0.0;
    s.stopped.assign(world.groups.size(), Vec3{});
    for (std::size_t i = 0; i < scratch.rows.count; ++i) {
        const RowBatch& batch = scratch.rows.batches[i];
        for (int lane = 0; lane < batch.count; ++lane) {
            const bool stands = batch.compliance[lane] == 0.0;
            if (!stands && !(batch.push[lane] > 0.0)) continue;
            const RowEnds& ends = scratch.pairs.ends[at(batch.pair[lane])];
            const double depth = counts(world.surface, ends) ? depth_of(world, batch, lane) : 0.0;
            if (stands) stop_groups(world, batch, lane, depth, s);
            if (stands) continue;
            s.rows.push_back({batch.pair[lane], depth});
            s.deepest = std::max(s.deepest, depth);
        }
    }
}

// Marks what moves of rows that have a marked node, until there is no more. Tells the deepest of such rows.
double spread(const ContactScratch& scratch, SqueezeScratch& s) {
    double deepest = 0.0;
    for (bool grew = true; grew;) {
        grew = false;
        for (const PressedRow& row : s.rows) {
            const RowEnds& ends = scratch.pairs.ends[at(row.pair)];
            const std::span<const std::int32_t> nodes(ends.node, static_cast<std::size_t>(nodes_in(ends.shape)));
            if (std::none_of(nodes.begin(), nodes.end(), [&](std::int32_t n) { return s.marked[at(n)] != 0; }))
                continue;
            deepest = std::max(deepest, row.depth);
            for (std::size_t k = 0; k < nodes.size(); ++k) {
                std::uint8_t& marked = s.marked[at(nodes[k])];
                if (marked != 0 || (ends.moving >> k & 1U) == 0) continue;
                marked = 1;
                grew = true;
            }
        }
    }
    return deepest;
}

}  // namespace

double find_squeeze(const ContactWorld& world, ContactScratch& scratch) {
    constexpr double hardly = 0.01;  // nobody minds
    list_pressed(world, scratch);
    SqueezeScratch& s = scratch.squeeze;
    if (!(s.deepest > hardly)) return 0.0;
    s.marked.assign(world.p.size(), 0);
    for (const NodeGroup& group : world.groups) {
        if (!group.pushed) continue;
        std::fill_n(s.marked.begin() + static_cast<std::ptrdiff_t>(group.first), group.count, std::uint8_t{1});
    }
    return spread(scratch, s);
}

}  // namespace plica
