#pragma once
#include "geometry/vec3.hpp"

// Continuous tests of the audit: shapes without thickness whose corners move linearly from time 0 to time 1. True where
// the shapes meet at a time in (0, 1]. Those that meet at time 0 already are not reported for that meeting, so that one
// crossing at the seam of two substeps counts once. Touching without passing (a tangential root) is reported.
namespace plica::audit {

struct Path {
    Vec3 from, to;
};

bool edges_cross(const Path& p0, const Path& p1, const Path& q0, const Path& q1);
bool point_crosses_face(const Path& x, const Path& a, const Path& b, const Path& c);
// The edge against the three sides of the face, and each of its ends against the face.
bool edge_crosses_face(const Path& p0, const Path& p1, const Path& a, const Path& b, const Path& c);

}  // namespace plica::audit
