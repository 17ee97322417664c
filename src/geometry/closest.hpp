#pragma once
#include "geometry/vec3.hpp"

namespace plica {

// Closest points of two segments p1 p2 and q1 q2: (1-s) p1 + s p2 and (1-t) q1 + t q2, s and t in the closed [0, 1].
struct SegmentPair {
    double s, t;
    double squared_distance;
};

// Clamped two-parameter minimisation. Parallel segments answer with the middle of their overlap, so that (s, t) do not
// jump between its ends from step to step (a flicker torque). Zero-length segments are points.
SegmentPair closest_segment_segment(const Vec3& p1, const Vec3& p2, const Vec3& q1, const Vec3& q2) noexcept;

// Closest point of triangle a b c to p, as barycentric coordinates.
struct TrianglePoint {
    double u, v, w;  // weights of a, b, c
    double squared_distance;
};
TrianglePoint closest_point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) noexcept;

// Closest points of segment p1 p2 and triangle a b c. A pierced triangle has distance 0 at the piercing point.
struct SegmentTriangle {
    double s;
    double u, v, w;
    double squared_distance;
    bool pierced;
};
SegmentTriangle closest_segment_triangle(const Vec3& p1, const Vec3& p2, const Vec3& a, const Vec3& b,
                                         const Vec3& c) noexcept;

}  // namespace plica
