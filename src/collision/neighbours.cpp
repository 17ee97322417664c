#include "collision/neighbours.hpp"

#include <algorithm>
#include <array>

namespace plica {
namespace {

using Link = std::array<std::int32_t, 2>;  // capsule, neighbour

constexpr std::size_t most_at_node = 6;
constexpr std::size_t beside = 2;

void link_chains(const Surface& surface, const std::vector<std::int32_t>& tubes, std::vector<Link>& links) {
    std::vector<std::array<std::int32_t, 3>> places;  // chain, column, capsule
    for (const std::int32_t t : tubes) {
        const Capsule& c = surface.capsules[static_cast<std::size_t>(t)];
        if (c.chain >= 0) places.push_back({c.chain, c.column, t});
    }
    std::sort(places.begin(), places.end());
    for (std::size_t i = 1; i < places.size(); ++i) {
        const auto& [chain, column, capsule] = places[i - 1];
        if (places[i][0] != chain || places[i][1] != column + 1) continue;
        links.push_back({capsule, places[i][2]});
        links.push_back({places[i][2], capsule});
    }
}

// Edges `from` up to `to` of `ends` meet in one node.
void link_node(const std::vector<Link>& ends, std::size_t from, std::size_t to, std::vector<Link>& links) {
    const std::size_t far = to - from > most_at_node ? beside : most_at_node;
    for (std::size_t i = from; i < to; ++i) {
        for (std::size_t j = std::max(from, i - std::min(i, far)); j < std::min(to, i + far + 1); ++j) {
            if (i != j) links.push_back({ends[i][1], ends[j][1]});
        }
    }
}

void link_edges(const Surface& surface, const std::vector<std::int32_t>& edges, std::vector<Link>& links) {
    std::vector<Link> ends;  // node, edge
    for (const std::int32_t e : edges) {
        const Capsule& c = surface.capsules[static_cast<std::size_t>(e)];
        ends.push_back({c.a, e});
        ends.push_back({c.b, e});
    }
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0, j = 0; i < ends.size(); i = j) {
        while (j < ends.size() && ends[j][0] == ends[i][0]) ++j;
        link_node(ends, i, j, links);
    }
}

}  // namespace

Neighbours find_neighbours(const Surface& surface) {
    Neighbours result;
    for (std::size_t i = 0; i < surface.capsules.size(); ++i) {
        const Capsule& c = surface.capsules[i];
        (c.edge ? result.edges : result.tubes).push_back(static_cast<std::int32_t>(i));
        if (!c.edge && c.a != c.b) ++result.segments;
    }
    std::vector<Link> links;
    link_chains(surface, result.tubes, links);
    link_edges(surface, result.edges, links);
    std::sort(links.begin(), links.end());
    result.first.assign(surface.capsules.size() + 1, 0);
    for (const Link& link : links) {
        ++result.first[static_cast<std::size_t>(link[0]) + 1];
        result.list.push_back(link[1]);
    }
    for (std::size_t i = 1; i < result.first.size(); ++i) result.first[i] += result.first[i - 1];
    return result;
}

}  // namespace plica
