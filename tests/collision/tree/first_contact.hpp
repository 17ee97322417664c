#pragma once
#include "tests/collision/tree/tree_scenes.hpp"

// When points, edges and triangles without thickness meet on straight ways, by brute force.
namespace plica::testing {

struct Meeting {
    double time = 2.0;  // of the way; > 1: never
    std::int32_t a = -1, b = -1;
};

struct Four {
    Vec3 x[4], p[4];

    [[nodiscard]] Vec3 at(int k, double t) const { return x[k] + (p[k] - x[k]) * t; }
    // Six times the volume of the four: zero when they lie in a plane.
    [[nodiscard]] double volume(double t) const {
        const Vec3 o = at(0, t);
        return dot(at(1, t) - o, cross(at(2, t) - o, at(3, t) - o));
    }
};

// Whether they touch at a time at which they lie in a plane: point and triangle, or two edges.
inline bool touch_at(const Four& f, double t, bool edges) {
    const Vec3 a = f.at(0, t), b = f.at(1, t), c = f.at(2, t), d = f.at(3, t);
    const double scale = std::max({squared_norm(b - a), squared_norm(c - a), squared_norm(d - a)});
    const double apart = edges ? closest_segment_segment(a, b, c, d).squared_distance
                               : closest_segment_triangle(a, a, b, c, d).squared_distance;
    return apart < 1e-12 * scale;
}

// Further apart than they can come together on the way.
inline bool stay_apart(const Four& f, bool edges) {
    const double apart = edges ? closest_segment_segment(f.x[0], f.x[1], f.x[2], f.x[3]).squared_distance
                               : closest_segment_triangle(f.x[0], f.x[0], f.x[1], f.x[2], f.x[3]).squared_distance;
    double most = 0.0;
    for (int i = 0; i < (edges ? 2 : 1); ++i) {
        for (int j = edges ? 2 : 1; j < 4; ++j) {
            most = std::max(most, squared_norm((f.p[i] - f.x[i]) - (f.p[j] - f.x[j])));
        }
    }
    return apart > 1.01 * most;
}

// The first time; the cubic's roots are looked for between sixteen times of the way.
inline double meet(const Four& f, bool edges) {
    constexpr int pieces = 16;
    double before = f.volume(0.0);
    for (int i = 1; i <= pieces; ++i) {
        double lo = (i - 1.0) / pieces, hi = static_cast<double>(i) / pieces;
        const double after = f.volume(hi);
        if ((before < 0.0) != (after < 0.0)) {
            for (int k = 0; k < 48; ++k) {
                const double middle = 0.5 * (lo + hi);
                ((f.volume(middle) < 0.0) == (before < 0.0) ? lo : hi) = middle;
            }
            if (touch_at(f, lo, edges)) return lo;
        }
        before = after;
    }
    return 2.0;
}

inline Meeting find_first_contact(const Surface& s, const std::vector<Vec3>& x, const std::vector<Vec3>& p) {
    Meeting first;
    const auto capsules = static_cast<std::int32_t>(s.capsules.size());
    for_each_near_pair(s, x, p, 0.0, [&](std::int32_t a, std::int32_t b) {
        const Capsule& c = s.capsules[static_cast<std::size_t>(a)];
        std::array<std::int32_t, 4> node{};
        if (b < capsules) {
            const Capsule& d = s.capsules[static_cast<std::size_t>(b)];
            node = {c.a, c.b, d.a, d.b};
        } else {
            const Triangle& d = s.triangles[static_cast<std::size_t>(b - capsules)];
            node = {c.a, d.a, d.b, d.c};
        }
        Four f;
        for (std::size_t k = 0; k < 4; ++k) {
            f.x[k] = x[static_cast<std::size_t>(node[k])];
            f.p[k] = p[static_cast<std::size_t>(node[k])];
        }
        if (stay_apart(f, b < capsules)) return;
        const double time = meet(f, b < capsules);
        if (time < first.time) first = {time, a, b};
    });
    return first;
}

}  // namespace plica::testing
