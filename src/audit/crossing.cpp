#include "audit/crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "audit/separation.hpp"

namespace plica::audit {
namespace {

constexpr double volume_tolerance = 1e-13;  // of the largest extent cubed: above the rounding of the cubic
constexpr double gap_tolerance = 1e-7;      // of the longest edge: the shapes meet
constexpr double box_tolerance = 1e-6;      // of the box: more than the gap
constexpr int most_gaps = 1 << 14;          // evaluations; a meeting that they cannot exclude counts

struct Motion {
    Vec3 start, change;
    [[nodiscard]] Vec3 at(double t) const { return start + t * change; }
};

// From p to q. The difference at both ends first: exact to the last bit of the difference, not of the positions.
Motion relative(const Path& p, const Path& q) {
    const Vec3 start = q.from - p.from;
    return {start, (q.to - p.to) - start};
}

struct Cubic {
    double c0, c1, c2, c3;
    double operator()(double t) const { return c0 + t * (c1 + t * (c2 + t * c3)); }
};

// The volume (u x v) . w over time; zero where the four corners are in one plane.
Cubic volume_of(const Motion& u, const Motion& v, const Motion& w) {
    const Vec3 n0 = cross(u.start, v.start), n2 = cross(u.change, v.change);
    const Vec3 n1 = cross(u.change, v.start) + cross(u.start, v.change);
    return {dot(n0, w.start), dot(n1, w.start) + dot(n0, w.change), dot(n2, w.start) + dot(n1, w.change),
            dot(n2, w.change)};
}

struct Window {
    double lo, hi;
};

struct Windows {
    std::array<Window, 3> items{};
    int count = 0;
    void add(Window w) {
        if (count > 0 && items[static_cast<std::size_t>(count - 1)].hi >= w.lo)
            items[static_cast<std::size_t>(count - 1)].hi = w.hi;
        else
            items[static_cast<std::size_t>(count++)] = w;
    }
};

// Where the monotone cubic leaves `level`: a time on the side of `outside`, next to the passage.
double passage(const Cubic& f, double level, double outside, double inside) {
    const bool below = f(outside) < level;
    for (int i = 0; i < 64; ++i) {
        const double middle = 0.5 * (outside + inside);
        if (middle == outside || middle == inside) break;
        ((f(middle) < level) == below ? outside : inside) = middle;
    }
    return outside;
}

// Adds the part of the monotone piece in which |f| is not more than the limit.
void add_window(const Cubic& f, double limit, Window piece, Windows& found) {
    const double at_lo = f(piece.lo), at_hi = f(piece.hi);
    if ((at_lo > limit && at_hi > limit) || (at_lo < -limit && at_hi < -limit)) return;
    Window window = piece;
    if (std::abs(at_lo) > limit) window.lo = passage(f, std::copysign(limit, at_lo), piece.lo, piece.hi);
    if (std::abs(at_hi) > limit) window.hi = passage(f, std::copysign(limit, at_hi), piece.hi, piece.lo);
    found.add(window);
}

// All times in [0, 1] at which the cubic is zero but for rounding: around simple roots, at extrema that touch zero, and
// everywhere where it vanishes identically. In order; pieces that adjoin are one.
Windows zeros(const Cubic& f, double limit) {
    std::array<double, 4> cuts{0.0, 1.0, 1.0, 1.0};
    std::size_t pieces = 1;
    const double a = 3.0 * f.c3, b = 2.0 * f.c2, c = f.c1, discriminant = b * b - 4.0 * a * c;
    if (discriminant >= 0.0) {
        const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
        double first = a != 0.0 ? q / a : -1.0, second = q != 0.0 ? c / q : -1.0;
        if (first > second) std::swap(first, second);
        if (first > 0.0 && first < 1.0) cuts[pieces++] = first;
        if (second > 0.0 && second < 1.0) cuts[pieces++] = second;
        cuts[pieces] = 1.0;
    }
    Windows found;
    for (std::size_t i = 0; i < pieces; ++i) add_window(f, limit, {cuts[i], cuts[i + 1]}, found);
    return found;
}

// Do the shapes meet within the window? The gap changes by at most `speed` per unit of time, so a gap excludes the
// times around it; the rest is halved until the gap is too small to matter.
template <class Gap>
bool closes(const Gap& gap, double meet, double speed, Window w, int& budget) {
    const double middle = 0.5 * (w.lo + w.hi), swing = 0.5 * (w.hi - w.lo) * speed;
    const double now = gap(middle);
    if (now <= meet) return true;
    if (now > meet + swing) return false;
    if (swing <= meet || --budget <= 0) return true;
    return closes(gap, meet, speed, {w.lo, middle}, budget) || closes(gap, meet, speed, {middle, w.hi}, budget);
}

struct Size {
    double longest;  // of the two edges that span the volume
    double extent;   // of all three
};

Size size_of(const Vec3& u, const Vec3& v, const Vec3& w) {
    const double longest = std::max(norm(u), norm(v));
    return {longest, std::max(longest, norm(w))};
}

template <class Gap>
bool meets(const Motion& u, const Motion& v, const Motion& w, double speed, const Gap& gap) {
    const Size start = size_of(u.start, v.start, w.start), end = size_of(u.at(1.0), v.at(1.0), w.at(1.0));
    const double meet = gap_tolerance * std::max(start.longest, end.longest);
    if (!(meet > 0.0)) return false;  // points
    const auto cube = [](double x) { return x * x * x; };
    const Cubic volume = volume_of(u, v, w);
    const Windows windows = zeros(volume, volume_tolerance * cube(std::max(start.extent, end.extent)));
    for (int i = 0; i < windows.count; ++i) {
        const Window window = windows.items[static_cast<std::size_t>(i)];
        // The state at time 0 alone decides, more strictly than the same state as the end of the substep before: what
        // is left out here has been counted there.
        if (window.lo <= 0.0 && std::abs(volume.c0) <= 0.5 * volume_tolerance * cube(start.extent) &&
            gap(0.0) <= gap_tolerance * start.longest)
            continue;
        int budget = most_gaps;
        if (closes(gap, meet, speed, window, budget)) return true;
    }
    return false;
}

// The box that a few moving corners sweep.
struct Sweep {
    Vec3 lo, hi;
    explicit Sweep(const Path& p) : lo(p.from), hi(p.from) { take(p.to); }
    Sweep(const Path& p, const Path& q) : Sweep(p) { take(q); }
    Sweep(const Path& p, const Path& q, const Path& r) : Sweep(p, q) { take(r); }
    void take(const Vec3& x) {
        lo = {std::min(lo.x, x.x), std::min(lo.y, x.y), std::min(lo.z, x.z)};
        hi = {std::max(hi.x, x.x), std::max(hi.y, x.y), std::max(hi.z, x.z)};
    }
    void take(const Path& p) {
        take(p.from);
        take(p.to);
    }
    [[nodiscard]] double extent() const { return std::max({hi.x - lo.x, hi.y - lo.y, hi.z - lo.z}); }
};

bool apart(const Sweep& a, const Sweep& b) {
    const double pad = box_tolerance * std::max(a.extent(), b.extent());
    return a.lo.x > b.hi.x + pad || b.lo.x > a.hi.x + pad || a.lo.y > b.hi.y + pad || b.lo.y > a.hi.y + pad ||
           a.lo.z > b.hi.z + pad || b.lo.z > a.hi.z + pad;
}

double relative_speed(const Path& p, const Path& q) {
    return norm(relative(p, q).change);
}

}  // namespace

bool edges_cross(const Path& p0, const Path& p1, const Path& q0, const Path& q1) {
    if (apart(Sweep(p0, p1), Sweep(q0, q1))) return false;
    const double speed = std::max(std::max(relative_speed(p0, q0), relative_speed(p0, q1)),
                                  std::max(relative_speed(p1, q0), relative_speed(p1, q1)));
    // As seen from p0: the gap keeps its last bits wherever the origin is.
    const Motion u = relative(p0, p1), w = relative(p0, q0), far = relative(p0, q1);
    const auto gap = [&](double t) { return separation(Edge{Vec3{}, u.at(t)}, Edge{w.at(t), far.at(t)}); };
    return meets(u, relative(q0, q1), w, speed, gap);
}

bool point_crosses_face(const Path& x, const Path& a, const Path& b, const Path& c) {
    if (apart(Sweep(x), Sweep(a, b, c))) return false;
    const double speed = std::max({relative_speed(x, a), relative_speed(x, b), relative_speed(x, c)});
    const Motion u = relative(a, b), v = relative(a, c), w = relative(a, x);
    const auto gap = [&](double t) { return separation(w.at(t), Face{Vec3{}, u.at(t), v.at(t)}); };
    return meets(u, v, w, speed, gap);
}

bool edge_crosses_face(const Path& p0, const Path& p1, const Path& a, const Path& b, const Path& c) {
    if (apart(Sweep(p0, p1), Sweep(a, b, c))) return false;
    return point_crosses_face(p0, a, b, c) || point_crosses_face(p1, a, b, c) || edges_cross(p0, p1, a, b) ||
           edges_cross(p0, p1, b, c) || edges_cross(p0, p1, c, a);
}

}  // namespace plica::audit
