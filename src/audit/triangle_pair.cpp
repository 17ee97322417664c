#include "audit/triangle_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "audit/exact.hpp"

namespace plica::audit {
namespace {

constexpr double rounding = 0.5 * std::numeric_limits<double>::epsilon();
constexpr double least_product = 1e-150;  // below it underflow may count more than rounding

// Without the coordinate along the axis.
Point2 flatten(const Vec3& p, int axis) {
    return axis == 0 ? Point2{p.y, p.z} : (axis == 1 ? Point2{p.z, p.x} : Point2{p.x, p.y});
}

int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
    return orient2d(flatten(a, axis), flatten(b, axis), flatten(c, axis));
}

// An axis along which the three are not seen as one line; -1 where they are on one.
int open_axis(const Vec3& a, const Vec3& b, const Vec3& c) {
    for (int axis = 0; axis < 3; ++axis)
        if (turn(a, b, c, axis) != 0) return axis;
    return -1;
}

bool between(double a, double b, double x) {
    return std::min(a, b) <= x && x <= std::max(a, b);
}

// Of x, on the line a b: whether it is on the segment.
bool within(const Vec3& a, const Vec3& b, const Vec3& x) {
    return between(a.x, b.x, x.x) && between(a.y, b.y, x.y) && between(a.z, b.z, x.z);
}

// Four points of one plane, which is not seen edge-on along the axis.
bool flat_segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, int axis) {
    const int pqa = turn(p, q, a, axis), pqb = turn(p, q, b, axis);
    const int abp = turn(a, b, p, axis), abq = turn(a, b, q, axis);
    if (pqa * pqb < 0 && abp * abq < 0) return true;
    return (pqa == 0 && within(p, q, a)) || (pqb == 0 && within(p, q, b)) || (abp == 0 && within(a, b, p)) ||
           (abq == 0 && within(a, b, q));
}

bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
    if (orient3d(p, q, a, b) != 0) return false;
    int axis = open_axis(p, q, a);
    if (axis < 0) axis = open_axis(p, q, b);
    if (axis < 0) axis = open_axis(a, b, p);
    if (axis >= 0) return flat_segments_meet(p, q, a, b, axis);
    return within(p, q, a) || within(p, q, b) || within(a, b, p) || within(a, b, q);  // all on one line
}

bool meets_a_side(const Vec3& p, const Vec3& q, const Corners& t) {
    return segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) || segments_meet(p, q, t[2], t[0]);
}

bool agree(int a, int b, int c) {
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

bool holds(const Corners& t, const Vec3& x, int axis) {
    return agree(turn(t[0], t[1], x, axis), turn(t[1], t[2], x, axis), turn(t[2], t[0], x, axis));
}

// side_p, side_q: of the triangle's plane. Ends on one side of it do not meet it; ends that do not both lie in it make
// a line that runs through it in one point, within the triangle where its turns about the three sides agree; a
// triangle without area has no sides, and is its edges.
bool segment_meets(const Vec3& p, const Vec3& q, int side_p, int side_q, const Corners& t) {
    if (side_p * side_q > 0) return false;
    if (side_p != 0 || side_q != 0)
        return agree(orient3d(p, q, t[0], t[1]), orient3d(p, q, t[1], t[2]), orient3d(p, q, t[2], t[0]));
    const int axis = open_axis(t[0], t[1], t[2]);
    if (axis >= 0 && (holds(t, p, axis) || holds(t, q, axis))) return true;
    return meets_a_side(p, q, t);
}

std::array<int, 3> sides_of(const Corners& p, const Corners& plane) {
    return {orient3d(plane[0], plane[1], plane[2], p[0]), orient3d(plane[0], plane[1], plane[2], p[1]),
            orient3d(plane[0], plane[1], plane[2], p[2])};
}

bool is_beyond(const std::array<int, 3>& side) {
    return side[0] != 0 && side[0] == side[1] && side[0] == side[2];
}

bool a_side_meets(const Corners& p, const std::array<int, 3>& side, const Corners& t) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        if (segment_meets(p[i], p[j], side[i], side[j], t)) return true;
    }
    return false;
}

// direction . (x - from) as it comes out, and how far off that may be at most: each product has two factors (1 + e),
// |e| <= u, and up to two more from the sum, so below 5 u times the sum of magnitudes; the rest is for the sums that
// follow.
struct Reach {
    double value, error;
    [[nodiscard]] double least() const { return value - error; }
    [[nodiscard]] double most() const { return value + error; }
};

