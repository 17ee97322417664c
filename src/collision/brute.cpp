#include <numeric>

#include "collision/find_pairs.hpp"

namespace plica {

std::int64_t find_pairs_brute(const Surface& surface, std::span<const std::uint8_t> enabled,
                              std::span<const Vec3> positions, std::span<const double> margin, ThreadPool& pool,
                              DetectorScratch& scratch, std::vector<Pair>& found) {
    bound_primitives(surface, positions, margin, scratch);
    const int count = primitive_count(surface);
    scratch.id.resize(static_cast<std::size_t>(count) + 8);
    std::iota(scratch.id.begin(), scratch.id.end(), 0);
    const auto find_overlaps = PLICA_PICK_KERNEL(scratch.isa, find_overlaps);
    const BoxArrays boxes = scratch.boxes.arrays();
    return find_by_chunks(surface, enabled, positions, pool, scratch, found,
                          [&](const Box& box, std::int32_t a, std::int32_t* out) {
                              return find_overlaps(boxes, scratch.id.data(), a + 1, count, box, out);
                          });
}

}  // namespace plica
