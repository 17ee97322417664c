#include "collision/tree/leaves.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/index.hpp"

namespace plica {
namespace {

std::uint64_t edge_key(std::int32_t a, std::int32_t b) {
    return (std::uint64_t{static_cast<std::uint32_t>(std::min(a, b))} << 32) |
           static_cast<std::uint32_t>(std::max(a, b));
}

}  // namespace

std::vector<Leaf> make_leaves(const Surface& surface, std::span<const std::int32_t> triangles) {
    std::unordered_map<std::uint64_t, std::int32_t> feature;  // of a node or an edge, until someone answers for it
    const auto capsules = static_cast<std::int32_t>(surface.capsules.size());
    for (std::int32_t c = plain_capsules(surface); c < capsules; ++c) {
        feature.emplace(edge_key(surface.capsules[at(c)].a, surface.capsules[at(c)].b), c);
    }
    std::vector<Leaf> leaves(triangles.size());
    std::vector<std::int32_t> leaf_of(surface.triangles.size(), -1);
    for (std::size_t l = 0; l < triangles.size(); ++l) leaf_of[at(triangles[l])] = static_cast<std::int32_t>(l);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        if (leaf_of[t] < 0) continue;
        const Triangle& triangle = surface.triangles[t];
        Leaf& leaf = leaves[at(leaf_of[t])];
        leaf = {static_cast<std::int32_t>(t),
                -1,
                -1,
                {triangle.a, triangle.b, triangle.c},
                {-1, -1, -1},
                {-1, -1, -1},
                {-1, -1, -1},
                triangle.half_thickness};
        const auto claim = [&](std::int32_t a, std::int32_t b) {
            const auto found = feature.find(edge_key(a, b));
            if (found == feature.end()) return -1;
            const std::int32_t capsule = found->second;
            feature.erase(found);
            leaf.radius = std::max(leaf.radius, surface.capsules[at(capsule)].radius);
            return capsule;
        };
        for (int k = 0; k < 3; ++k) {
            leaf.corner_feature[k] = claim(leaf.node[k], leaf.node[k]);
            leaf.edge_feature[k] = claim(leaf.node[k], leaf.node[(k + 1) % 3]);
        }
    }
    return leaves;
}

Fans find_fans(std::span<const Leaf> leaves, std::size_t nodes) {
    Fans fans;
    fans.first.assign(nodes + 1, 0);
    for (const Leaf& leaf : leaves) {
        for (const std::int32_t n : leaf.node) ++fans.first[at(n) + 1];
    }
    for (std::size_t n = 0; n < nodes; ++n) fans.first[n + 1] += fans.first[n];
    fans.leaf.resize(3 * leaves.size());
    std::vector<std::int32_t> next(fans.first.begin(), fans.first.end() - 1);
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        for (const std::int32_t n : leaves[l].node) fans.leaf[at(next[at(n)]++)] = static_cast<std::int32_t>(l);
    }
    return fans;
}

}  // namespace plica
