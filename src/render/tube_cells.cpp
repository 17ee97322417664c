#include "render/tube_cells.hpp"

#include <algorithm>
#include <cmath>

#include "render/curvature.hpp"
#include "render/moving_frame.hpp"
#include "render/skin.hpp"

namespace plica::render {
namespace {

constexpr double no_turn = 1e-5;         // rad, less than what a cell's limit is lowered by
constexpr float shortest_half = 1e-12F;  // m, of a cell that only turns
constexpr Vec3 no_direction{0, 0, 1};    // of a tube whose nodes all coincide

// A segment with what all its cells need.
struct Segment {
    Cubic cubic;
    SpeedSquared speed2;
    double negligible;  // m^2
    explicit Segment(const Cubic& c) : cubic(c), speed2(c), negligible(negligible_speed2(c)) {}

    [[nodiscard]] bool stands(const Vec3& derivative) const { return !(squared_norm(derivative) > negligible); }
    // Of the derivative at one end of an interval, from within; zero when the curve stands still in all of it.
    [[nodiscard]] Vec3 direction(double end, double other) const {
        for (const Vec3& v : {cubic.first(end), cubic.between(end, other), cubic.first(other)}) {
            if (!stands(v) && is_finite(v)) return normalized(v);
        }
        return {};
    }
};

void copy(const Vec3& from, float* to) {
    to[0] = static_cast<float>(from.x);
    to[1] = static_cast<float>(from.y);
    to[2] = static_cast<float>(from.z);
}

Vec3 widened(const float* v) {
    return {v[0], v[1], v[2]};
}

constexpr double tightest = 1e6;  // 1/m, where a cell turns without length

// 1/m, towards the line about which the axis turns from one frame to the next.
Vec3 bend_between(const AxisFrame& a, const AxisFrame& b) {
    const Vec3 turned = widened(b.tangent) - widened(a.tangent);  // 2 sin(turn / 2) long
    const double turn = norm(turned);
    if (!(turn > 1e-6)) return {};  // what floats can tell
    const double way = distance(widened(a.position), widened(b.position));
    return turned * (std::min(tightest, turn / std::max(way, 1e-12)) / turn);
}

double inner_radius(const AxisFrame& frame) {
    const double bend = norm(widened(frame.bend));
    return bend > 0.0 ? flattened(frame.radius, bend) : static_cast<double>(frame.radius);
}

// The largest L with which no line along the skin turns back between two frames: along m, halfway between both
// tangents, dv/dz.m = -w' g + (1 + w') L cos(turn/2) with -2 <= w' <= 0 and g the way from ring to ring on the inner
// side, m. Half the arc, the length that keeps the axis in place, is beyond it in bends tighter than 4/3 of the radius.
double largest_half(const AxisFrame& a, const AxisFrame& b) {
    const Vec3 ta = widened(a.tangent), tb = widened(b.tangent);
    const double cos_turn = std::min(dot(ta, tb), 1.0);
    const double cos2_half = 0.5 * (1.0 + cos_turn);
    if (!(cos2_half > 1e-6)) return 0.0;
    const double sin_turn = std::sqrt(std::max(0.0, 1.0 - cos_turn * cos_turn));
    const double inner = inner_radius(a) + inner_radius(b);
    return (dot(widened(b.position) - widened(a.position), ta + tb) - inner * sin_turn) / cos2_half;
}

// Tells each frame of a tube how tightly the axis bends there, by which the skin is pressed flat, and shortens L where
// that is not enough.
void press_bends(std::span<AxisFrame> tube) {
    Vec3 before{};
    for (std::size_t j = 0; j + 1 < tube.size(); ++j) {
        const Vec3 after = bend_between(tube[j], tube[j + 1]);
        Vec3 bend = squared_norm(before) > squared_norm(after) ? before : after;
        before = after;
        if (j == 0) continue;
        const double tightness = norm(bend);
        const Vec3 tangent = widened(tube[j].tangent);
        bend = normalized(bend - dot(bend, tangent) * tangent) * tightness;  // in the plane of the ring
        copy(bend, tube[j].bend);
    }
    for (std::size_t j = 0; j + 1 < tube.size(); ++j) {
        const auto most = static_cast<float>(largest_half(tube[j], tube[j + 1]));
        tube[j].half_length = std::max(std::min(tube[j].half_length, most), shortest_half);
    }
}

struct Shape {
    double largest_turn;  // rad, of a cell that only turns
    bool half_arc;        // L is half the arc, however tight the bend, and the wall is not pressed flat
};

// Walks along one tube after the other and leaves a frame at each end of a cell.
class Walker {
public:
    Walker(const Shape& shape, std::vector<AxisFrame>& frames) : m_shape(shape), m_frames(frames) {}

    void start(const Vec3& position, const Vec3& tangent, double radius) {
        m_now = {position, tangent, compute_start_normal(tangent)};
        m_radius = radius;
        m_along = 0.0;
        m_moves = false;
        add();
    }

