#include <algorithm>
#include <cmath>

#include "collision/narrow.hpp"

namespace plica {
namespace {

using Box = DetectorScratch::Box;
using Range = DetectorScratch::Range;

// Nodes of a primitive within its contact radius and as far as they may move; a hair more, so that rounding of the
// exact distance cannot hide a pair.
Box box_around(std::initializer_list<std::int32_t> nodes, std::span<const Vec3> x, double grown) {
    Box box{x[static_cast<std::size_t>(*nodes.begin())], x[static_cast<std::size_t>(*nodes.begin())]};
    for (const std::int32_t node : nodes) {
        const Vec3& p = x[static_cast<std::size_t>(node)];
        box.lo = {std::min(box.lo.x, p.x), std::min(box.lo.y, p.y), std::min(box.lo.z, p.z)};
        box.hi = {std::max(box.hi.x, p.x), std::max(box.hi.y, p.y), std::max(box.hi.z, p.z)};
    }
    const double g = grown * (1.0 + 1e-9) + 1e-12;
    return {box.lo - Vec3{g, g, g}, box.hi + Vec3{g, g, g}};
}

void bound_primitives(const Surface& surface, std::span<const Vec3> x, std::span<const double> margin,
                      DetectorScratch& s) {
    const auto reach = [&](std::initializer_list<std::int32_t> nodes) {
        double most = 0.0;
        for (const std::int32_t node : nodes) most = std::max(most, margin[static_cast<std::size_t>(node)]);
        return most;
    };
    s.boxes.clear();
    s.reach.clear();
    for (const Capsule& c : surface.capsules) {
        s.reach.push_back(reach({c.a, c.b}));
        s.boxes.push_back(box_around({c.a, c.b}, x, c.radius + s.reach.back()));
    }
    for (const Triangle& t : surface.triangles) {
        s.reach.push_back(reach({t.a, t.b, t.c}));
        s.boxes.push_back(box_around({t.a, t.b, t.c}, x, t.half_thickness + s.reach.back()));
    }
}

bool overlap(const Box& a, const Box& b) {
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y && a.lo.z <= b.hi.z &&
           b.lo.z <= a.hi.z;
}

// A dense grid over everything, cells about as large as a primitive, no more of them than a few per primitive.
struct Grid {
    Vec3 origin;
    double per_metre = 1.0;
    int size[3] = {1, 1, 1};

    explicit Grid(const std::vector<Box>& boxes) {
        Box all = boxes[0];
        double mean = 0.0;
        for (const Box& b : boxes) {
            all.lo = {std::min(all.lo.x, b.lo.x), std::min(all.lo.y, b.lo.y), std::min(all.lo.z, b.lo.z)};
            all.hi = {std::max(all.hi.x, b.hi.x), std::max(all.hi.y, b.hi.y), std::max(all.hi.z, b.hi.z)};
            const Vec3 d = b.hi - b.lo;
            mean += (d.x + d.y + d.z) / (3.0 * static_cast<double>(boxes.size()));
        }
        origin = all.lo;
        const Vec3 extent = all.hi - all.lo;
        // Something is not finite, or out of all proportion: one cell, which is brute force. The step will say so.
        if (!(mean > 1e-9) || !(extent.x + extent.y + extent.z < 1e6 * mean)) return;
        double cell = mean;
        const double most = 4.0 * static_cast<double>(boxes.size()) + 64.0;
        const auto count = [&](double length) { return std::floor(length / cell) + 1.0; };
        while (count(extent.x) * count(extent.y) * count(extent.z) > most) cell *= 1.25;
        per_metre = 1.0 / cell;
        size[0] = static_cast<int>(count(extent.x));
        size[1] = static_cast<int>(count(extent.y));
        size[2] = static_cast<int>(count(extent.z));
    }
    [[nodiscard]] int along(double metres, int axis) const {
        const double cells = metres * per_metre;
        if (!(cells > 0.0)) return 0;  // not a number as well
        return cells < size[axis] - 1 ? static_cast<int>(cells) : size[axis] - 1;
    }
    [[nodiscard]] Range range(const Box& b) const {
        const Vec3 lo = b.lo - origin;
        const Vec3 hi = b.hi - origin;
        return {{along(lo.x, 0), along(lo.y, 1), along(lo.z, 2)}, {along(hi.x, 0), along(hi.y, 1), along(hi.z, 2)}};
    }
    [[nodiscard]] std::size_t cell(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size[1]) + static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(size[0]) +
               static_cast<std::size_t>(x);
    }
    [[nodiscard]] std::size_t cells() const { return cell(size[0] - 1, size[1] - 1, size[2] - 1) + 1; }

