#include "collision/tree/facets.hpp"

#include <algorithm>
#include <tuple>

namespace plica {
namespace {

// The two facets of every edge find each other; where more than two meet at an edge, those next to each other in the
// order of facets do.
void connect(Facets& facets) {
    struct Side {
        std::int32_t a, b, facet, k;
    };
    std::vector<Side> sides;
    sides.reserve(3 * facets.size());
    for (std::size_t f = 0; f < facets.size(); ++f) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(facets.node[f][k], facets.node[f][(k + 1) % 3]);
            sides.push_back({a, b, static_cast<std::int32_t>(f), static_cast<std::int32_t>(k)});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& p, const Side& q) {
        return std::tie(p.a, p.b, p.facet, p.k) < std::tie(q.a, q.b, q.facet, q.k);
    });
    facets.neighbour.assign(facets.size(), {-1, -1, -1});
    const auto slot = [&](const Side& s) -> std::int32_t& {
        return facets.neighbour[static_cast<std::size_t>(s.facet)][static_cast<std::size_t>(s.k)];
    };
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
        // A ring: each one's slot leads to the next, so all of them are connected.
        for (std::size_t j = i; j < end && end - i > 1; ++j) {
            slot(sides[j]) = sides[j + 1 < end ? j + 1 : i].facet;
        }
        i = end;
    }
}

}  // namespace

Facets make_facets(std::vector<std::array<std::int32_t, 3>> triangles, std::span<const Vec3> x) {
    Facets facets;
    facets.node = std::move(triangles);
    double edges = 0.0;
    for (const auto& t : facets.node) {
        const Vec3 a = x[static_cast<std::size_t>(t[0])], b = x[static_cast<std::size_t>(t[1])],
                   c = x[static_cast<std::size_t>(t[2])];
        facets.centre.push_back((a + b + c) / 3.0);
        facets.normal.push_back(normalized(cross(b - a, c - a)));
        Bounds box;
        for (const Vec3& corner : {a, b, c}) include(box, corner);
        facets.bounds.push_back(box);
        edges += distance(a, b) + distance(b, c) + distance(c, a);
    }
    if (!facets.node.empty()) facets.mean_edge = edges / (3.0 * static_cast<double>(facets.size()));
    connect(facets);
    return facets;
}

Clusters find_clusters(const Facets& facets) {
    Clusters clusters;
    clusters.facet.reserve(facets.size());
    std::vector<std::uint8_t> seen(facets.size(), 0);
    for (std::size_t seed = 0; seed < facets.size(); ++seed) {
        if (seen[seed] != 0) continue;
        clusters.first.push_back(static_cast<std::int32_t>(clusters.facet.size()));
        std::size_t next = clusters.facet.size();
        clusters.facet.push_back(static_cast<std::int32_t>(seed));
        seen[seed] = 1;
        for (; next < clusters.facet.size(); ++next) {
            for (const std::int32_t n : facets.neighbour[static_cast<std::size_t>(clusters.facet[next])]) {
                if (n < 0 || seen[static_cast<std::size_t>(n)] != 0) continue;
                seen[static_cast<std::size_t>(n)] = 1;
                clusters.facet.push_back(n);
            }
        }
    }
    clusters.first.push_back(static_cast<std::int32_t>(clusters.facet.size()));
    return clusters;
}

}  // namespace plica
