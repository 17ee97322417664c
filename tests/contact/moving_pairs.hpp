#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "audit/crossing.hpp"
#include "audit/separation.hpp"
#include "contact/certify.hpp"
#include "core/random.hpp"

// Primitives on their way from x to p, and what the audit's own geometry says of them: nothing here is the detector's
// or the response's.
namespace plica::testing {

inline Vec3 draw_vector(Random& random, double size = 1.0) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

inline int draw_below(Random& random, int count) {
    return static_cast<int>(random.uniform() * count);
}

struct Moving {
    Surface surface;
    std::vector<Vec3> x, p;
    CandidateList list;

    std::int32_t add_node(const Vec3& from, const Vec3& to) {
        x.push_back(from);
        p.push_back(to);
        return static_cast<std::int32_t>(x.size()) - 1;
    }
    void clear() {
        surface.capsules.clear();
        surface.triangles.clear();
        x.clear();
        p.clear();
    }
};

// The corners of a pair at a time on the straight way.
struct Corners {
    Vec3 at[5];
    int count;
};

inline Corners corners_at(const Moving& m, const Pair& pair, const std::vector<Vec3>& to, double t) {
    std::int32_t node[5];
    const Shape shape = nodes_of(m.surface, pair, node);
    const bool point = shape == Shape::point_triangle;  // a segment whose ends are one
    Corners c{{}, shape == Shape::segments ? 4 : 5};
    for (int k = 0; k < c.count; ++k) {
        const auto n = static_cast<std::size_t>(node[point && k > 0 ? k - 1 : k]);
        c.at[k] = m.x[n] + (to[n] - m.x[n]) * t;
    }
    return c;
}

inline double separation_of(const Corners& c) {
    const audit::Edge edge{c.at[0], c.at[1]};
    return c.count == 4 ? audit::separation(edge, audit::Edge{c.at[2], c.at[3]})
                        : audit::separation(edge, audit::Face{c.at[2], c.at[3], c.at[4]});
}

inline bool is_point(const Moving& m, const Pair& pair) {
    std::int32_t node[5];
    const Shape shape = nodes_of(m.surface, pair, node);
    if (shape == Shape::point_triangle) return true;
    return node[0] == node[1] || (shape == Shape::segments && node[2] == node[3]);
}

// Shapes without thickness meet on the way. (The audit's continuous test.)
inline bool crosses(const Moving& m, const Pair& pair, const std::vector<Vec3>& to) {
    const Corners from = corners_at(m, pair, to, 0.0), end = corners_at(m, pair, to, 1.0);
    const auto path = [&](int k) { return audit::Path{from.at[k], end.at[k]}; };
    return from.count == 4 ? audit::edges_cross(path(0), path(1), path(2), path(3))
                           : audit::edge_crosses_face(path(0), path(1), path(2), path(3), path(4));
}

// Fastest that a corner of one side moves against a corner of the other, in lengths per way.
inline double relative_speed(const Moving& m, const Pair& pair, const std::vector<Vec3>& to) {
    const Corners from = corners_at(m, pair, to, 0.0), end = corners_at(m, pair, to, 1.0);
    double most = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = 2; j < from.count; ++j) {
            most = std::max(most, norm((end.at[i] - from.at[i]) - (end.at[j] - from.at[j])));
        }
    }
    return most;
}

// True when the pair is further apart than `limit` all the way: halves the way until the speed bound decides.
inline bool stays_beyond(const Moving& m, const Pair& pair, const std::vector<Vec3>& to, double limit, double speed,
                         double lo = 0.0, double hi = 1.0) {
    const double middle = 0.5 * (lo + hi), swing = 0.5 * (hi - lo) * speed;
    const double now = separation_of(corners_at(m, pair, to, middle));
    if (now <= limit) return false;
    if (now > limit + swing || swing < 1e-9) return true;
    return stays_beyond(m, pair, to, limit, speed, lo, middle) && stays_beyond(m, pair, to, limit, speed, middle, hi);
}
inline bool stays_beyond(const Moving& m, const Pair& pair, const std::vector<Vec3>& to, double limit) {
    const double speed = relative_speed(m, pair, to);
    return separation_of(corners_at(m, pair, to, 0.0)) > limit + speed || stays_beyond(m, pair, to, limit, speed);
}

// Lists every pair that may touch, as if found when the nodes were at `built`.
inline void list_all(Moving& m, const std::vector<Vec3>& built) {
    m.list.pairs.clear();
    m.list.built = built;
    const auto capsules = static_cast<std::int32_t>(m.surface.capsules.size());
    const auto triangles = static_cast<std::int32_t>(m.surface.triangles.size());
    const std::vector<Vec3> here = m.x;
    m.x = built;
    const auto add = [&](std::int32_t a, std::int32_t b) {
        Pair pair;
        pair.a = a;
        pair.b = b;
        pair.gap_at_build = separation_of(corners_at(m, pair, m.x, 0.0)) - contact_radii(m.surface, pair);
        m.list.pairs.push_back(pair);
    };
    for (std::int32_t a = 0; a < capsules; ++a) {
        const auto i = static_cast<std::size_t>(a);
        for (std::int32_t b = a + 1; b < capsules; ++b) {
            if (capsules_can_touch(m.surface, i, static_cast<std::size_t>(b))) add(a, b);
        }
        for (std::int32_t t = 0; t < triangles; ++t) {
            if (can_touch(m.surface, i, static_cast<std::size_t>(t))) add(a, capsules + t);
        }
    }
    m.x = here;
}

inline int run_certify(const Moving& m, std::vector<Vec3>& p, CertifyScratch& scratch) {
    return certify(m.surface, m.list, least_margin(m.surface, m.list), m.x, p, scratch);
}

}  // namespace plica::testing
