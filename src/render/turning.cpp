#include "render/turning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace plica::render {
namespace {

constexpr double smallest_limit = std::numbers::pi / 90.0, largest_limit = 0.5 * std::numbers::pi;
// Below this part of a segment a turn is taken for a cusp.
constexpr int deepest = 20;
// Kept free of leaves, for the way back from the deepest bisection.
constexpr std::size_t reserve = 2 * deepest;

// An angle as a vector of the plane, of any length: x along, y across.
struct Angle {
    double x, y;
};

Angle angle_between(const Vec3& a, const Vec3& b) {
    return {dot(a, b), norm(cross(a, b))};
}

// Those between the control vectors. A derivative that vanishes at an end has its limit in the direction of the next
// control vector; when the middle one vanishes, the derivative goes straight between the others.
struct TwoAngles {
    Angle one{1.0, 0.0}, two{1.0, 0.0};
    TwoAngles(const Vec3& q0, const Vec3& q1, const Vec3& q2, double negligible) {
        const bool has0 = squared_norm(q0) > negligible, has2 = squared_norm(q2) > negligible;
        if (squared_norm(q1) > negligible) {
            if (has0) one = angle_between(q0, q1);
            if (has2) two = angle_between(q1, q2);
        } else if (has0 && has2) {
            one = angle_between(q0, q2);
        }
    }
};

// At least the sum of both angles and close to it when they are small: tan x >= x. Infinite from a right angle on.
double bound_of(const TwoAngles& angles) {
    const auto tangent = [](const Angle& a) { return a.x > 0.0 ? a.y / a.x : std::numeric_limits<double>::infinity(); };
    return tangent(angles.one) + tangent(angles.two);
}

}  // namespace

double compute_turn_bound(const Cubic& cubic, const Interval& i) {
    const TwoAngles angles(cubic.first(i.from), cubic.between(i.from, i.to), cubic.first(i.to),
                           negligible_speed2(cubic));
    return std::atan2(angles.one.y, angles.one.x) + std::atan2(angles.two.y, angles.two.x);
}

TurnCutter::TurnCutter(double largest_turn)
    : m_limit(std::clamp(largest_turn, smallest_limit, largest_limit)),
      m_cos(std::cos(m_limit)),
      m_sin(std::sin(m_limit)) {}

// Both angles below a right one, and their sum, the angle of the product, within the limit.
bool TurnCutter::is_within(const Control& c) const {
    const TwoAngles angles(c.q0, c.q1, c.q2, m_negligible);
    const Angle &a = angles.one, &b = angles.two;
    if (!(a.x >= 0.0 && b.x >= 0.0)) return false;
    return (a.x * b.y + a.y * b.x) * m_cos <= (a.x * b.x - a.y * b.y) * m_sin;
}

// Bisects until each leaf turns by no more than half the limit.
void TurnCutter::find_leaves(const Control& c, const Interval& interval, int depth) {
    const double turned = bound_of(TwoAngles(c.q0, c.q1, c.q2, m_negligible));
    if (turned <= 0.5 * m_limit) {
        m_leaf[m_leaves++] = {interval.to, turned};
        return;
    }
    if (depth == deepest || m_leaves + reserve > most) {
        m_leaf[m_leaves++] = {interval.to, -1.0};
        return;
    }
    const double middle = 0.5 * (interval.from + interval.to);
    const Vec3 left = 0.5 * (c.q0 + c.q1), right = 0.5 * (c.q1 + c.q2);
    const Vec3 at_middle = 0.5 * (left + right);
    find_leaves({c.q0, left, at_middle}, {interval.from, middle}, depth + 1);
    find_leaves({at_middle, right, c.q2}, {middle, interval.to}, depth + 1);
}

// The bound of a cell that spans several leaves may be beyond the limit although the sum of theirs is not: it is then
// cut where they meet. A piece of a leaf turns no more than the leaf, whose polygon has it for a cut corner.
void TurnCutter::add_cell(const Cubic& cubic, const Interval& cell, std::size_t first) {
    double from = cell.from;
    if (!is_within({cubic.first(cell.from), cubic.between(cell.from, cell.to), cubic.first(cell.to)})) {
        for (std::size_t i = first; m_leaf[i].to < cell.to; ++i) {
            if (m_leaf[i].to <= from) continue;
            m_interval[m_intervals++] = {from, m_leaf[i].to};
            from = m_leaf[i].to;
        }
    }
    m_interval[m_intervals++] = {from, cell.to};
}

// Leaves first to last - 1, none of them a cusp, become cells of equal turning.
void TurnCutter::add_run(const Cubic& cubic, double from, std::size_t first, std::size_t last) {
    if (first == last) return;
    double total = 0.0;
    for (std::size_t i = first; i < last; ++i) total += m_leaf[i].turned;
    const double cells = std::max(1.0, std::ceil(total / m_limit));
    double turned = 0.0, begin = from, leaf_from = from;
    std::size_t begin_leaf = first;
    double next = 1.0;
    for (std::size_t i = first; i < last; ++i) {
        const Leaf& leaf = m_leaf[i];
        while (next < cells && turned + leaf.turned > next * total / cells) {
            const double part = (next * total / cells - turned) / leaf.turned;
            const double u = leaf_from + std::clamp(part, 0.0, 1.0) * (leaf.to - leaf_from);
            next += 1.0;
            if (!(u > begin && u < m_leaf[last - 1].to)) continue;
            add_cell(cubic, {begin, u}, begin_leaf);
            begin = u;
            begin_leaf = i;
        }
        turned += leaf.turned;
        leaf_from = leaf.to;
    }
    add_cell(cubic, {begin, m_leaf[last - 1].to}, begin_leaf);
}

std::span<const Interval> TurnCutter::cut(const Cubic& cubic) {
    m_intervals = 0;
    m_negligible = negligible_speed2(cubic);
    const Control whole{cubic.q0, cubic.q1, cubic.q2};
    const bool usable = is_finite(cubic.q0) && is_finite(cubic.q1) && is_finite(cubic.q2);
    if (!usable || is_within(whole)) {
        m_interval[m_intervals++] = {0.0, 1.0};
        return {m_interval.data(), m_intervals};
    }
    m_leaves = 0;
    find_leaves(whole, {0.0, 1.0}, 0);
    std::size_t first = 0;
    double from = 0.0;
    for (std::size_t i = 0; i < m_leaves; ++i) {
        if (m_leaf[i].turned >= 0.0) continue;
        add_run(cubic, from, first, i);
        from = m_leaf[i].to;
        first = i + 1;
    }
    add_run(cubic, from, first, m_leaves);
    return {m_interval.data(), m_intervals};
}

}  // namespace plica::render
