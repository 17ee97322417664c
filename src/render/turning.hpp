#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "render/spline.hpp"

namespace plica::render {

// A piece of a segment, by its parameters.
struct Interval {
    double from, to;
};

// Turns are bounded without sampling. The derivative over an interval is a quadratic Bezier curve; a plane through the
// origin meets it no more often than its control polygon (variation diminishing), so by Crofton's formula its image on
// the sphere of directions, whose length is the turning of the tangent, is no longer than that of the polygon:
//     turning <= angle(q0, q1) + angle(q1, q2).

// rad, in [0, 2 pi].
double compute_turn_bound(const Cubic& cubic, const Interval& interval);

// Cuts segments into intervals within which the tangent turns by no more than a limit. Holds its own room.
class TurnCutter {
public:
    // Turns below 2 and beyond 90 degrees are taken for these.
    explicit TurnCutter(double largest_turn);

    // Intervals in order, of nearly equal turning. Where two do not meet the curve stands still and its tangent jumps:
    // a cusp, narrower than any curve that could be drawn.
    std::span<const Interval> cut(const Cubic& cubic);
    [[nodiscard]] double limit() const { return m_limit; }  // rad

private:
    static constexpr std::size_t most = 1024;  // leaves of a segment
    struct Control {
        Vec3 q0, q1, q2;
    };
    struct Leaf {
        double to;
        double turned;  // rad, bound; of a cusp negative
    };
    [[nodiscard]] bool is_within(const Control& c) const;
    void find_leaves(const Control& c, const Interval& interval, int depth);
    void add_run(const Cubic& cubic, double from, std::size_t first, std::size_t last);
    void add_cell(const Cubic& cubic, const Interval& cell, std::size_t first);

    double m_limit, m_cos, m_sin;
    double m_negligible = 0.0;  // m^2, of the segment
    std::size_t m_leaves = 0, m_intervals = 0;
    std::array<Leaf, most> m_leaf;
    // Leaves turn by half the limit or less, so cells are no more than half as many; a cell may be cut at each leaf.
    std::array<Interval, 2 * most> m_interval;
};

}  // namespace plica::render
