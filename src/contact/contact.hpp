#pragma once
#include <cstdint>
#include <span>

#include "collision/candidates.hpp"
#include "collision/surface.hpp"
#include "contact/shape.hpp"
#include "geometry/vec3.hpp"

// Narrow phase of one pair: closest points, normal and gap, as a constraint row.
namespace plica {

// One row: a weighted sum of node positions along a unit normal that must not fall below an offset. Response sees rows,
// positions and inverse masses; it knows no tissue. This is one row by itself; the solver works on eight (rows.hpp).
struct Contact {
    int count = 0;           // nodes in use
    std::int32_t node[5]{};  // side a first, then side b
    double weight[5]{};      // side a positive, side b negative; they sum to zero between bodies
    Vec3 normal;             // unit, from b to a
    double gap = 0.0;        // m, negative when penetrating
    double distance = 0.0;   // m, between the axes
};

// Nodes of a pair: the capsule's, then the other side's; unused places repeat the last.
Shape nodes_of(const Surface& surface, const Pair& pair, std::int32_t (&node)[5]);

double contact_radii(const Surface& surface, const Pair& pair);

// How two primitives lie to each other at x, on the side given (zero: none); see find_normal() in measure.hpp.
Contact measure(const Surface& surface, const Pair& pair, std::span<const Vec3> x, const Vec3& side);

}  // namespace plica
