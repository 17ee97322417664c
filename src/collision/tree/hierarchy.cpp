#include "collision/tree/hierarchy.hpp"

#include <algorithm>

#include "collision/tree/margins.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

constexpr std::size_t facets_per_patch = 16;
constexpr double patch_cap = 0.5 * std::numbers::pi;  // rad: opening of a patch's cone
constexpr std::size_t frame_sample = 256;             // nodes

// Cones of the facets' own normals, to place patches by.
std::vector<Cone> bound_normals(const TreeShape& shape, const Facets& facets) {
    std::vector<Cone> cones(shape.size());
    for (std::size_t i = shape.size(); i-- > 0;) {
        const Vec3& n = facets.normal[at(shape.facet[at(shape.first[i])])];
        cones[i] = shape.right[i] != 0 ? merge(cones[i + 1], cones[at(shape.right[i])]) : Cone{n, 0.0};
    }
    return cones;
}

void append(TreeShape& all, const TreeShape& shape, std::span<const std::int32_t> triangles) {
    const auto volumes = static_cast<std::int32_t>(all.size());
    const auto leaves = static_cast<std::int32_t>(all.facet.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        all.right.push_back(shape.right[i] == 0 ? 0 : shape.right[i] + volumes);
        all.parent.push_back(shape.parent[i] < 0 ? -1 : shape.parent[i] + volumes);
        all.first.push_back(shape.first[i] + leaves);
        all.last.push_back(shape.last[i] + leaves);
        all.level.push_back(shape.level[i]);
    }
    for (const std::int32_t f : shape.facet) all.facet.push_back(triangles[at(f)]);
}

struct Built {
    Facets facets;
    TreeShape shape;
};

std::vector<Built> build_bodies(std::span<const TreeBody> bodies, std::span<const Vec3> rest, Hierarchy& tree) {
    std::vector<std::vector<std::int32_t>> triangles(bodies.size());
    for (std::size_t t = 0; t < tree.surface.triangles.size(); ++t) {
        const Triangle& triangle = tree.surface.triangles[t];
        if (triangle.sheet) triangles[at(triangle.body)].push_back(static_cast<std::int32_t>(t));
    }
    std::vector<Built> built(bodies.size());
    BuildCounts counts;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        HierarchyBody body{bodies[b].closed, bodies[b].rigid};
        std::vector<std::array<std::int32_t, 3>> nodes;
        for (const std::int32_t t : triangles[b]) {
            const Triangle& triangle = tree.surface.triangles[at(t)];
            nodes.push_back({triangle.a, triangle.b, triangle.c});
            body.own = body.own || triangle.own;
        }
        built[b].facets = make_facets(std::move(nodes), rest);
        built[b].shape = build_tree(built[b].facets, tree.settings.builder, counts);
        body.margin = tree.settings.margin > 0.0 ? tree.settings.margin : 0.1 * built[b].facets.mean_edge;
        body.first_volume = static_cast<std::int32_t>(tree.shape.size());
        append(tree.shape, built[b].shape, triangles[b]);
        body.last_volume = static_cast<std::int32_t>(tree.shape.size());
        tree.bodies.push_back(std::move(body));
    }
    tree.counts.heap_operations = counts.heap_operations;
    return built;
}

void number_leaves(Hierarchy& tree) {
    for (std::size_t i = 0; i < tree.shape.size(); ++i) {
        if (tree.shape.right[i] == 0) tree.leaves[at(tree.shape.first[i])].volume = static_cast<std::int32_t>(i);
    }
    tree.boxes.resize(tree.shape.size());
    tree.cones.resize(tree.shape.size());
    tree.patch_of.assign(tree.shape.size(), -1);
    tree.marks.above.assign(tree.shape.size(), 0);
}

std::vector<std::int32_t> choose_roots(const TreeSettings& settings, const HierarchyBody& body, const Built& built) {
    const TreeShape& shape = built.shape;
    if (body.rigid) return {0};
    if (settings.update == TreeUpdate::larsson || settings.update == TreeUpdate::half_depth) {
        return place_patches_at(shape, (*std::max_element(shape.level.begin(), shape.level.end()) + 1) / 2);
    }
    const std::size_t wanted = std::max<std::size_t>(1, built.facets.size() / facets_per_patch);
    const double cap = settings.update == TreeUpdate::margins ? patch_cap : 2.0 * std::numbers::pi + 1.0;
    return place_patches(shape, bound_normals(shape, built.facets), wanted, cap);
}

