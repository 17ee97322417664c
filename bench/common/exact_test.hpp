#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/closest.hpp"

namespace plica::bench {

using PairIndices = std::array<std::int32_t, 2>;  // capsules a < b

// The test that every method in the detection benchmark ends with, so that only the way to it differs: may the two
// touch, and is their gap at most the sum of their margins?
struct ExactTest {
    const Surface& surface;
    std::span<const Vec3> x;
    double margin;  // m, of a node
    std::vector<PairIndices>& found;
    std::int64_t& tests;

    void operator()(std::int32_t a, std::int32_t b) const {
        const Capsule& p = surface.capsules[static_cast<std::size_t>(a)];
        const Capsule& q = surface.capsules[static_cast<std::size_t>(b)];
        if (!can_touch(p, q)) return;
        ++tests;
        const auto at = [&](std::int32_t node) -> const Vec3& { return x[static_cast<std::size_t>(node)]; };
        const double squared = closest_segment_segment(at(p.a), at(p.b), at(q.a), at(q.b)).squared_distance;
        if (std::sqrt(squared) - (p.radius + q.radius) <= margin + margin) found.push_back({a, b});
    }
};

}  // namespace plica::bench
