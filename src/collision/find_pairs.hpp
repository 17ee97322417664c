#pragma once
#include <algorithm>
#include <cmath>

#include "collision/candidates.hpp"
#include "collision/narrow.hpp"

// What the exact broad-phase detectors share: boxes around primitives, and the distance test that they end with.
namespace plica {

// Capsules that one chunk of work takes. Each chunk has room for as many hits as there are primitives, so large
// surfaces are not cut into more chunks than threads can ever want.
inline int capsules_per_chunk(const Surface& surface) {
    constexpr int fewest = 16, most_chunks = 128;
    return std::max(fewest, (static_cast<int>(surface.capsules.size()) + most_chunks - 1) / most_chunks);
}

inline int count_chunks(const Surface& surface) {
    const int size = capsules_per_chunk(surface);
    return (static_cast<int>(surface.capsules.size()) + size - 1) / size;
}

// The primitives that tubes and corners of sheets look among: all but the corners. Edges of sheets look among
// themselves; tubes meet those of solids.
struct Searched {
    std::int32_t plain, features, count;
    explicit Searched(const Surface& surface)
        : plain(plain_capsules(surface)),
          features(surface.features.corners),
          count(primitive_count(surface) - features) {}
    [[nodiscard]] std::int32_t primitive(std::int32_t i) const { return i < plain ? i : i + features; }
};

inline std::int32_t first_edge(const Surface& surface) {
    return static_cast<std::int32_t>(surface.capsules.size()) - surface.features.edges;
}

// Boxes around all primitives, grown by their contact radius and by how far their nodes may move.
void bound_primitives(const Surface& surface, std::span<const Vec3> x, std::span<const double> margin,
                      DetectorScratch& scratch);

// What a capsule looks for: its box, and how far along its chain it cannot touch.
inline Box box_of_search(const Surface& surface, const DetectorScratch& scratch, std::int32_t a) {
    Box box = scratch.boxes.get(a);
    const double exclude = surface.capsules[static_cast<std::size_t>(a)].exclude;
    box.lo[3] -= exclude;
    box.hi[3] += exclude;
    return box;
}

// The boxes of the edges of sheets as a tree, if any of them looks for others.
BoxTree build_edge_tree(const DetectorView& view, DetectorScratch& scratch);

// Measures the pairs in `raw` and leaves those whose gap is within their margins, with that gap. Returns the tests.
std::int64_t keep_near(const Surface& surface, std::span<const Vec3> x, const DetectorScratch& scratch,
                       std::vector<RawPair>& raw);

// May these two touch, going by the rules alone? a is a capsule, b > a any primitive.
inline bool can_touch(const Surface& surface, std::span<const std::uint8_t> enabled, std::int32_t a, std::int32_t b) {
    const std::size_t capsules = surface.capsules.size();
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    if (b <= a) return false;
    if (j < capsules) {
        const bool there = enabled[j] != 0 || surface.capsules[j].sheet;  // features that do not search are still found
        return there && capsules_can_touch(surface, i, j);
    }
    return can_touch(surface, i, j - capsules);
}

// Leaves out those of a capsule's hits that the planes of triangles show to be too far away: most sheets whose boxes
// overlap the capsule's run beside it.
int drop_far_triangles(const Surface& surface, std::span<const Vec3> x, const DetectorScratch& scratch, std::int32_t a,
                       std::int32_t* hits, int count);

// Runs find(box, capsule, hits) over all capsules in chunks; `hits` are the primitives whose boxes overlap the
// capsule's, in any order. Strings what is left of them after the exact test together in order. Returns the tests.
template <class Find>
std::int64_t find_by_chunks(const DetectorView& view, ThreadPool& pool, DetectorScratch& scratch,
                            std::vector<Pair>& found, Find&& find) {
    const Surface& surface = view.surface;
    const int chunks = count_chunks(surface);
    const int capsules = static_cast<int>(surface.capsules.size()), size = capsules_per_chunk(surface);
    const std::int32_t edges = first_edge(surface);  // of sheets: they meet no triangles
    scratch.chunks.resize(static_cast<std::size_t>(chunks));
    pool.for_chunks(chunks, [&](int index) {
        DetectorScratch::Chunk& chunk = scratch.chunks[static_cast<std::size_t>(index)];
        chunk.raw.clear();
        const int last = std::min(capsules, (index + 1) * size);
        for (std::int32_t a = index * size; a < last; ++a) {
            if (view.enabled[static_cast<std::size_t>(a)] == 0) continue;
            chunk.hits.resize(static_cast<std::size_t>(primitive_count(surface)) + 8);
            int hits = find(box_of_search(surface, scratch, a), a, chunk.hits.data());
            if (a < edges) hits = drop_far_triangles(surface, view.x, scratch, a, chunk.hits.data(), hits);
            for (int k = 0; k < hits; ++k) {
                const std::int32_t b = chunk.hits[static_cast<std::size_t>(k)];
                if (can_touch(surface, view.enabled, a, b)) chunk.raw.push_back({a, b, 0.0});
            }
        }
        chunk.tests = keep_near(surface, view.x, scratch, chunk.raw);
        std::sort(chunk.raw.begin(), chunk.raw.end(),
                  [](const RawPair& p, const RawPair& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
    });
    found.clear();
    std::int64_t tests = 0;
    for (const DetectorScratch::Chunk& chunk : scratch.chunks) {
        for (const RawPair& pair : chunk.raw) {
            found.push_back({});
            found.back().a = pair.a;
            found.back().b = pair.b;
            found.back().gap_at_build = pair.distance;
        }
        tests += chunk.tests;
    }
    return tests;
}

}  // namespace plica
