#pragma once
#include "geometry/vec3.hpp"

// Static distances of the audit: written apart from the detector's, by enumeration of cases instead of clamping.
namespace plica::audit {

struct Edge {
    Vec3 a, b;  // may coincide
};
struct Face {
    Vec3 a, b, c;  // may be degenerate
};

double separation(const Vec3& x, const Edge& e);
double separation(const Edge& e, const Edge& f);
double separation(const Vec3& x, const Face& f);
double separation(const Edge& e, const Face& f);  // 0 where the edge pierces the face

}  // namespace plica::audit
