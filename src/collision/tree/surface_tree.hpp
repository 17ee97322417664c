#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "collision/tree/search.hpp"
#include "core/bytes.hpp"

// A bounding volume hierarchy with normal cones over the triangles of solids, rigid tools and sheets: the broad phase
// of their pairs of features, complete for the way of a whole substep. Johnsen et al. 2012, sec. 2.2; where we depart:
// docs/papers/johnsen.md.
namespace plica {

class SurfaceTree {
public:
    // Keeps a reference to the surface. `rest`: places of all nodes; Triangle::body is an index into `bodies`.
    SurfaceTree(const Surface& surface, std::span<const TreeBody> bodies, std::span<const Vec3> rest,
                const TreeSettings& settings);

    // Updates and searches are shared out to these threads, which must outlive the tree; what is found is the same.
    void work_with(ThreadPool& pool) { m_tree.pool = &pool; }

    // Makes pairs() complete for every place of the nodes on the straight way from x to p: every pair that the rules
    // of surface.hpp allow and that comes nearer than its contact radii and the layer, except those of closed bodies
    // that the cones show to be no first contact. `start` and `end`: per body the motion from rest, only read for
    // rigid ones. True when pairs() changed.
    bool update(std::span<const Vec3> x, std::span<const Vec3> p, std::span<const Pose> start,
                std::span<const Pose> end);

    // (a, b), ascending: a feature, and b > a, an edge or a triangle (capsules + its number).
    [[nodiscard]] std::span<const std::array<std::int32_t, 2>> pairs() const { return m_search.pairs(); }

    // Positions were replaced: the next update refits all.
    void forget() { m_tree.warm = false; }

    // All that updates remember: which pairs are listed depends on when patches were last looked at, and the order in
    // which contact is solved on what is listed. A tree of the same surface that reads this goes on with the same bits.
    void save(ByteWriter& archive) const;
    void load(ByteReader& archive);

    [[nodiscard]] const TreeCounts& counts() const { return m_tree.counts; }

    // For pictures, reports and tests. A body's volumes are those from first_volume(body) to first_volume(body + 1).
    [[nodiscard]] const TreeShape& shape() const { return m_tree.shape; }
    [[nodiscard]] std::int32_t first_volume(std::size_t body) const {
        return body < m_tree.bodies.size() ? m_tree.bodies[body].first_volume : m_tree.counts.volumes;
    }
    [[nodiscard]] int depth() const;                      // levels of the deepest body
    [[nodiscard]] Bounds box(std::int32_t volume) const;  // m, now (of the last update), with radius, layer and margin
    [[nodiscard]] Cone cone(std::int32_t volume) const;   // of the normals at the last refit, and of their fans
    [[nodiscard]] double margin(std::size_t body) const { return m_tree.bodies[body].margin; }
    [[nodiscard]] double candidates_per_corner() const;
    [[nodiscard]] const Patches& patches() const { return m_tree.patches; }

private:
    Hierarchy m_tree;
    FanCones m_cones;
    LazyUpdate m_lazy;
    PairSearch m_search;
};

}  // namespace plica
