#include "collision/tree/build.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace plica {
namespace {

// A tree on its way: volumes in any order.
struct Draft {
    struct Volume {
        std::int32_t left, right;  // volumes; of a leaf: facet and -1
    };
    std::vector<Volume> volumes{};

    std::int32_t add(std::int32_t left, std::int32_t right) {
        volumes.push_back({left, right});
        return static_cast<std::int32_t>(volumes.size()) - 1;
    }
};

std::size_t divide(const Division& division, TreeBuilder builder, std::span<std::int32_t> set) {
    if (set.size() == 2) return 1;
    if (builder == TreeBuilder::johnsen) return divide_as_johnsen(division, set);
    return divide_by_growth(division, set, builder == TreeBuilder::volume ? 0.0 : 1.0);
}

Bounds bounds_of(const Facets& facets, std::span<const std::int32_t> set) {
    Bounds box;
    for (const std::int32_t f : set) box = merge(box, facets.bounds[at(f)]);
    return box;
}

// Returns the root of one cluster.
std::int32_t draft_cluster(const Facets& facets, TreeBuilder builder, std::span<std::int32_t> cluster,
                           std::vector<std::uint8_t>& mark, Draft& draft, BuildCounts& counts) {
    const Division division{facets, volume_of(bounds_of(facets, cluster), facets.mean_edge), mark, counts};
    struct Task {
        std::size_t first, last;
        std::int32_t parent;  // -1: none
        bool left;
    };
    std::vector<Task> tasks{{0, cluster.size(), -1, true}};
    std::int32_t root = -1;
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        const std::size_t count = task.last - task.first;
        const std::int32_t volume = count == 1 ? draft.add(cluster[task.first], -1) : draft.add(0, 0);
        if (task.parent < 0) {
            root = volume;
        } else {
            (task.left ? draft.volumes[at(task.parent)].left : draft.volumes[at(task.parent)].right) = volume;
        }
        if (count == 1) continue;
        const std::size_t middle = task.first + divide(division, builder, cluster.subspan(task.first, count));
        tasks.push_back({middle, task.last, volume, false});
        tasks.push_back({task.first, middle, volume, true});
    }
    return root;
}

struct Root {
    std::int32_t volume;
    Bounds bounds;
};

// Merges the two whose box is smallest until one is left. Cubic: for few.
Root merge_smallest(std::span<Root> roots, double extra, Draft& draft) {
    for (std::size_t count = roots.size(); count > 1; --count) {
        std::size_t best_i = 0, best_j = 1;
        double best = Bounds::nothing;
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = i + 1; j < count; ++j) {
                const double volume = volume_of(merge(roots[i].bounds, roots[j].bounds), extra);
                if (!(volume < best)) continue;
                best = volume;
                best_i = i;
                best_j = j;
            }
        }
        roots[best_i] = {draft.add(roots[best_i].volume, roots[best_j].volume),
                         merge(roots[best_i].bounds, roots[best_j].bounds)};
        roots[best_j] = roots[count - 1];
    }
    return roots[0];
}

// Many clusters are halved along the longest axis first, so that no number of them takes long.
Root merge_roots(std::span<Root> roots, double extra, Draft& draft) {
    constexpr std::size_t few = 64;
    if (roots.size() <= few) return merge_smallest(roots, extra, draft);
    Bounds centres;
    for (const Root& r : roots) include(centres, r.bounds.lo + r.bounds.hi);
    const Vec3 d = centres.hi - centres.lo;
    const Vec3 axis = d.x >= d.y && d.x >= d.z ? Vec3{1, 0, 0} : d.y >= d.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const std::size_t half = roots.size() / 2;
    const auto key = [&](const Root& r) { return dot(axis, r.bounds.lo + r.bounds.hi); };
    std::nth_element(roots.begin(), roots.begin() + static_cast<std::ptrdiff_t>(half), roots.end(),
                     [&](const Root& p, const Root& q) {
                         const double kp = key(p), kq = key(q);
                         return kp < kq || (kp == kq && p.volume < q.volume);
                     });
    const Root left = merge_roots(roots.first(half), extra, draft);
    const Root right = merge_roots(roots.subspan(half), extra, draft);
    return {draft.add(left.volume, right.volume), merge(left.bounds, right.bounds)};
}

TreeShape number_depth_first(const Draft& draft, std::int32_t root) {
    TreeShape shape;
    struct Task {
        std::int32_t volume, parent;
        bool right;
    };
    std::vector<Task> tasks{{root, -1, false}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        const Draft::Volume& volume = draft.volumes[at(task.volume)];
        const auto i = static_cast<std::int32_t>(shape.size());
        if (task.right) shape.right[at(task.parent)] = i;
        shape.right.push_back(0);
        shape.parent.push_back(task.parent);
        shape.level.push_back(task.parent < 0 ? 0 : shape.level[at(task.parent)] + 1);
        shape.first.push_back(static_cast<std::int32_t>(shape.facet.size()));
        shape.last.push_back(0);
        if (volume.right < 0) {
            shape.facet.push_back(volume.left);
            continue;
        }
        tasks.push_back({volume.right, i, true});
        tasks.push_back({volume.left, i, false});
    }
    for (std::size_t i = shape.size(); i-- > 0;) {
        shape.last[i] = shape.right[i] == 0 ? shape.first[i] + 1 : shape.last[at(shape.right[i])];
    }
    return shape;
}

}  // namespace

TreeShape build_tree(const Facets& facets, TreeBuilder builder, BuildCounts& counts) {
    if (facets.size() == 0) return {};
    Clusters clusters = find_clusters(facets);
    Draft draft;
    draft.volumes.reserve(2 * facets.size());
    std::vector<std::uint8_t> mark(facets.size(), 0);
    std::vector<Root> roots;
    for (std::size_t c = 0; c + 1 < clusters.first.size(); ++c) {
        const std::span<std::int32_t> cluster =
            std::span(clusters.facet).subspan(at(clusters.first[c]), at(clusters.first[c + 1] - clusters.first[c]));
        const Bounds box = bounds_of(facets, cluster);
        roots.push_back({draft_cluster(facets, builder, cluster, mark, draft, counts), box});
    }
    return number_depth_first(draft, merge_roots(roots, facets.mean_edge, draft).volume);
}

}  // namespace plica
