#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

// Detectors that the papers compare themselves with, plainly written: no vectors, no threads. They answer the question
// of src/collision: all pairs that may touch and whose gap is at most `near`.
namespace plica::experiments {

using PrimitivePair = std::array<std::int32_t, 2>;

struct Found {
    std::vector<PrimitivePair> pairs;  // sorted, after the exact test
    std::int64_t coarse_tests = 0;     // of spheres or boxes
    std::int64_t candidates = 0;       // pairs that the exact test looked at
    std::int64_t parts = 0;            // spheres or leaves
};

// France et al. 2002, as Raghupathi 2003 and 2004 tell it: everything is covered by spheres, the spheres are put into
// the voxels of a grid, and a sphere that comes into a voxel is tested against those that are there.
enum class VoxelReading : std::uint8_t {
    covered,  // a sphere is in every voxel that it overlaps, and spheres cover what they stand for
    literal   // only "their positions are stored": a sphere is in the voxel of its centre, and has the tube's radius
};

class SphereGrid {
public:
    SphereGrid(const Surface& surface, VoxelReading reading);
    void find(std::span<const Vec3> x, double near, Found& found);

private:
    struct Sphere {
        Vec3 centre;
        double radius;
        std::int32_t primitive;
    };
    struct Entry {
        std::array<std::int32_t, 3> voxel;
        std::int32_t sphere, next;
    };
    void cover_capsule(const Capsule& c, std::int32_t primitive, std::span<const Vec3> x, double near);
    void cover_triangle(const Triangle& t, std::int32_t primitive, std::span<const Vec3> x, double near);
    void insert(std::int32_t sphere, const std::array<std::int32_t, 3>& voxel, bool stays, Found& found);

    const Surface& m_surface;
    VoxelReading m_reading;
    double m_tube;  // m, smallest radius of a tube: how fine triangles are covered
    std::vector<Sphere> m_spheres;
    std::vector<std::int32_t> m_heads;
    std::vector<Entry> m_entries;
    std::vector<PrimitivePair> m_hits;
};

// A binary tree of boxes over the primitives. Its shape comes from their order along the organ and never changes; only
// the boxes do, from the leaves up (refit). Or it is built anew each time, by halves along the longest side.
class BinaryTree {
public:
    BinaryTree(const Surface& surface, bool rebuild);
    void find(std::span<const Vec3> x, double near, Found& found);

private:
    struct Box {
        Vec3 lo, hi;
    };
    struct Node {
        Box box;
        std::int32_t left, right;  // children; a leaf has its primitive in `right` and -1 in `left`
    };
    void bound_leaves(std::span<const Vec3> x, double near);
    std::int32_t build(std::size_t first, std::size_t last);
    void sort_halves(std::size_t first, std::size_t last);
    void refit();
    void search(std::int32_t a, Found& found);

    const Surface& m_surface;
    bool m_rebuild;
    std::vector<Box> m_boxes;  // of the primitives
    std::vector<std::int32_t> m_order, m_stack;
    std::vector<Node> m_nodes;  // parents before children
    std::vector<PrimitivePair> m_hits;
};

}  // namespace plica::experiments
