#include <numeric>

#include "collision/find_pairs.hpp"

namespace plica {

std::int64_t find_pairs_brute(const DetectorView& view, std::span<const double> margin, ThreadPool& pool,
                              DetectorScratch& scratch, std::vector<Pair>& found) {
    const Surface& surface = view.surface;
    bound_primitives(surface, view.x, margin, scratch);
    const int count = primitive_count(surface);
    scratch.id.resize(static_cast<std::size_t>(count) + 8);
    std::iota(scratch.id.begin(), scratch.id.end(), 0);
    const auto find_overlaps = PLICA_PICK_KERNEL(scratch.isa, find_overlaps);
    const BoxArrays boxes = scratch.boxes.arrays();
    const std::int32_t plain = plain_capsules(surface);
    const std::int32_t edges = first_edge(surface);
    const auto capsules = static_cast<std::int32_t>(surface.capsules.size());
    // Tubes look among tubes, edges and triangles, corners of sheets among triangles, edges of sheets among these.
    return find_by_chunks(view, pool, scratch, found, [&](const Box& box, std::int32_t a, std::int32_t* out) {
        const std::int32_t* id = scratch.id.data();
        const int end = a < plain ? plain : a < edges ? a : capsules;
        int hits = a + 1 < end ? find_overlaps(boxes, id, a + 1, end, box, out) : 0;
        if (a < plain && edges < capsules) hits += find_overlaps(boxes, id, edges, capsules, box, out + hits);
        if (a >= edges || capsules == count) return hits;
        return hits + find_overlaps(boxes, id, capsules, count, box, out + hits);
    });
}

}  // namespace plica
