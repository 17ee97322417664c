#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "audit/triangle_pair.hpp"
#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

namespace plica::audit {

// The triangles of closed bodies, which belong to no chain: every pair, of two bodies or of one, that intersects or
// touches, exactly. Where there are any, those of sheets that contact knows by their parts against them as well; not
// against other sheets. Of two that share a node only what they have in common besides it counts: of two with an edge
// in common, whether they lie flat on each other.
class Solids {
public:
    Solids() = default;
    // The surface's indices must have been checked.
    explicit Solids(const Surface& surface);

    [[nodiscard]] bool empty() const { return m_triangles.empty(); }

    // Positions of all nodes. Gives primitive numbers (capsules first, then triangles), the smaller first, in rising
    // order. Allocates nothing once warm. Throws Error (invalid) where a position is not finite or beyond 1e90 m;
    // coordinates below 1e-90 m count as 0.
    std::span<const std::array<std::int32_t, 2>> find(const Vec3* positions);

private:
    using Nodes = std::array<std::size_t, 3>;  // by their places in m_points
    struct Neighbours {                        // two triangles that share nodes
        std::size_t i, j;
        Nodes p, q;  // the common ones first
        std::size_t common;
    };
    struct Box {
        std::array<double, 3> lo, hi;  // the axis of the sweep first, then that of the strips
        std::size_t triangle;
    };
    struct Start {  // of a box on the axis of the sweep
        double lo;
        std::size_t triangle;
    };
    struct Strips {  // of space, across the second axis: what a sweep in one of them meets
        double lo = 0.0, per_metre = 0.0;
        std::size_t count = 1;
        [[nodiscard]] std::size_t at(double x) const;
    };

    void list_neighbours();
    void add_neighbours(std::size_t i, std::size_t j);
    void take_points(const Vec3* positions);
    void sort_boxes();
    void lay_strips();
    void fill_strips();
    void sweep(std::size_t strip);
    [[nodiscard]] bool intersect(const Neighbours& n) const;
    void add_triangle(const Triangle& triangle, std::int32_t number, std::vector<std::size_t>& place);
    void add_pair(std::size_t i, std::size_t j);
    [[nodiscard]] bool are_open(std::size_t i, std::size_t j) const { return m_open[i] != 0 && m_open[j] != 0; }
    [[nodiscard]] Vec3 corner(std::size_t triangle, std::size_t k) const { return m_points[m_triangles[triangle][k]]; }
    [[nodiscard]] Corners corners(std::size_t triangle) const {
        return {corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)};
    }

    std::int32_t m_first = 0;             // number of the surface's first triangle
    std::vector<std::int32_t> m_numbers;  // per triangle: which one of the surface it is
    std::vector<std::uint8_t> m_open;     // per triangle: of a sheet
    std::vector<Nodes> m_triangles;
    std::vector<Neighbours> m_neighbours;
    std::vector<std::size_t> m_nodes;  // of the world: those that triangles use
    std::vector<Vec3> m_points;        // their positions
    std::vector<Start> m_starts;       // by rising lo; from one look to the next the order changes little
    std::vector<Box> m_boxes;          // in that order
    Strips m_strips;
    std::vector<std::size_t> m_strip_ends;  // in m_filed
    std::vector<Box> m_filed;               // by strips, and in each as above; a box is in all that it reaches
    std::vector<const Box*> m_near;         // boxes that overlap the one at hand
    std::vector<std::array<std::int32_t, 2>> m_pairs;
};

}  // namespace plica::audit
