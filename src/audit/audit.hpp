#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "audit/neighbours.hpp"
#include "audit/primitive.hpp"
#include "audit/sheets.hpp"
#include "audit/solids.hpp"
#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

// Checks what the simulator claims about contact: how deep, how often passed through, how many touch. Shares no
// geometry with the detector: its own distances, continuous tests, neighbour rule and broad phase.
namespace plica::audit {

struct BodyPair {
    std::int32_t a, b;  // body indices, a <= b
    friend bool operator==(const BodyPair&, const BodyPair&) = default;
};

// One step (frame).
struct StepFindings {
    double worst = 0;  // deepest penetration at the ends of the substeps: depth / half the sum of the radii
    int worst_a = -1, worst_b = -1;  // primitive indices (capsules first, then triangles)
    int pass_throughs = 0;           // (pair, substep): axes and triangles, without thickness, that come to cross
    int touching = 0;                // pairs closer than 1.02 x the sum of their radii at the end of the step
    // Of closed bodies, looked at at every 20th substep and at the end of the step.
    int intersections = 0;                         // pairs of triangles that intersect or touch: the most at one look
    int intersection_a = -1, intersection_b = -1;  // the first of them there, as primitive indices
    BodyPair intersection_bodies{-1, -1};
    int looks = 0;
};

inline constexpr int substeps_per_look = 20;

class Audit {
public:
    // rest_positions: for the lengths along each chain, and the number of nodes. Neighbours along a chain, and
    // triangles that an exempt capsule overlaps at rest, are not examined; pairs of triangles only of sheets that touch
    // themselves (sheets.hpp), as their corners and edges, and of closed bodies (solids.hpp). Throws Error where an
    // index of the surface is out of range.
    Audit(const Surface& surface, std::span<const Vec3> rest_positions, int bodies);

    // trail: (moves + 1) x nodes positions, the start of the step first, then the end of every `interval` substeps, and
    // of the last one. Allocates nothing once warm. Throws Error: bad_input where the sizes disagree, invalid where a
    // position of the surface is not finite.
    const StepFindings& examine(std::span<const Vec3> trail, int moves, int interval = 1);

    // How many substeps apart it needs the positions: every one but where all there is to see are closed bodies.
    [[nodiscard]] int trail_interval() const;

    // Touching pairs of the last examined step between two bodies, or within one.
    [[nodiscard]] int touching(int body_a, int body_b) const;

    // The pairs of primitives, smaller number first (of two parts of sheets: a triangle of each), that the last
    // examined step counts as pass-throughs; in no order to rely on.
    [[nodiscard]] std::span<const std::array<std::int32_t, 2>> crossings() const { return m_crossings; }

    // The pairs of triangles behind StepFindings::intersections, smaller number first, in rising order.
    [[nodiscard]] std::span<const std::array<std::int32_t, 2>> intersections() const { return m_intersections; }

    // Whether a capsule and a primitive behind it are looked at: they are no neighbours and have no common node.
    [[nodiscard]] bool examines(std::int32_t capsule, std::int32_t other) const;

    // False: every pair is left out, and nothing would ever be found.
    [[nodiscard]] bool has_pairs() const;

private:
    struct Interval {  // a box on the sweep axis
        double lo, hi;
        std::int32_t primitive;
    };
    struct Trail {
        const Vec3* positions;
        std::size_t nodes;
        int substeps;
        [[nodiscard]] const Vec3* frame(int i) const { return positions + static_cast<std::size_t>(i) * nodes; }
    };

    void add_primitives(const Surface& surface);
    void check_indices() const;
    void list_nodes();
    [[nodiscard]] bool has_moving_pairs() const { return !m_capsules.empty() || !m_sheets.empty(); }
    void measure_nodes(const Trail& trail);
    void measure_boxes();
    void sort_intervals(std::size_t axis);
    void sweep(const Trail& trail);
    void examine_sheets(const Trail& trail);
    void examine_solids(const Trail& trail, int interval);
    void look_at_solids(const Vec3* positions);
    void sweep_from(const Trail& trail, const Interval& first, const std::vector<Interval>& others, std::size_t start);
    void consider(const Trail& trail, std::int32_t i, std::int32_t j);
    void examine_pair(const Trail& trail, std::int32_t i, std::int32_t j);
    void count_touching(const Primitive& p, const Primitive& q);
    [[nodiscard]] double motion(const std::vector<double>& of_nodes, std::size_t offset, const Primitive& p) const;

    std::size_t m_nodes;
    std::int32_t m_bodies;
    std::vector<Primitive> m_primitives;
    Neighbours m_neighbours;
    Sheets m_sheets;
    Solids m_solids;
    std::vector<std::size_t> m_used;  // nodes of primitives; a solid's inner ones are not
    std::vector<BodyPair> m_touching;
    std::vector<std::array<std::int32_t, 2>> m_crossings, m_intersections;
    StepFindings m_findings;

    std::vector<double> m_motion;  // substeps x nodes: length of each move
    std::vector<double> m_travel;  // nodes: the sum over the step
    std::vector<Box> m_node_boxes;
    std::vector<Box> m_boxes;  // of the primitives over the whole step, with their contact radii
    std::vector<Interval> m_capsules, m_triangles;
};

}  // namespace plica::audit
