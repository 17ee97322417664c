#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

namespace plica::audit {

struct Box {
    std::array<double, 3> lo, hi;
};
double widest(const Box& box);
std::size_t longest_axis(const std::vector<Box>& boxes);

// What the nodes did in one step.
struct Moves {
    const Vec3* positions;  // (substeps + 1) x nodes
    std::size_t nodes;
    int substeps;
    std::span<const Box> boxes;      // per node: all places
    std::span<const double> motion;  // substeps x nodes: length of each move
    std::span<const double> travel;  // per node: their sum
    [[nodiscard]] const Vec3* frame(int i) const { return positions + static_cast<std::size_t>(i) * nodes; }
};

// Two parts of sheets: a corner and a triangle, or two edges.
struct SheetPair {
    std::array<std::int32_t, 2> triangles;  // one that each part belongs to, the smaller number first
    std::array<std::int32_t, 2> bodies;
};

struct SheetFindings {
    double worst = 0.0;  // depth / half the sum of the two half thicknesses
    SheetPair worst_pair{};
    std::vector<SheetPair> crossings;  // (pair, substep)
    std::vector<SheetPair> touching;   // at the end of the step
};

// Triangles against triangles, of the open sheets that touch themselves (those of a chain; closed bodies: solids.hpp):
// every corner against every triangle and every edge against every edge. Left out are
// - parts with a common node;
// - corners on a segment, and edges along one: the segment is examined;
// - two parts of one chain that were closer at rest than a U-turn of the sheet is long (pi times its half thickness).
class Sheets {
public:
    Sheets() = default;
    Sheets(const Surface& surface, std::span<const Vec3> rest);

    [[nodiscard]] bool empty() const { return m_faces.empty(); }

    // Allocates nothing once warm.
    const SheetFindings& examine(const Moves& moves);

private:
    struct Part {
        std::array<std::size_t, 3> nodes;  // the last one repeated where there are fewer
        double radius;
        std::int32_t body, chain, triangle;
    };
    struct Interval {  // a box on the sweep axis
        double lo, hi;
        std::size_t part;
    };
    enum class Kind { corner_face, edge_edge };

    void measure_boxes(const Moves& moves, const std::vector<Part>& parts, std::vector<Box>& boxes) const;
    void sort_intervals(const std::vector<Box>& boxes, std::size_t axis, std::vector<Interval>& intervals) const;
    void consider(const Moves& moves, Kind kind, std::size_t i, std::size_t j);
    void examine_pair(const Moves& moves, Kind kind, const Part& p, const Part& q);
    [[nodiscard]] bool is_left_out(Kind kind, const Part& p, const Part& q) const;
    [[nodiscard]] static double distance_of(Kind kind, const Part& p, const Part& q, const Vec3* x);
    [[nodiscard]] static bool crosses(Kind kind, const Part& p, const Part& q, const Vec3* from, const Vec3* to);

    std::vector<Vec3> m_rest;
    std::vector<Part> m_corners, m_edges, m_faces;
    std::vector<Box> m_corner_boxes, m_edge_boxes, m_face_boxes;
    std::vector<Interval> m_corner_intervals, m_edge_intervals, m_face_intervals;
    SheetFindings m_findings;
};

}  // namespace plica::audit
