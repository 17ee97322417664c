#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "collision/tree/build.hpp"
#include "collision/tree/patches.hpp"
#include "core/clock.hpp"
#include "core/index.hpp"
#include "geometry/mesh/shapes.hpp"

namespace plica {
namespace {

// 2 m n triangles.
SurfaceMesh make_torus(int m, int n) {
    SurfaceMesh mesh;
    const double turn = 2.0 * std::numbers::pi;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            const double u = turn * i / m, v = turn * j / n, r = 0.1 + 0.04 * std::cos(v);
            mesh.nodes.push_back({r * std::cos(u), r * std::sin(u), 0.04 * std::sin(v)});
        }
    }
    const auto node = [&](int i, int j) { return (i % m) * n + j % n; };
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            mesh.triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
            mesh.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
        }
    }
    return mesh;
}

struct BuiltTree {
    Facets facets;
    TreeShape shape;
    BuildCounts counts;
};
BuiltTree build(const SurfaceMesh& mesh, TreeBuilder builder) {
    BuiltTree built{make_facets(mesh.triangles, mesh.nodes), {}, {}};
    built.shape = build_tree(built.facets, builder, built.counts);
    return built;
}

// Empty: a tree over all facets, each once, numbered depth first.
std::string complaint_about(const BuiltTree& built) {
    const TreeShape& s = built.shape;
    if (s.size() != 2 * built.facets.size() - 1) return "volumes";
    std::vector<std::int32_t> sorted = s.facet;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != static_cast<std::int32_t>(i)) return "facets";
    }
    for (std::size_t i = 0; i < s.size(); ++i) {
        const std::int32_t leaves = s.last[i] - s.first[i];
        if (s.right[i] == 0) {
            if (leaves != 1) return "a leaf";
            continue;
        }
        const std::size_t left = i + 1, right = at(s.right[i]);
        const auto self = static_cast<std::int32_t>(i);
        if (s.parent[left] != self || s.parent[right] != self) return "a parent";
        if (s.first[left] != s.first[i] || s.last[left] != s.first[right] || s.last[right] != s.last[i])
            return "leaves";
        if (s.level[left] != s.level[i] + 1 || s.level[right] != s.level[i] + 1) return "a level";
        if (right != left + at(2 * (s.last[left] - s.first[left]) - 1)) return "the order";
    }
    return "";
}

// Volumes whose facets are not connected.
int count_torn(const BuiltTree& built) {
    const TreeShape& s = built.shape;
    std::vector<std::int32_t> place(built.facets.size());  // of each facet among the leaves
    for (std::size_t l = 0; l < s.facet.size(); ++l) place[at(s.facet[l])] = static_cast<std::int32_t>(l);
    std::vector<std::int32_t> seen(built.facets.size(), -1), queue;
    int torn = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        queue.assign(1, s.facet[at(s.first[i])]);
        seen[at(queue[0])] = static_cast<std::int32_t>(i);
        for (std::size_t next = 0; next < queue.size(); ++next) {
            for (const std::int32_t n : built.facets.neighbour[at(queue[next])]) {
                if (n < 0 || place[at(n)] < s.first[i] || place[at(n)] >= s.last[i]) continue;
                if (seen[at(n)] == static_cast<std::int32_t>(i)) continue;
                seen[at(n)] = static_cast<std::int32_t>(i);
                queue.push_back(n);
            }
        }
        torn += static_cast<std::int32_t>(queue.size()) == s.last[i] - s.first[i] ? 0 : 1;
    }
    return torn;
}

int depth_of(const TreeShape& shape) {
    return *std::max_element(shape.level.begin(), shape.level.end()) + 1;
}

TEST(TreeBuild, EveryVolumeIsConnected) {
    for (const TreeBuilder builder : {TreeBuilder::growth, TreeBuilder::johnsen, TreeBuilder::volume}) {
        for (const SurfaceMesh& mesh : {make_liver_surface(3), make_torus(24, 16), make_icosphere(0, 1.0)}) {
            const BuiltTree built = build(mesh, builder);
            EXPECT_EQ(complaint_about(built), "");
            EXPECT_EQ(count_torn(built), 0);
            EXPECT_LE(depth_of(built.shape), 15);
        }
    }
    BuiltTree broken = build(make_torus(24, 16), TreeBuilder::growth);
    std::swap(broken.shape.facet.front(), broken.shape.facet.back());
    EXPECT_GT(count_torn(broken), 0);
    broken.shape.facet.front() = broken.shape.facet.back();
    EXPECT_EQ(complaint_about(broken), "facets");
}

