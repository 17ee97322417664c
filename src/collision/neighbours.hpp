#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"

// Adjacency of capsules, for the local search of the tracked detector.
namespace plica {

// Which capsules lie next to each other: a tube's segment has the ones before and after it along its chain, an edge of
// a mesh has the edges that share a node with it, a sphere has none.
struct Neighbours {
    std::vector<std::int32_t> tubes;  // capsules that are not edges, spheres included, ascending
    std::vector<std::int32_t> edges;  // ascending
    std::int32_t segments = 0;        // tubes that are no spheres
    std::vector<std::int32_t> first;  // capsules + 1
    std::vector<std::int32_t> list;

    [[nodiscard]] std::span<const std::int32_t> of(std::int32_t capsule) const {
        const auto c = static_cast<std::size_t>(capsule);
        return std::span(list).subspan(static_cast<std::size_t>(first[c]),
                                       static_cast<std::size_t>(first[c + 1] - first[c]));
    }
};

// An edge has at most 10 neighbours: 5 at either end, where one diagonal a quad gives six edges a node. Where more meet
// (the merged ends of a mesentery with many rows) it has the two on either side of it.
Neighbours find_neighbours(const Surface& surface);

}  // namespace plica
