#pragma once
#include <algorithm>
#include <cmath>

#include "geometry/closest.hpp"

// When two shapes whose corners move on straight lines come close: conservative advancement. The distance of two convex
// shapes changes no faster than they move against each other, so that a share of it may be travelled unseen. Unlike the
// cubic of coplanarity, it has no degenerate cases: coplanar and parallel edges are pairs like others.
namespace plica {

// A share of the way that is beyond its end.
inline constexpr double never_met = 2.0;

// How to walk.
struct Walk {
    double speed;  // m per way: how far the shapes can move against each other at most
    double keep;   // m: the distance they are meant to keep
    double stop;   // m more than that: what is this near has met
    double share;  // of the free distance that is walked at once
    int looks;     // distances measured at most; a pair that needs more has met where they end
};

// The share of the way after which distance_at(share) is at most keep + stop; never_met when it stays larger. `first`
// is the distance at the start.
template <class DistanceAt>
double walk_until_met(const Walk& walk, double first, DistanceAt&& distance_at) {
    double t = 0.0;
    double clearance = first - walk.keep;
    for (int k = 0; k < walk.looks; ++k) {
        if (k > 0) clearance = distance_at(t) - walk.keep;
        if (!(clearance > walk.stop)) return t;
        t += walk.share * clearance / walk.speed;
        if (!(t < 1.0)) return never_met;
    }
    return t;
}

// What a pair of moving features is asked.
struct MeetingQuery {
    double keep = 0.0;        // m
    double near = 1e-6;       // m, more than 0: nearer to `keep` than this has met, or there would be no end
    double tolerance = 0.05;  // of the first distance: what comes this near has met. Less is sharper, and slower
};

struct Meeting {
    double time = never_met;  // share of the way; a pair that never meets has never_met
    int looks = 0;            // distances measured

    [[nodiscard]] bool met() const { return time <= 1.0; }
};

namespace detail {

// m: of two segments. Where closest_segment_segment() takes nearly parallel ones for parallel, by up to 1.6e-5 of their
// length too far away, the crossing is looked for as well.
inline double segment_distance(const Vec3& p1, const Vec3& p2, const Vec3& q1, const Vec3& q2) {
    double squared = closest_segment_segment(p1, p2, q1, q2).squared_distance;
    const Vec3 d1 = p2 - p1, d2 = q2 - q1, r = p1 - q1;
    const double a = squared_norm(d1), e = squared_norm(d2), b = dot(d1, d2), c = dot(d1, r), f = dot(d2, r);
    const double den = squared_norm(cross(d1, d2));
    if (den > 0.0 && den <= 2.0 * parallel_segments * a * e) {
        const double t = clamp01((b * clamp01((b * f - c * e) / den) + f) / e);
        const double s = clamp01((b * t - c) / a);
        squared = std::min(squared, squared_norm(r + d1 * s - d2 * t));
    }
    return std::sqrt(squared);
}

// Of the first `First` nodes against the others.
template <int First, class Distance>
Meeting find_meeting(const Vec3 (&x)[4], const Vec3 (&p)[4], const MeetingQuery& query, Distance&& distance) {
    Vec3 mean;
    for (int k = 0; k < 4; ++k) mean += (p[k] - x[k]) * 0.25;
    double speed[2] = {0.0, 0.0};
    for (int k = 0; k < 4; ++k) {
        double& most = speed[k < First ? 0 : 1];
        most = std::max(most, norm(p[k] - x[k] - mean));
    }
    const double first = distance(x);
    Meeting meeting{never_met, 1};
    const double clearance = first - query.keep;
    if (!(clearance > query.near)) return {0.0, 1};  // not numbers have met as well
    const double stop = std::max(query.tolerance * clearance, query.near);
    if (speed[0] + speed[1] < clearance - stop) return meeting;
    const Walk walk{speed[0] + speed[1], query.keep, stop, 0.9, 64};
    meeting.time = walk_until_met(walk, first, [&](double t) {
        Vec3 now[4];
        for (int k = 0; k < 4; ++k) now[k] = x[k] + (p[k] - x[k]) * t;
        ++meeting.looks;
        return distance(now);
    });
    return meeting;
}

}  // namespace detail

// Edge x[0] x[1] and edge x[2] x[3] on their way from x to p. Never missed when they come as near as query.keep; met
// too early, or although they pass, when they come within query.tolerance of their first distance.
inline Meeting find_edge_meeting(const Vec3 (&x)[4], const Vec3 (&p)[4], const MeetingQuery& query = {}) {
    return detail::find_meeting<2>(
        x, p, query, [](const Vec3(&at)[4]) { return detail::segment_distance(at[0], at[1], at[2], at[3]); });
}

// Point x[0] and triangle x[1] x[2] x[3], the same.
inline Meeting find_vertex_meeting(const Vec3 (&x)[4], const Vec3 (&p)[4], const MeetingQuery& query = {}) {
    return detail::find_meeting<1>(x, p, query, [](const Vec3(&at)[4]) {
        return std::sqrt(closest_segment_triangle(at[0], at[0], at[1], at[2], at[3]).squared_distance);
    });
}

}  // namespace plica
