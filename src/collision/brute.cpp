#include <algorithm>

#include "collision/narrow.hpp"

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// A sphere around each primitive, grown by how far its nodes may move.
void bound_primitives(const Surface& surface, std::span<const Vec3> x, std::span<const double> margin,
                      DetectorScratch& s) {
    const auto count = static_cast<std::size_t>(primitive_count(surface));
    s.centre.resize(count);
    s.extent.resize(count);
    s.reach.resize(count);
    std::size_t i = 0;
    for (const Capsule& c : surface.capsules) {
        s.centre[i] = 0.5 * (x[at(c.a)] + x[at(c.b)]);
        s.reach[i] = std::max(margin[at(c.a)], margin[at(c.b)]);
        s.extent[i] = 0.5 * distance(x[at(c.a)], x[at(c.b)]) + c.radius + s.reach[i];
        ++i;
    }
    for (const Triangle& t : surface.triangles) {
        const Vec3 centre = (x[at(t.a)] + x[at(t.b)] + x[at(t.c)]) / 3.0;
        const double far = std::max(
            {squared_norm(x[at(t.a)] - centre), squared_norm(x[at(t.b)] - centre), squared_norm(x[at(t.c)] - centre)});
        s.centre[i] = centre;
        s.reach[i] = std::max({margin[at(t.a)], margin[at(t.b)], margin[at(t.c)]});
        s.extent[i] = std::sqrt(far) + t.half_thickness + s.reach[i];
        ++i;
    }
}

}  // namespace

std::int64_t find_pairs_brute(const Surface& surface, std::span<const std::uint8_t> enabled,
                              std::span<const Vec3> positions, std::span<const double> margin, ThreadPool& pool,
                              DetectorScratch& scratch, std::vector<Pair>& found) {
    bound_primitives(surface, positions, margin, scratch);
    return find_by_chunks(surface, enabled, positions, pool, scratch, found,
                          [&](const NarrowPhase& narrow, std::size_t a) {
                              const Vec3 centre = scratch.centre[a];
                              const double extent = scratch.extent[a];
                              for (std::size_t b = a + 1; b < scratch.centre.size(); ++b) {
                                  const double reach = extent + scratch.extent[b];
                                  if (squared_norm(scratch.centre[b] - centre) <= reach * reach) narrow.test(a, b);
                              }
                          });
}

}  // namespace plica
