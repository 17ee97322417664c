#include "collision/tree/patches.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "collision/tree/margins.hpp"
#include "core/index.hpp"

namespace plica {
std::vector<std::int32_t> place_patches(const TreeShape& shape, std::span<const Cone> cones, std::size_t wanted,
                                        double cap) {
    using Entry = std::tuple<double, std::int32_t, std::int32_t>;  // opening, leaves, volume
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> parents;
    std::vector<std::uint8_t> is_root(shape.size(), 0);
    std::size_t roots = shape.facet.size();
    const auto offer = [&](std::int32_t parent) {
        if (parent < 0 || is_root[at(parent + 1)] == 0 || is_root[at(shape.right[at(parent)])] == 0) return;
        parents.emplace(2.0 * cones[at(parent)].half, shape.last[at(parent)] - shape.first[at(parent)], parent);
    };
    for (std::size_t i = 0; i < shape.size(); ++i) is_root[i] = shape.right[i] == 0 ? 1 : 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape.right[i] != 0) offer(static_cast<std::int32_t>(i));
    }
    while (roots > wanted && !parents.empty() && std::get<0>(parents.top()) < cap) {
        const std::int32_t parent = std::get<2>(parents.top());
        parents.pop();
        is_root[at(parent + 1)] = is_root[at(shape.right[at(parent)])] = 0;
        is_root[at(parent)] = 1;
        --roots;
        offer(shape.parent[at(parent)]);
    }
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (is_root[i] != 0) found.push_back(static_cast<std::int32_t>(i));
    }
    return found;
}

std::vector<std::int32_t> place_patches_at(const TreeShape& shape, std::int32_t level) {
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape.level[i] == level || (shape.level[i] < level && shape.right[i] == 0)) {
            found.push_back(static_cast<std::int32_t>(i));
        }
    }
    return found;
}

void add_patch(Patches& patches, const TreeShape& shape, std::int32_t root, std::int32_t body, std::span<Leaf> leaves) {
    const auto number = static_cast<std::int32_t>(patches.size());
    patches.volume.push_back(root);
    patches.end.push_back(root + 2 * (shape.last[at(root)] - shape.first[at(root)]) - 1);
    patches.body.push_back(body);
    std::vector<std::int32_t> nodes;
    for (const Leaf& leaf : leaves) nodes.insert(nodes.end(), leaf.node, leaf.node + 3);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const auto start = static_cast<std::int32_t>(patches.node.size());
    if (patches.first.empty()) patches.first.push_back(0);
    for (Leaf& leaf : leaves) {
        leaf.patch = number;
        for (int k = 0; k < 3; ++k) {
            const auto place = std::lower_bound(nodes.begin(), nodes.end(), leaf.node[k]);
            leaf.place[k] = start + static_cast<std::int32_t>(place - nodes.begin());
        }
    }
    while (nodes.size() % 8 != 0) nodes.push_back(nodes[0]);
    patches.node.insert(patches.node.end(), nodes.begin(), nodes.end());
    patches.first.push_back(static_cast<std::int32_t>(patches.node.size()));
    for (auto* each : {&patches.x, &patches.y, &patches.z}) each->resize(patches.node.size());
    for (auto* each : {&patches.margin, &patches.turn, &patches.sine, &patches.altitude, &patches.margin_left}) {
        each->push_back(0.0);
    }
    patches.granted.push_back(turn_margin);
}

}  // namespace plica
