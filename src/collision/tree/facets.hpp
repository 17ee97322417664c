#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/tree/bounds.hpp"

// The input of the hierarchy's construction: triangles with their boxes, normals and adjacency.
namespace plica {

// The triangles of one body as the builders of its tree see them.
struct Facets {
    std::vector<std::array<std::int32_t, 3>> node;
    std::vector<std::array<std::int32_t, 3>> neighbour;  // across the edges 01, 12, 20; -1: none
    std::vector<Vec3> centre, normal;                    // m; unit, zero of a triangle without area
    std::vector<Bounds> bounds;
    double mean_edge = 0.0;  // m

    [[nodiscard]] std::size_t size() const { return node.size(); }
};

Facets make_facets(std::vector<std::array<std::int32_t, 3>> triangles, std::span<const Vec3> x);

// Connected facets, cluster by cluster: the order, and where each cluster begins in it, and the end.
struct Clusters {
    std::vector<std::int32_t> facet;
    std::vector<std::int32_t> first;
};
Clusters find_clusters(const Facets& facets);

}  // namespace plica
