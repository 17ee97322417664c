#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica {

// Where a line goes through a closed surface.
struct Crossing {
    double t;  // 0 at the start, 1 at the end
    int turn;  // +1: comes in, -1: goes out
};

// Boxes over the triangles of a surface, halved at the median: finds what a segment meets.
class TriangleTree {
public:
    explicit TriangleTree(SurfaceMesh surface);

    // Crossings of a segment with the surface, in order. A line that passes an edge between two triangles goes through
    // exactly one of them: both compute the side of their common edge with the same numbers.
    void find_crossings(const Vec3& from, const Vec3& to, std::vector<Crossing>& crossings) const;

    // The place in [0, 1] of the segment that is nearest to the surface, if that is within `reach`; else 0.5.
    [[nodiscard]] double find_nearest(const Vec3& from, const Vec3& to, double reach) const;

private:
    struct Box {
        Vec3 low, high;
    };
    struct Node {
        Box box;
        std::int32_t first, count;  // of m_order; an inner node has count 0, its children at this + 1 and at `first`
    };
    void build(std::int32_t begin, std::int32_t end);
    [[nodiscard]] Box box_of(std::int32_t triangle) const;
    template <class Visit>
    void visit_near(const Box& box, Visit&& visit) const;

    SurfaceMesh m_surface;
    std::vector<std::int32_t> m_order;
    std::vector<Node> m_nodes;
};

}  // namespace plica
