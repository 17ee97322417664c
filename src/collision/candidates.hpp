#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/narrow.hpp"
#include "collision/surface.hpp"
#include "core/parallel.hpp"
#include "geometry/vec3.hpp"

// Broad phase: the list of candidate pairs with a completeness certificate, and the exact detectors that build it.
namespace plica {

// A pair of primitives that may come to touch, and what contact remembers of it. Sorted by (a, b) everywhere.
struct Pair {
    static constexpr bool packed_doubles = true;
    std::int32_t a = 0;         // capsule
    std::int32_t b = 0;         // capsule b > a, or capsule count + triangle
    double gap_at_build = 0.0;  // m, distance less the contact radii when the list was built
    double push = 0.0;          // kg m, normal Lagrange multiplier of the last substep (h^2 times the force)
    Vec3 friction;              // kg m, tangential Lagrange multiplier of the last substep
    Vec3 side;                  // unit, from b to a, while in contact; zero otherwise: the memory of sides
};

inline bool operator<(const Pair& p, const Pair& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
}
inline bool same_pair(const Pair& p, const Pair& q) {
    return p.a == q.a && p.b == q.b;
}

// Nodes from a first one to before a last one. Both are multiples of eight, or the end of all nodes: sums over ranges
// that leave out nodes which stand have the same bits as those over all.
struct NodeRange {
    std::size_t first = 0, last = 0;
};

// What all nodes do together brings no two of them closer: it is left out wherever motion is bounded.
Vec3 mean_displacement(std::span<const Vec3> from, std::span<const Vec3> to);
// The same mean of all when those outside of the ranges stand where they stood.
Vec3 mean_displacement(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const NodeRange> moving);

// Every pair that can touch before any node has moved further than its margin from where it was at the build, with or
// without the mean motion of all nodes.
struct CandidateList {
    std::vector<Pair> pairs;
    std::vector<Vec3> built;     // node positions at the build
    std::vector<double> margin;  // m, per node
};

// The completeness certificate: true while no node has left its margin.
bool is_complete(const CandidateList& list, std::span<const Vec3> positions);
// The same when those outside of the ranges stand where they stood, with margins that some in the ranges have too.
bool is_complete(const CandidateList& list, std::span<const Vec3> positions, std::span<const NodeRange> moving);

// Axis-aligned boxes around primitives; see BoxArrays.
struct Boxes {
    std::vector<double> lo[4], hi[4];

    void resize(std::size_t count);
    [[nodiscard]] Box get(std::int32_t i) const {
        Box box;
        for (int k = 0; k < 4; ++k) {
            box.lo[k] = lo[k][static_cast<std::size_t>(i)];
            box.hi[k] = hi[k][static_cast<std::size_t>(i)];
        }
        return box;
    }
    [[nodiscard]] BoxArrays arrays() const;
};

// The planes of the triangles; see PlaneArrays.
struct Planes {
    std::vector<double> nx, ny, nz, offset;
    std::vector<double> near;           // m: half thickness and margin
    std::vector<std::int32_t> node[3];  // of the triangles

    [[nodiscard]] PlaneArrays arrays() const { return {nx.data(), ny.data(), nz.data(), offset.data()}; }
};

// A pair whose boxes overlap.
struct RawPair {
    std::int32_t a, b;
    double distance;  // m^2; of one that is near the gap, m
};

struct DetectorScratch {
    Isa isa = best_isa();
    std::vector<double> primitive_margin;           // m, the largest of its nodes
    Boxes boxes;                                    // around the primitives
    Planes planes;                                  // of the triangles
    Boxes sorted;                                   // grid: the same by cells
    std::vector<std::int32_t> id;                   // which primitive a box in the order of search belongs to
    std::vector<std::int32_t> cell, first, cursor;  // of each primitive; of each cell
    struct Tree {
        std::vector<Boxes> levels;        // its boxes
        std::vector<std::int32_t> order;  // of its primitives, counted from 0, on the lowest level
        std::vector<std::int32_t> id;     // their numbers in that order
    };
    Tree tree;       // bvh
    Tree edge_tree;  // of the edges of sheets that touch themselves, grid and bvh
    struct Chunk {
        std::vector<std::int32_t> hits;
        std::vector<RawPair> raw;  // then those that are near
        std::int64_t tests = 0;
    };
    std::vector<Chunk> chunks;
    std::vector<Pair> merged;
};

// Makes room for this many pairs in all.
void reserve_pairs_for(const Surface& surface, std::size_t pairs, DetectorScratch& scratch);

// `tracked` finds its pairs in a way of its own (tracked.hpp); it may miss some.
enum class DetectorKind : std::uint8_t { brute, grid, bvh, tracked };
inline const char* detector_name(DetectorKind kind) {
    switch (kind) {
        case DetectorKind::brute:
            return "brute";
        case DetectorKind::grid:
            return "grid";
        case DetectorKind::bvh:
            return "bvh";
        case DetectorKind::tracked:
            break;
    }
    return "tracked";
}

// The exact detector that is fastest (bench detection): up to a few lines of boxes all of them, a grid for many
// primitives of like size, and a tree where long triangles lie among them.
inline DetectorKind best_detector(const Surface& surface) {
    if (primitive_count(surface) <= 256) return DetectorKind::brute;
    return surface.triangles.empty() && surface.capsules.size() >= 800 ? DetectorKind::grid : DetectorKind::bvh;
}

// What a detector sees.
struct DetectorView {
    const Surface& surface;
    std::span<const std::uint8_t> enabled;  // per capsule: those that are off look for nothing
    std::span<const Vec3> x;
};

// The broad phase's question, answered by every detector alike: all pairs of primitives that are allowed to touch and
// whose gap at x is at most the sum of their margins (the largest of their nodes; `margin` is per node).

// O(n^2), the reference. Returns the number of exact distance tests; `found` is sorted.
std::int64_t find_pairs_brute(const DetectorView& view, std::span<const double> margin, ThreadPool& pool,
                              DetectorScratch& scratch, std::vector<Pair>& found);

// Boxes in a uniform grid, found by their centres: linear in the number of primitives while they are of like size. The
// same pairs.
std::int64_t find_pairs_grid(const DetectorView& view, std::span<const double> margin, ThreadPool& pool,
                             DetectorScratch& scratch, std::vector<Pair>& found);

// Boxes in a tree, eight children a node, refitted at every call. The same pairs.
std::int64_t find_pairs_bvh(const DetectorView& view, std::span<const double> margin, ThreadPool& pool,
                            DetectorScratch& scratch, std::vector<Pair>& found);

// Takes `found` (sorted) as the list, built at `positions`, keeping what contact remembers of pairs that stay. `found`
// is left with the old list.
void replace_pairs(CandidateList& list, std::vector<Pair>& found, std::span<const Vec3> positions);

// The list's pairs of features, which come behind all others: these instead, (a, b) ascending. `merged` is left with
// the old list.
void replace_feature_pairs(const Surface& surface, std::span<const std::array<std::int32_t, 2>> features,
                           CandidateList& list, ThreadPool& pool, std::vector<Pair>& merged);
std::vector<Pair>::iterator find_first_feature(const Surface& surface, std::vector<Pair>& pairs);

// Rebuilds the list at view.x, keeping what contact remembers of pairs that stay. list.margin must be set.
// keep_features: features are not `enabled`, their pairs are another's and stay as they are.
std::int64_t rebuild(CandidateList& list, DetectorKind detector, const DetectorView& view, ThreadPool& pool,
                     DetectorScratch& scratch, bool keep_features = false);

}  // namespace plica
