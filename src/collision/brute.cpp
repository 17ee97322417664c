#include <algorithm>
#include <cmath>

#include "collision/candidates.hpp"
#include "geometry/closest.hpp"

namespace plica {
namespace {

constexpr int rows_per_chunk = 16;

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

struct Row {
    const Surface& surface;
    std::span<const std::uint8_t> enabled;
    std::span<const Vec3> x;
    const DetectorScratch& s;
    std::vector<Pair>& found;
    std::int64_t& tests;

    void keep(std::size_t a, std::size_t b, double squared_distance, double radii) {
        ++tests;
        const double gap = std::sqrt(squared_distance) - radii;
        if (gap > s.reach[a] + s.reach[b]) return;
        Pair pair;
        pair.a = static_cast<std::int32_t>(a);
        pair.b = static_cast<std::int32_t>(b);
        pair.gap_at_build = gap;
        found.push_back(pair);
    }

    void test(std::size_t a, std::size_t b) {
        const std::size_t capsules = surface.capsules.size();
        const Capsule& p = surface.capsules[a];
        if (b < capsules) {
            const Capsule& q = surface.capsules[b];
            if (!enabled[b] || !can_touch(p, q)) return;
            keep(a, b, closest_segment_segment(x[at(p.a)], x[at(p.b)], x[at(q.a)], x[at(q.b)]).squared_distance,
                 p.radius + q.radius);
        } else {
            const Triangle& t = surface.triangles[b - capsules];
            if (!can_touch(surface, a, b - capsules)) return;
            keep(a, b,
                 closest_segment_triangle(x[at(p.a)], x[at(p.b)], x[at(t.a)], x[at(t.b)], x[at(t.c)]).squared_distance,
                 p.radius + t.half_thickness);
        }
    }

    void find(std::size_t a) {
        if (!enabled[a]) return;
        const Vec3 centre = s.centre[a];
        const double extent = s.extent[a];
        for (std::size_t b = a + 1; b < s.centre.size(); ++b) {
            const double reach = extent + s.extent[b];
            if (squared_norm(s.centre[b] - centre) <= reach * reach) test(a, b);
        }
    }
};

}  // namespace

void reserve_pairs_for(const Surface& surface, std::size_t pairs, DetectorScratch& scratch) {
    const std::size_t chunks = (surface.capsules.size() + rows_per_chunk - 1) / rows_per_chunk;
    scratch.found.resize(chunks);
    for (std::vector<Pair>& found : scratch.found) found.reserve(2 * pairs / chunks);
    scratch.merged.reserve(pairs);
}

std::int64_t find_pairs_brute(const Surface& surface, std::span<const std::uint8_t> enabled,
                              std::span<const Vec3> positions, std::span<const double> margin, ThreadPool& pool,
                              DetectorScratch& scratch, std::vector<Pair>& found) {
    bound_primitives(surface, positions, margin, scratch);
    const int capsules = static_cast<int>(surface.capsules.size());
    const int chunks = (capsules + rows_per_chunk - 1) / rows_per_chunk;
    scratch.found.resize(static_cast<std::size_t>(chunks));
    scratch.tests.assign(static_cast<std::size_t>(chunks), 0);
    pool.for_chunks(chunks, [&](int chunk) {
        std::vector<Pair>& mine = scratch.found[static_cast<std::size_t>(chunk)];
        mine.clear();
        Row row{surface, enabled, positions, scratch, mine, scratch.tests[static_cast<std::size_t>(chunk)]};
        const int last = std::min(capsules, (chunk + 1) * rows_per_chunk);
        for (int a = chunk * rows_per_chunk; a < last; ++a) row.find(static_cast<std::size_t>(a));
    });
    found.clear();
    std::int64_t tests = 0;
    for (std::size_t chunk = 0; chunk < static_cast<std::size_t>(chunks); ++chunk) {
        found.insert(found.end(), scratch.found[chunk].begin(), scratch.found[chunk].end());
        tests += scratch.tests[chunk];
    }
    return tests;
}

}  // namespace plica