TEST(TreeBuild, LargeSurfacesTakeLittleMore) {
    const BuiltTree small = build(make_torus(44, 48), TreeBuilder::growth);
    const double before = thread_cpu_seconds();
    const BuiltTree large = build(make_torus(176, 192), TreeBuilder::growth);
    std::printf("%zu facets in %.2f CPU seconds, %d levels\n", large.facets.size(), thread_cpu_seconds() - before,
                depth_of(large.shape));
    EXPECT_EQ(large.facets.size(), 67584u);
    EXPECT_EQ(complaint_about(large), "");
    EXPECT_EQ(count_torn(large), 0);
    EXPECT_LE(depth_of(large.shape), 24);
    // n log n, and as much again for fronts that are longer.
    const auto per_facet = [](const BuiltTree& b) {
        return static_cast<double>(b.counts.heap_operations) / static_cast<double>(b.facets.size());
    };
    EXPECT_LT(per_facet(large), 2.0 * per_facet(small));
    EXPECT_LT(per_facet(large), 100.0);
}

TEST(TreeBuild, SameTreeEveryTime) {
    const SurfaceMesh mesh = make_liver_surface(3);
    for (const TreeBuilder builder : {TreeBuilder::growth, TreeBuilder::johnsen, TreeBuilder::volume}) {
        EXPECT_EQ(build(mesh, builder).shape.facet, build(mesh, builder).shape.facet);
    }
    EXPECT_NE(build(mesh, TreeBuilder::growth).shape.facet, build(mesh, TreeBuilder::volume).shape.facet);
}

TEST(TreeBuild, ClustersAreMergedAboveTheirOwnTrees) {
    SurfaceMesh mesh = make_ribs(4);
    const Facets facets = make_facets(mesh.triangles, mesh.nodes);
    const Clusters clusters = find_clusters(facets);
    EXPECT_EQ(clusters.first.size(), 5u);
    const BuiltTree built = build(mesh, TreeBuilder::growth);
    EXPECT_EQ(complaint_about(built), "");
    EXPECT_EQ(count_torn(built), 3);  // those above the four
    // Loose triangles, more than a few of them, some with the same corners.
    SurfaceMesh loose;
    for (int i = 0; i < 500; ++i) {
        const double x = i / 2;
        const auto n = static_cast<std::int32_t>(loose.nodes.size());
        for (const Vec3& d : {Vec3{0, 0, 0}, Vec3{0.5, 0, 0}, Vec3{0, 0.5, 0}})
            loose.nodes.push_back(Vec3{x, 0, 0} + d);
        loose.triangles.push_back({n, n + 1, n + 2});
    }
    EXPECT_EQ(complaint_about(build(loose, TreeBuilder::growth)), "");
}

// Seven triangles around one edge, one without area, and all in one place: still a tree.
TEST(TreeBuild, StrangeSurfacesHaveTreesAsWell) {
    SurfaceMesh book;
    book.nodes = {{0, 0, 0}, {0, 0, 1}};
    for (int i = 0; i < 7; ++i) {
        book.nodes.push_back({std::cos(i), std::sin(i), 0.5});
        book.triangles.push_back({0, 1, i + 2});
    }
    book.triangles.push_back({0, 1, 1});
    SurfaceMesh heap;
    heap.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 40; ++i) heap.triangles.push_back({0, 1, 2});
    for (const TreeBuilder builder : {TreeBuilder::growth, TreeBuilder::johnsen, TreeBuilder::volume}) {
        EXPECT_EQ(complaint_about(build(book, builder)), "");
        EXPECT_EQ(complaint_about(build(heap, builder)), "");
    }
}

TEST(TreeBuild, PatchesCoverEveryLeafOnce) {
    const BuiltTree built = build(make_liver_surface(3), TreeBuilder::growth);
    std::vector<Cone> cones(built.shape.size());
    for (std::size_t i = cones.size(); i-- > 0;) {
        const Vec3& n = built.facets.normal[at(built.shape.facet[at(built.shape.first[i])])];
        cones[i] = built.shape.right[i] != 0 ? merge(cones[i + 1], cones[at(built.shape.right[i])]) : Cone{n, 0.0};
    }
    const double cap = 0.5 * std::numbers::pi;
    for (const auto& roots : {place_patches(built.shape, cones, 80, cap), place_patches(built.shape, cones, 1, cap),
                              place_patches(built.shape, cones, 1, 10.0), place_patches_at(built.shape, 6)}) {
        std::vector<int> covered(built.facets.size(), 0);
        for (const std::int32_t r : roots) {
            for (std::int32_t l = built.shape.first[at(r)]; l < built.shape.last[at(r)]; ++l) ++covered[at(l)];
        }
        EXPECT_EQ(std::count(covered.begin(), covered.end(), 1), static_cast<std::ptrdiff_t>(covered.size()));
    }
    EXPECT_EQ(place_patches(built.shape, cones, 80, cap).size(), 80u);
    EXPECT_EQ(place_patches(built.shape, cones, 1, 10.0).size(), 1u);
    for (const std::int32_t r : place_patches(built.shape, cones, 1, cap)) {
        EXPECT_TRUE(built.shape.right[at(r)] == 0 || 2.0 * cones[at(r)].half < cap);
    }
}

}  // namespace
}  // namespace plica
