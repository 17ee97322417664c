#include <algorithm>
#include <cmath>

#include "collision/find_pairs.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// Extent of all boxes, and of the largest that is not out of all proportion.
struct Extent {
    double lo[3], hi[3];
    double half;      // m, half the longest side of those that go into the grid
    double too_long;  // m, boxes with a side at least this long stay out of it
};

Extent compute_extent(const Boxes& boxes, const Searched& searched) {
    const std::size_t one = at(searched.primitive(0));
    Extent e{{boxes.lo[0][one], boxes.lo[1][one], boxes.lo[2][one]},
             {boxes.hi[0][one], boxes.hi[1][one], boxes.hi[2][one]},
             0,
             0};
    double mean = 0.0;
    for (int k = 0; k < 3; ++k) {
        double sum = 0.0;
        for (std::int32_t n = 0; n < searched.count; ++n) {
            const std::size_t i = at(searched.primitive(n));
            e.lo[k] = std::min(e.lo[k], boxes.lo[k][i]);
            e.hi[k] = std::max(e.hi[k], boxes.hi[k][i]);
            sum += boxes.hi[k][i] - boxes.lo[k][i];
        }
        mean = std::max(mean, sum / static_cast<double>(searched.count));
    }
    e.too_long = 4.0 * mean;
    for (int k = 0; k < 3; ++k) {
        for (std::int32_t n = 0; n < searched.count; ++n) {
            const std::size_t i = at(searched.primitive(n));
            const double side = boxes.hi[k][i] - boxes.lo[k][i];
            if (side < e.too_long) e.half = std::max(e.half, 0.5 * side);
        }
    }
    return e;
}

// A dense grid of cells in which boxes lie by their centres. Cells that are neighbours along x follow each other in
// memory, so that a search reads a few long runs.
struct Grid {
    double origin[3];
    double per_metre = 0.0;
    double half;
    int size[3] = {1, 1, 1};

    Grid(const Extent& e, std::size_t count) : origin{e.lo[0], e.lo[1], e.lo[2]}, half(e.half) {
        const double longest = std::max({e.hi[0] - e.lo[0], e.hi[1] - e.lo[1], e.hi[2] - e.lo[2]});
        // Something is not finite: one cell, which is brute force. The step will say so.
        if (!(e.half > 1e-9) || !(longest < 1e9 * e.half)) return;
        double cell = e.half;
        const double most = 4.0 * static_cast<double>(count) + 64.0;
        const auto cells = [&](int k) { return std::floor((e.hi[k] - e.lo[k]) / cell) + 1.0; };
        while (cells(0) * cells(1) * cells(2) > most) cell *= 1.25;
        per_metre = 1.0 / cell;
        for (int k = 0; k < 3; ++k) size[k] = static_cast<int>(cells(k));
    }
    [[nodiscard]] int along(double where, int axis) const {
        const double cells = (where - origin[axis]) * per_metre;
        if (!(cells > 0.0)) return 0;  // not a number as well
        return cells < size[axis] - 1 ? static_cast<int>(cells) : size[axis] - 1;
    }
    [[nodiscard]] std::int32_t cell(int x, int y, int z) const { return (z * size[1] + y) * size[0] + x; }
    [[nodiscard]] std::int32_t cells() const { return size[0] * size[1] * size[2]; }
};

// Counting sort of the boxes by cell; those that are too long come behind the last cell.
void fill_cells(const Grid& grid, const Extent& extent, const Searched& searched, DetectorScratch& s) {
    const Boxes& b = s.boxes;
    const std::size_t count = at(searched.count);
    s.cell.resize(count);
    s.first.assign(at(grid.cells()) + 2, 0);
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t i = at(searched.primitive(static_cast<std::int32_t>(n)));
        int c[3];
        bool fits = true;
        for (int k = 0; k < 3; ++k) {
            c[k] = grid.along(0.5 * (b.lo[k][i] + b.hi[k][i]), k);
            fits = fits && b.hi[k][i] - b.lo[k][i] < extent.too_long;
        }
        s.cell[n] = fits ? grid.cell(c[0], c[1], c[2]) : grid.cells();
        ++s.first[at(s.cell[n]) + 1];
    }
    for (std::size_t c = 1; c < s.first.size(); ++c) s.first[c] += s.first[c - 1];
    s.cursor.assign(s.first.begin(), s.first.end() - 1);
    s.sorted.resize(count);
    s.id.resize(count + 8);
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t i = at(searched.primitive(static_cast<std::int32_t>(n)));
        const auto to = at(s.cursor[at(s.cell[n])]++);
        s.id[to] = static_cast<std::int32_t>(i);
        for (int k = 0; k < 4; ++k) {
            s.sorted.lo[k][to] = b.lo[k][i];
            s.sorted.hi[k][to] = b.hi[k][i];
        }
    }
}

}  // namespace

std::int64_t find_pairs_grid(const DetectorView& view, std::span<const double> margin, ThreadPool& pool,
                             DetectorScratch& scratch, std::vector<Pair>& found) {
    const Surface& surface = view.surface;
    found.clear();
    if (surface.capsules.empty()) return 0;
    const Searched searched(surface);
    bound_primitives(surface, view.x, margin, scratch);
    const Extent extent = compute_extent(scratch.boxes, searched);
    const Grid grid(extent, at(searched.count));
    fill_cells(grid, extent, searched, scratch);
    const auto find_overlaps = PLICA_PICK_KERNEL(scratch.isa, find_overlaps);
    const BoxArrays boxes = scratch.sorted.arrays();
    const DetectorScratch& s = scratch;
    // Edges of sheets are long and thin, and there are many of them: a tree.
    const BoxTree edges = build_edge_tree(view, scratch);
    const std::int32_t first = first_edge(surface);
    const auto find_in_tree = PLICA_PICK_KERNEL(scratch.isa, find_in_tree);
    const auto search = [&](const Box& box, std::int32_t a, std::int32_t* out) {
        if (a >= first) return find_in_tree(edges, box, out);
        int from[3];
        int to[3];
        for (int k = 0; k < 3; ++k) {
            from[k] = grid.along(box.lo[k] - grid.half, k);
            to[k] = grid.along(box.hi[k] + grid.half, k);
        }
        int hits = 0;
        const auto run = [&](std::int32_t first_cell, std::int32_t last_cell) {
            const int begin = s.first[at(first_cell)];
            const int end = s.first[at(last_cell) + 1];
            if (begin < end) hits += find_overlaps(boxes, s.id.data(), begin, end, box, out + hits);
        };
        for (int z = from[2]; z <= to[2]; ++z) {
            for (int y = from[1]; y <= to[1]; ++y) run(grid.cell(from[0], y, z), grid.cell(to[0], y, z));
        }
        run(grid.cells(), grid.cells());
        return hits;
    };
    return find_by_chunks(view, pool, scratch, found, search);
}

}  // namespace plica
