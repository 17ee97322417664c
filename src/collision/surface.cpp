#include "collision/surface.hpp"

#include <set>
#include <utility>

#include "core/index.hpp"

namespace plica {
namespace {

Capsule make_feature(const Triangle& t, std::int32_t a, std::int32_t b) {
    Capsule feature{a, b, t.half_thickness, t.body, t.chain, t.column_min, 0, false};
    feature.sheet = true;
    feature.own = t.own;
    return feature;
}

void mark_inner_tubes(Surface& surface, std::size_t nodes) {
    std::vector<std::uint8_t> begun(nodes, 0);
    const auto is_tube = [](const Capsule& c) { return c.a != c.b && !c.edge && !c.sheet; };
    for (const Capsule& c : surface.capsules) {
        if (is_tube(c)) begun[at(c.a)] = 1;
    }
    for (Capsule& c : surface.capsules) c.inner = is_tube(c) && begun[at(c.b)] != 0;
}

}  // namespace

Surface without_edges(const Surface& surface) {
    Surface plain;
    for (const Capsule& c : surface.capsules) {
        if (!c.edge && !c.sheet) plain.capsules.push_back(c);
    }
    plain.triangles = surface.triangles;
    plain.triangles.insert(plain.triangles.end(), surface.spanned.begin(), surface.spanned.end());
    return plain;
}

void add_surface_features(Surface& surface, std::size_t nodes) {
    mark_inner_tubes(surface, nodes);
    std::vector<std::uint8_t> taken(nodes, 0), tube(nodes, 0);
    for (const Capsule& c : surface.capsules) {
        if (c.a != c.b) taken[at(c.a)] = taken[at(c.b)] = tube[at(c.a)] = tube[at(c.b)] = 1;
    }
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    std::vector<Capsule> edge_features;
    for (const Triangle& t : surface.triangles) {
        if (!t.sheet) continue;
        const std::int32_t corner[3] = {t.a, t.b, t.c};
        for (int k = 0; k < 3; ++k) {
            const std::int32_t n = corner[k];
            if (taken[at(n)] == 0) surface.capsules.push_back(make_feature(t, n, n));
            surface.features.corners += taken[at(n)] == 0 ? 1 : 0;
            taken[at(n)] = 1;
            const auto [a, b] = std::minmax(n, corner[(k + 1) % 3]);
            const bool on_tube = tube[at(a)] != 0 && tube[at(b)] != 0;
            if (!on_tube && edges.emplace(a, b).second) edge_features.push_back(make_feature(t, a, b));
        }
    }
    surface.capsules.insert(surface.capsules.end(), edge_features.begin(), edge_features.end());
    surface.features.edges = static_cast<std::int32_t>(edge_features.size());
}

void list_near_features(Surface& surface, std::span<const std::array<std::int32_t, 2>> pairs) {
    const std::size_t capsules = surface.capsules.size();
    const auto chain_of = [&](std::int32_t p) {
        return at(p) < capsules ? surface.capsules[at(p)].chain : surface.triangles[at(p) - capsules].chain;
    };
    SurfaceFeatures& features = surface.features;
    features.near.clear();
    features.first_near.assign(at(features.corners + features.edges) + 1, 0);
    for (const auto& [feature, other] : pairs) {
        if (chain_of(feature) < 0 || chain_of(feature) != chain_of(other)) continue;
        features.near.push_back(other);
        ++features.first_near[at(feature - plain_capsules(surface)) + 1];
    }
    for (std::size_t i = 1; i < features.first_near.size(); ++i) features.first_near[i] += features.first_near[i - 1];
}

}  // namespace plica
