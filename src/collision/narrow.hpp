#pragma once
#include <algorithm>
#include <cmath>

#include "collision/candidates.hpp"
#include "geometry/closest.hpp"

// The exact test that every detector ends with.
namespace plica {

// Capsules that one chunk of work takes.
inline constexpr int capsules_per_chunk = 16;

inline int count_chunks(const Surface& surface) {
    return (static_cast<int>(surface.capsules.size()) + capsules_per_chunk - 1) / capsules_per_chunk;
}

// True when the segment lies wholly on one side of the triangle's plane, further away than `near`: most triangles that
// a box test lets through are sheets that run beside the tube.
inline bool is_beside(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c, double near) {
    const Vec3 n = cross(b - a, c - a);
    const double hp = dot(n, p - a);
    const double hq = dot(n, q - a);
    const double least = std::min(std::abs(hp), std::abs(hq));
    return hp * hq > 0.0 && least * least > near * near * (1.0 + 1e-9) * squared_norm(n);
}

// Measures pairs and keeps those whose gap is within their reaches.
struct NarrowPhase {
    const Surface& surface;
    std::span<const std::uint8_t> enabled;
    std::span<const Vec3> x;
    const std::vector<double>& reach;  // per primitive
    std::vector<Pair>& found;
    std::int64_t& tests;

    // Capsule a and primitive b > a.
    void test(std::size_t a, std::size_t b) const {
        const std::size_t capsules = surface.capsules.size();
        const Capsule& p = surface.capsules[a];
        const auto at = [&](std::int32_t node) -> const Vec3& { return x[static_cast<std::size_t>(node)]; };
        if (b < capsules) {
            const Capsule& q = surface.capsules[b];
            if (!enabled[b] || !capsules_can_touch(surface, a, b)) return;
            keep(a, b, closest_segment_segment(at(p.a), at(p.b), at(q.a), at(q.b)).squared_distance,
                 p.radius + q.radius);
        } else {
            const Triangle& t = surface.triangles[b - capsules];
            if (!can_touch(surface, a, b - capsules)) return;
            const double near = p.radius + t.half_thickness + reach[a] + reach[b];
            if (is_beside(at(p.a), at(p.b), at(t.a), at(t.b), at(t.c), near)) return;
            keep(a, b, closest_segment_triangle(at(p.a), at(p.b), at(t.a), at(t.b), at(t.c)).squared_distance,
                 p.radius + t.half_thickness);
        }
    }

private:
    void keep(std::size_t a, std::size_t b, double squared_distance, double radii) const {
        ++tests;
        const double gap = std::sqrt(squared_distance) - radii;
        if (gap > reach[a] + reach[b]) return;
        Pair pair;
        pair.a = static_cast<std::int32_t>(a);
        pair.b = static_cast<std::int32_t>(b);
        pair.gap_at_build = gap;
        found.push_back(pair);
    }
};

// Runs find(narrow phase, capsule) over all capsules in chunks and strings their finds together in order. Returns the
// tests.
template <class Find>
std::int64_t find_by_chunks(const Surface& surface, std::span<const std::uint8_t> enabled,
                            std::span<const Vec3> positions, ThreadPool& pool, DetectorScratch& scratch,
                            std::vector<Pair>& found, Find&& find) {
    const int chunks = count_chunks(surface);
    const int capsules = static_cast<int>(surface.capsules.size());
    scratch.found.resize(static_cast<std::size_t>(chunks));
    scratch.tests.assign(static_cast<std::size_t>(chunks), 0);
    pool.for_chunks(chunks, [&](int chunk) {
        std::vector<Pair>& mine = scratch.found[static_cast<std::size_t>(chunk)];
        mine.clear();
        const NarrowPhase narrow{surface,       enabled, positions,
                                 scratch.reach, mine,    scratch.tests[static_cast<std::size_t>(chunk)]};
        const int last = std::min(capsules, (chunk + 1) * capsules_per_chunk);
        for (int a = chunk * capsules_per_chunk; a < last; ++a) {
            if (enabled[static_cast<std::size_t>(a)]) find(narrow, static_cast<std::size_t>(a));
        }
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
