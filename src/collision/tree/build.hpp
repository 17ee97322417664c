#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/tree/facets.hpp"

// Construction of the bounding volume hierarchy, top down.
namespace plica {

// Ours (two fronts that grow from far ends, with heaps); the paper's eq. 2 to 4; ours by volume alone.
enum class TreeBuilder : std::uint8_t { growth, johnsen, volume };

// A binary tree over facets, numbered depth first: the left child of volume i is i + 1, and volumes below it are
// right behind it. A leaf holds one facet.
struct TreeShape {
    std::vector<std::int32_t> right;        // right child; 0: a leaf
    std::vector<std::int32_t> parent;       // -1: the root
    std::vector<std::int32_t> first, last;  // its leaves, by their place in `facet`: first .. last - 1
    std::vector<std::int32_t> level;        // 0: the root
    std::vector<std::int32_t> facet;        // in the order of the leaves

    [[nodiscard]] std::size_t size() const { return right.size(); }
};

struct BuildCounts {
    std::int64_t heap_operations = 0;  // growth: pushes and pops
    std::int64_t costs = 0;            // johnsen: facets looked at while a cost was computed
};

// Clusters of connected facets are divided top down, each part connected (as long as no more than two facets share an
// edge); what is above them is merged bottom up, the smallest box first. `johnsen` is cubic: for a few thousand facets.
TreeShape build_tree(const Facets& facets, TreeBuilder builder, BuildCounts& counts);

// What one division needs.
struct Division {
    const Facets& facets;
    double cluster_volume;            // m^3, of the cluster's box
    std::vector<std::uint8_t>& mark;  // per facet, 0 before and after
    BuildCounts& counts;
};
// Reorders a connected set of two facets or more; its first part, as many as returned, and its second are the children.
std::size_t divide_by_growth(const Division& division, std::span<std::int32_t> set, double cone_weight);
std::size_t divide_as_johnsen(const Division& division, std::span<std::int32_t> set);

}  // namespace plica
