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
constexpr std::size_t reserve = std::size_t{4} * deepest;

// An angle as a vector of the plane, of any length: x along, y across.
struct Angle {
    double x, y;
};

Angle turn_between(const Vec3& a, const Vec3& b) {
    return {dot(a, b), norm(cross(a, b))};
}

// Those between the control vectors. A derivative that vanishes at an end has its limit in the direction of the next
// control vector; when the middle one vanishes, the derivative goes straight between the others.
struct TwoAngles {
    Angle one{1.0, 0.0}, two{1.0, 0.0};
    TwoAngles(const Vec3& q0, const Vec3& q1, const Vec3& q2, double negligible) {
        const bool has0 = squared_norm(q0) > negligible, has2 = squared_norm(q2) > negligible;
        if (squared_norm(q1) > negligible) {
            if (has0) one = turn_between(q0, q1);
            if (has2) two = turn_between(q1, q2);
        } else if (has0 && has2) {
            one = turn_between(q0, q2);
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

// Bisects until no leaf turns beyond the limit.
void TurnCutter::find_leaves(const Control& c, const Interval& interval, int depth) {
    const double turned = bound_of(TwoAngles(c.q0, c.q1, c.q2, m_negligible));
    if (turned <= m_limit) {
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
    // A cusp just here: each side by itself may not turn at all.
    if (!(squared_norm(at_middle) > m_negligible)) m_leaf[m_leaves++] = {middle, -1.0};
    find_leaves({at_middle, right, c.q2}, {middle, interval.to}, depth + 1);
}

bool TurnCutter::add_cell(const Cubic& cubic, const Interval& cell) {
    m_interval[m_intervals++] = cell;
    return is_within({cubic.first(cell.from), cubic.between(cell.from, cell.to), cubic.first(cell.to)});
}

// Leaves first to last - 1 become `cells` of equal turning, as far as the leaves tell. False when one turns too far.
bool TurnCutter::add_equal(const Cubic& cubic, const Run& run, double cells) {
    const double end = m_leaf[run.last - 1].to;
    const double share = run.turned / cells;
    double turned = 0.0, begin = run.from, leaf_from = run.from;
    double next = 1.0;
    for (std::size_t i = run.first; i < run.last; ++i) {
        const Leaf& leaf = m_leaf[i];
        while (next < cells && turned + leaf.turned > next * share) {
            const double part = (next * share - turned) / leaf.turned;
            const double u = leaf_from + std::clamp(part, 0.0, 1.0) * (leaf.to - leaf_from);
            next += 1.0;
            if (!(u > begin && u < end)) continue;
            if (!add_cell(cubic, {begin, u})) return false;
            begin = u;
        }
        turned += leaf.turned;
        leaf_from = leaf.to;
    }
    return add_cell(cubic, {begin, end});
}

// One cell more than there need be, or else whole leaves, when turning is spread too unevenly in them: as many in a
// cell as turn within the limit together.
void TurnCutter::add_run(const Cubic& cubic, const Run& run) {
    if (run.first == run.last) return;
    const std::size_t before = m_intervals;
    const auto cells = static_cast<std::size_t>(std::max(1.0, std::ceil(run.turned / m_limit)));
    for (std::size_t n = cells; n <= cells + 1 && n < run.last - run.first; ++n) {
        if (add_equal(cubic, run, static_cast<double>(n))) return;
        m_intervals = before;
    }
    double from = run.from, turned = 0.0;
    for (std::size_t i = run.first; i < run.last; ++i) {
        turned += m_leaf[i].turned;
        if (i + 1 < run.last && turned + m_leaf[i + 1].turned <= m_limit) continue;
        m_interval[m_intervals++] = {from, m_leaf[i].to};
        from = m_leaf[i].to;
        turned = 0.0;
    }
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
    Run run{0, 0, 0.0, 0.0};
    for (; run.last < m_leaves; ++run.last) {
        const Leaf& leaf = m_leaf[run.last];
        if (leaf.turned >= 0.0) {
            run.turned += leaf.turned;
            continue;
        }
        add_run(cubic, run);
        run = {run.last + 1, run.last, leaf.to, 0.0};
    }
    add_run(cubic, run);
    return {m_interval.data(), m_intervals};
}

}  // namespace plica::render