void list_nodes(const Patches& patches, HierarchyBody& body) {
    if (body.rigid) return;
    std::vector<std::int32_t>& node = body.seen.node;
    node.assign(patches.node.begin() + patches.first[at(body.first_patch)], patches.node.end());
    std::sort(node.begin(), node.end());
    node.erase(std::unique(node.begin(), node.end()), node.end());
    while (node.size() % 8 != 0) node.push_back(node[0]);
    for (auto* each : {&body.seen.x, &body.seen.y, &body.seen.z}) each->resize(node.size());
}

// A frame may follow the body in any way, as long as the same one is used throughout: the mean of some nodes will do.
void sample_frame(HierarchyBody& body, std::span<const Leaf> leaves) {
    const std::size_t stride = std::max<std::size_t>(1, leaves.size() / frame_sample);
    for (std::size_t l = 0; l < leaves.size(); l += stride) body.sample.push_back(leaves[l].node[0]);
}

void add_patches(std::size_t b, const Built& built, Hierarchy& tree) {
    HierarchyBody& body = tree.bodies[b];
    body.first_patch = body.last_patch = static_cast<std::int32_t>(tree.patches.size());
    if (built.shape.size() == 0) return;
    for (const std::int32_t root : choose_roots(tree.settings, body, built)) {
        const std::int32_t volume = body.first_volume + root;
        const std::span<Leaf> leaves = std::span(tree.leaves)
                                           .subspan(at(tree.shape.first[at(volume)]),
                                                    at(tree.shape.last[at(volume)] - tree.shape.first[at(volume)]));
        add_patch(tree.patches, tree.shape, volume, static_cast<std::int32_t>(b), leaves);
        const auto patch = static_cast<std::int32_t>(tree.patches.size()) - 1;
        std::fill(tree.patch_of.begin() + volume, tree.patch_of.begin() + tree.patches.end[at(patch)], patch);
        tree.counts.patches += body.rigid ? 0 : 1;
    }
    body.last_patch = static_cast<std::int32_t>(tree.patches.size());
    const std::size_t first = at(tree.shape.first[at(body.first_volume)]);
    sample_frame(body, std::span(tree.leaves).subspan(first, built.facets.size()));
    list_nodes(tree.patches, body);
}

void answer_for_primitives(Hierarchy& tree) {
    tree.patch_of_primitive.assign(static_cast<std::size_t>(primitive_count(tree.surface)), -1);
    for (const Leaf& leaf : tree.leaves) {
        tree.patch_of_primitive[tree.surface.capsules.size() + at(leaf.triangle)] = leaf.patch;
        for (int k = 0; k < 3; ++k) {
            if (leaf.corner_feature[k] >= 0) tree.patch_of_primitive[at(leaf.corner_feature[k])] = leaf.patch;
            if (leaf.edge_feature[k] >= 0) tree.patch_of_primitive[at(leaf.edge_feature[k])] = leaf.patch;
        }
    }
}

}  // namespace

Hierarchy build_hierarchy(const Surface& surface, std::span<const TreeBody> bodies, std::span<const Vec3> rest,
                          const TreeSettings& settings) {
    const bool lasts = settings.update == TreeUpdate::margins;
    Hierarchy tree{surface, settings, lasts ? cone_limit - 2.0 * turn_margin : cone_limit};
    const std::vector<Built> built = build_bodies(bodies, rest, tree);
    tree.leaves = make_leaves(surface, tree.shape.facet);
    tree.fans = find_fans(tree.leaves, rest.size());
    number_leaves(tree);
    for (std::size_t b = 0; b < bodies.size(); ++b) add_patches(b, built[b], tree);
    answer_for_primitives(tree);
    tree.counts.volumes = static_cast<int>(tree.shape.size());
    tree.marks.touched.assign(tree.patches.size(), 0);
    tree.marks.ancestors.reserve(tree.shape.size());
    return tree;
}

}  // namespace plica
