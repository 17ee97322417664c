#pragma once
#include <cstdint>
#include <span>

#include "collision/candidates.hpp"
#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

namespace plica {

// One row: a weighted sum of node positions along a unit normal that must not fall below an offset. Response sees rows,
// positions and inverse masses; it knows no tissue.
struct Contact {
    int count = 0;           // nodes in use
    std::int32_t node[5]{};  // side a first, then side b
    double weight[5]{};      // side a positive, side b negative; they sum to zero between bodies
    Vec3 normal;             // unit, from b to a
    double gap = 0.0;        // m, negative when penetrating
    double distance = 0.0;   // m, between the axes
};

// How two primitives lie to each other at x. `side` settles the normal when their axes meet or have crossed: while it
// is not zero and the geometric normal points against it, the pair is taken to be on the far side and the gap is
// measured along `side` (Raghupathi's response would push such a pair the rest of the way through).
Contact measure(const Surface& surface, const Pair& pair, std::span<const Vec3> x, const Vec3& side);

// Sum of weight^2 / mass: how much the gap opens for a unit multiplier.
inline double compliance(const Contact& c, std::span<const double> w) {
    double sum = 0.0;
    for (int k = 0; k < c.count; ++k) sum += c.weight[k] * c.weight[k] * w[static_cast<std::size_t>(c.node[k])];
    return sum;
}

// x[node] += weight w p, for each node of the contact; p in kg m for positions and kg m/s for velocities.
inline void add_impulse(const Contact& c, std::span<const double> w, const Vec3& p, std::span<Vec3> x) {
    for (int k = 0; k < c.count; ++k) {
        const auto n = static_cast<std::size_t>(c.node[k]);
        x[n] += p * (c.weight[k] * w[n]);
    }
}

// Sum of weight x[node]: position, velocity or displacement of side a against side b at the contact point.
inline Vec3 relative(const Contact& c, std::span<const Vec3> x) {
    Vec3 sum{};
    for (int k = 0; k < c.count; ++k) sum += x[static_cast<std::size_t>(c.node[k])] * c.weight[k];
    return sum;
}

}  // namespace plica