    template <class Visit>
    void for_cells(const Range& r, Visit&& visit) const {
        for (int z = r.lo[2]; z <= r.hi[2]; ++z) {
            for (int y = r.lo[1]; y <= r.hi[1]; ++y) {
                for (int x = r.lo[0]; x <= r.hi[0]; ++x) visit(x, y, z);
            }
        }
    }
};

// Counting sort of the primitives into the cells their boxes cover; in each cell they are in ascending order.
void fill_cells(const Grid& grid, DetectorScratch& s) {
    s.ranges.clear();
    s.first.assign(grid.cells() + 1, 0);
    for (const Box& box : s.boxes) {
        s.ranges.push_back(grid.range(box));
        grid.for_cells(s.ranges.back(), [&](int x, int y, int z) { ++s.first[grid.cell(x, y, z) + 1]; });
    }
    for (std::size_t c = 1; c < s.first.size(); ++c) s.first[c] += s.first[c - 1];
    s.entries.resize(static_cast<std::size_t>(s.first.back()));
    s.cursor.assign(s.first.begin(), s.first.end() - 1);
    for (std::size_t i = 0; i < s.ranges.size(); ++i) {
        grid.for_cells(s.ranges[i], [&](int x, int y, int z) {
            s.entries[static_cast<std::size_t>(s.cursor[grid.cell(x, y, z)]++)] = static_cast<std::int32_t>(i);
        });
    }
}

}  // namespace

std::int64_t find_pairs_grid(const Surface& surface, std::span<const std::uint8_t> enabled,
                             std::span<const Vec3> positions, std::span<const double> margin, ThreadPool& pool,
                             DetectorScratch& scratch, std::vector<Pair>& found) {
    found.clear();
    if (surface.capsules.empty()) return 0;
    bound_primitives(surface, positions, margin, scratch);
    const Grid grid(scratch.boxes);
    fill_cells(grid, scratch);
    const DetectorScratch& s = scratch;
    return find_by_chunks(
        surface, enabled, positions, pool, scratch, found, [&](const NarrowPhase& narrow, std::size_t a) {
            const std::size_t before = narrow.found.size();
            const Range& mine = s.ranges[a];
            grid.for_cells(mine, [&](int x, int y, int z) {
                const std::size_t c = grid.cell(x, y, z);
                for (auto e = static_cast<std::size_t>(s.first[c]); e < static_cast<std::size_t>(s.first[c + 1]); ++e) {
                    const auto b = static_cast<std::size_t>(s.entries[e]);
                    if (b <= a) continue;
                    // Two boxes may share many cells; the pair is met in the first of them only.
                    const Range& other = s.ranges[b];
                    if (x != std::max(mine.lo[0], other.lo[0]) || y != std::max(mine.lo[1], other.lo[1]) ||
                        z != std::max(mine.lo[2], other.lo[2])) {
                        continue;
                    }
                    if (overlap(s.boxes[a], s.boxes[b])) narrow.test(a, b);
                }
            });
            std::sort(narrow.found.begin() + static_cast<std::ptrdiff_t>(before), narrow.found.end());
        });
}

}  // namespace plica
