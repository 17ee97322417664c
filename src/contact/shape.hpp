#pragma once
#include <cstdint>

// Kinds of primitive pairs that a constraint row is made for.
namespace plica {

// What a pair of primitives is made of. Nodes of side a come first.
enum class Shape : std::int32_t {
    segments,          // two capsules: 2 + 2 nodes
    segment_triangle,  // 2 + 3
    point_triangle,    // a sphere or a corner: 1 + 3
    point_facet        // the same, with a normal that is not rounded (facet_normals.hpp)
};

constexpr int nodes_in(Shape shape) {
    return shape == Shape::segment_triangle ? 5 : 4;
}

// Is side a one point?
constexpr bool is_point(Shape shape) {
    return shape == Shape::point_triangle || shape == Shape::point_facet;
}

}  // namespace plica