    // Over one interval of a segment; `meets`: it begins where the one before ended.
    void walk(const Segment& segment, const Interval& interval, double radius, bool meets) {
        const Cubic& cubic = segment.cubic;
        if (!(meets && m_moves)) turn(segment.direction(interval.from, interval.to));
        const Vec3 end = cubic.first(interval.to);
        const double speed2 = squared_norm(end);
        m_moves = speed2 > segment.negligible && std::isfinite(speed2);
        Vec3 tangent = m_moves ? end / std::sqrt(speed2) : segment.direction(interval.to, interval.from);
        if (tangent == Vec3{}) tangent = m_now.tangent;
        const double arc = arc_length(segment.speed2, interval.from, interval.to);
        step(move_to(m_now, cubic.value(interval.to), tangent), radius, arc);
    }

private:
    // Cells without length at a cusp: the tangent goes round on a great circle.
    void turn(const Vec3& tangent) {
        if (tangent == Vec3{}) return;
        const MovingFrame from = m_now;
        const double cosine = dot(from.tangent, tangent);
        const Vec3 across = tangent - cosine * from.tangent;
        const double sine = norm(across);
        const double angle = std::atan2(sine, cosine);
        if (!(angle > no_turn)) return;
        const Vec3 towards = sine > 1e-9 ? across / sine : from.normal;
        const int cells = std::max(1, static_cast<int>(std::ceil(angle / m_shape.largest_turn)));
        for (int k = 1; k <= cells; ++k) {
            const double a = angle * k / cells;
            const Vec3 t = k < cells ? std::cos(a) * from.tangent + std::sin(a) * towards : tangent;
            step(turn_to(m_now, normalized(t)), m_radius, 0.0);
        }
    }

    void step(const MovingFrame& next, double radius, double arc) {
        m_frames.back().half_length = std::max(static_cast<float>(0.5 * arc), shortest_half);
        m_now = next;
        m_radius = radius;
        m_along += arc;
        add();
    }

    void add() {
        AxisFrame frame;
        copy(m_now.position, frame.position);
        copy(m_now.tangent, frame.tangent);
        copy(m_now.normal, frame.normal);
        frame.radius = static_cast<float>(m_radius);
        frame.half_length = 0.0F;
        frame.along = static_cast<float>(m_along);
        copy({}, frame.bend);
        frame.unused = 0.0F;
        m_frames.push_back(frame);
    }

    Shape m_shape;
    std::vector<AxisFrame>& m_frames;
    MovingFrame m_now;
    double m_radius = 0.0, m_along = 0.0;
    bool m_moves = false;  // the curve has a derivative here, which the next interval shares
};

// Of the first segment that has one.
Vec3 first_direction(const Spline& spline) {
    for (std::size_t i = 0; i < spline.segments(); ++i) {
        const Vec3 d = Segment(spline.segment(i)).direction(0.0, 1.0);
        if (d != Vec3{}) return d;
    }
    return no_direction;
}

// `cut(spline, i, cubic)` gives the intervals of a segment.
template <class Cut>
void walk_tubes(std::span<const Tube> tubes, std::span<const Vec3> positions, const Shape& shape, const Cut& cut,
                std::vector<AxisFrame>& frames) {
    frames.clear();
    Walker walker(shape, frames);
    for (const Tube& tube : tubes) {
        if (tube.nodes.empty()) continue;
        const std::size_t first = frames.size();
        const Spline spline(tube.nodes, positions);
        walker.start(spline.point(0), first_direction(spline), tube.radius[0]);
        for (std::size_t i = 0; i < spline.segments(); ++i) {
            const Segment segment(spline.segment(i));
            // The segment before has the same derivative at the node.
            double reached = segment.stands(segment.cubic.q0) ? -1.0 : 0.0;
            for (const Interval& interval : cut(spline, i, segment.cubic)) {
                const double r = tube.radius[i] + interval.to * (tube.radius[i + 1] - tube.radius[i]);
                walker.walk(segment, interval, r, interval.from == reached);
                reached = interval.to;
            }
        }
        if (!shape.half_arc) press_bends(std::span(frames).subspan(first));
    }
}

}  // namespace

void find_axis_frames(std::span<const Tube> tubes, std::span<const Vec3> positions, double largest_turn,
                      std::vector<AxisFrame>& frames) {
    // Room for what is lost in rounding to floats and in jumps too small to be turned.
    TurnCutter cutter(largest_turn - 3.0 * no_turn);
    const auto cut = [&](const Spline&, std::size_t, const Cubic& cubic) { return cutter.cut(cubic); };
    walk_tubes(tubes, positions, {cutter.limit(), false}, cut, frames);
}

void find_axis_frames_adaptive(std::span<const Tube> tubes, std::span<const Vec3> positions, double eps,
                               std::vector<AxisFrame>& frames) {
    std::array<Interval, 3> intervals;
    const auto cut = [&](const Spline& spline, std::size_t i, const Cubic& cubic) {
        const auto k = static_cast<std::ptrdiff_t>(i);
        const auto indicator = [&](std::ptrdiff_t n) {
            return bend_indicator(spline.point(n - 1), spline.point(n), spline.point(n + 1));
        };
        const int count = find_paper_intervals(cubic, indicator(k), indicator(k + 1), eps, intervals);
        return std::span<const Interval>(intervals).first(static_cast<std::size_t>(count));
    };
    walk_tubes(tubes, positions, {4.0, true}, cut, frames);
}

void find_axis_frames_even(std::span<const Tube> tubes, std::span<const Vec3> positions, int cells,
                           std::vector<AxisFrame>& frames) {
    std::vector<Interval> intervals;
    const int count = std::max(cells, 1);
    intervals.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
        intervals.push_back({static_cast<double>(k) / count, static_cast<double>(k + 1) / count});
    }
    const auto cut = [&](const Spline&, std::size_t, const Cubic&) { return std::span<const Interval>(intervals); };
    walk_tubes(tubes, positions, {4.0, true}, cut, frames);
}

}  // namespace plica::render
