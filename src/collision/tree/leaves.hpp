#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"

// Leaves of the bounding volume hierarchy, and which features each answers for.
namespace plica {

// A triangle in the tree and the features it answers for: each corner and edge belongs to the first triangle of the
// surface that has it. A pair of features is found where the two that answer for them meet, and nowhere else.
struct Leaf {
    std::int32_t triangle;
    std::int32_t volume;
    std::int32_t patch;
    std::int32_t node[3];
    std::int32_t place[3];           // of its corners in the arrays of its patch
    std::int32_t corner_feature[3];  // capsules; -1: another triangle's
    std::int32_t edge_feature[3];    // from corner k to the next
    double radius;                   // m: the largest of the triangle and its features
    double altitude = 0.0;           // m: the smallest, at the last refit
};

// Leaves for these triangles of the surface, in this order; volumes, patches and places are left open.
std::vector<Leaf> make_leaves(const Surface& surface, std::span<const std::int32_t> triangles);

// The leaves around each node.
struct Fans {
    std::vector<std::int32_t> first, leaf;

    [[nodiscard]] std::span<const std::int32_t> around(std::int32_t node) const {
        const auto n = static_cast<std::size_t>(node);
        return std::span(leaf).subspan(static_cast<std::size_t>(first[n]),
                                       static_cast<std::size_t>(first[n + 1] - first[n]));
    }
};
Fans find_fans(std::span<const Leaf> leaves, std::size_t nodes);

}  // namespace plica
