#include "contact/owners.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace plica {
namespace {

// Two nodes, of a corner the same twice, and who owns what is between them.
using OwnedEdge = std::array<std::int32_t, 3>;

std::vector<OwnedEdge> list_edges(const Surface& surface, std::int32_t first_owner) {
    std::vector<OwnedEdge> edges;
    std::int32_t owner = first_owner;
    for (const Triangle& triangle : surface.triangles) {
        const std::int32_t node[3] = {triangle.a, triangle.b, triangle.c};
        for (int k = 0; k < 3 && triangle.sheet; ++k) {
            const auto [a, b] = std::minmax(node[k], node[(k + 1) % 3]);
            edges.push_back({a, b, owner});
            edges.push_back({node[k], node[k], owner});
        }
        ++owner;
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

void add(Owners& owners, std::int32_t a, std::int32_t b, std::int32_t c) {
    owners.node[0].push_back(a);
    owners.node[1].push_back(b);
    owners.node[2].push_back(c);
}

}  // namespace

Owners list_owners(const Surface& surface) {
    const std::int32_t tubes = plain_capsules(surface);
    Owners owners;
    owners.of.resize(static_cast<std::size_t>(primitive_count(surface)));
    std::iota(owners.of.begin(), owners.of.begin() + tubes, 0);
    std::iota(owners.of.begin() + static_cast<std::ptrdiff_t>(surface.capsules.size()), owners.of.end(), tubes);
    for (std::size_t i = 0; i < static_cast<std::size_t>(tubes); ++i) {
        add(owners, surface.capsules[i].a, surface.capsules[i].b, surface.capsules[i].b);
    }
    for (const Triangle& t : surface.triangles) add(owners, t.a, t.b, t.c);
    // Each corner and edge goes with the first triangle that has it; one of none, with nobody.
    const std::vector<OwnedEdge> edges = list_edges(surface, tubes);
    for (std::size_t i = static_cast<std::size_t>(tubes); i < surface.capsules.size(); ++i) {
        const auto [a, b] = std::minmax(surface.capsules[i].a, surface.capsules[i].b);
        const auto found = std::lower_bound(edges.begin(), edges.end(), OwnedEdge{a, b, -1});
        const bool is_owned = found != edges.end() && (*found)[0] == a && (*found)[1] == b;
        owners.of[i] = is_owned ? (*found)[2] : static_cast<std::int32_t>(owners.node[0].size());
        if (!is_owned) add(owners, a, b, b);
    }
    while (owners.node[0].size() % 8 != 0) add(owners, 0, 0, 0);
    return owners;
}

}  // namespace plica