Reach reach(const Vec3& direction, const Vec3& from, const Vec3& x) {
    const Vec3 d = x - from;
    const double a = direction.x * d.x, b = direction.y * d.y, c = direction.z * d.z;
    return {a + b + c, 8.0 * rounding * (std::abs(a) + std::abs(b) + std::abs(c)) + least_product};
}

// A quick answer for most: all of q ahead of all of p, seen along the line between their middles. Any direction would
// prove it, however it was rounded.
bool are_plainly_apart(const Corners& p, const Corners& q) {
    const Vec3 direction = (q[0] + q[1] + q[2]) - (p[0] + p[1] + p[2]);
    const Vec3& from = p[0];
    const double front = std::max({0.0, reach(direction, from, p[1]).most(), reach(direction, from, p[2]).most()});
    return reach(direction, from, q[0]).least() > front && reach(direction, from, q[1]).least() > front &&
           reach(direction, from, q[2]).least() > front;
}

// All of q ahead of the common corner and all of p behind it.
bool part_about_corner(const Corners& p, const Corners& q, const Vec3& direction) {
    const Vec3& v = p[0];
    return reach(direction, v, q[1]).least() > 0.0 && reach(direction, v, q[2]).least() > 0.0 &&
           reach(direction, v, p[1]).most() < 0.0 && reach(direction, v, p[2]).most() < 0.0;
}

// Seen along the line between the sides' middles, or for triangles of unlike sizes between the ways there.
bool are_plainly_beside(const Corners& p, const Corners& q) {
    if (part_about_corner(p, q, (q[1] + q[2]) - (p[1] + p[2]))) return true;
    const Vec3 to_p = (p[1] - p[0]) + (p[2] - p[0]), to_q = (q[1] - q[0]) + (q[2] - q[0]);
    return part_about_corner(p, q, norm(to_p) * to_q - norm(to_q) * to_p);
}

}  // namespace

// Where two triangles meet, an end of what they have in common is on a side of one of them.
bool triangles_meet(const Corners& p, const Corners& q) {
    if (are_plainly_apart(p, q)) return false;
    const std::array<int, 3> side_p = sides_of(p, q);
    if (is_beyond(side_p)) return false;
    const std::array<int, 3> side_q = sides_of(q, p);
    if (is_beyond(side_q)) return false;
    return a_side_meets(p, side_p, q) || a_side_meets(q, side_q, p);
}

// From the common corner through another common point one leaves one of the two first: across from the corner.
bool meet_beyond_corner(const Corners& p, const Corners& q) {
    if (are_plainly_beside(p, q)) return false;
    const int p1 = orient3d(q[0], q[1], q[2], p[1]), p2 = orient3d(q[0], q[1], q[2], p[2]);
    if (p1 * p2 > 0) return false;
    const int q1 = orient3d(p[0], p[1], p[2], q[1]), q2 = orient3d(p[0], p[1], p[2], q[2]);
    if (q1 * q2 > 0) return false;
    return segment_meets(p[1], p[2], p1, p2, q) || segment_meets(q[1], q[2], q1, q2, p);
}

// Flat on each other: in one plane, with both third corners on one side of the edge.
bool are_folded(const Vec3& v, const Vec3& w, const Vec3& a, const Vec3& b) {
    // Most pairs open by more than a right angle: the normals about the edge tell so, with eleven factors (1 + e).
    const Vec3 e = w - v, n = cross(e, a - v), m = cross(e, b - v);
    const auto terms = [](const Vec3& p, const Vec3& q) {  // of a component's magnitude in the product
        return Vec3{std::abs(p.y * q.z) + std::abs(p.z * q.y), std::abs(p.z * q.x) + std::abs(p.x * q.z),
                    std::abs(p.x * q.y) + std::abs(p.y * q.x)};
    };
    const double magnitude = dot(terms(e, a - v), terms(e, b - v));
    if (dot(n, m) < -16.0 * rounding * magnitude - least_product) return false;
    if (orient3d(v, w, a, b) != 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
        const int of_a = turn(v, w, a, axis), of_b = turn(v, w, b, axis);
        if (of_a != 0 && of_b != 0) return of_a == of_b;
    }
    return false;  // one of them has no area
}

}  // namespace plica::audit
