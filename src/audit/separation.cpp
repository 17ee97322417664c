#include "audit/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plica::audit {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Every case below measures between two points that do lie on the two shapes, so a badly conditioned case can only
// come out too long, and the smallest of the cases is right.

inline double squared_point_edge(const Vec3& x, const Edge& e) {
    const Vec3 along = e.b - e.a;
    const double length2 = squared_norm(along);
    if (length2 <= 0.0) return squared_norm(x - e.a);
    const double s = dot(x - e.a, along) / length2;
    if (s <= 0.0) return squared_norm(x - e.a);
    if (s >= 1.0) return squared_norm(x - e.b);
    return squared_norm(x - (e.a + s * along));
}

// Between the feet of the common perpendicular of the two lines, where both lie on the edges.
double squared_inner(const Edge& e, const Edge& f) {
    const Vec3 u = e.b - e.a, v = f.b - f.a, w = f.a - e.a;
    const Vec3 n = cross(u, v);
    const double n2 = squared_norm(n);
    if (!(n2 > 0.0)) return infinite;
    const double s = dot(cross(w, v), n) / n2, t = dot(cross(w, u), n) / n2;
    if (!(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)) return infinite;
    return squared_norm(w + t * v - s * u);
}

double squared_edge_edge(const Edge& e, const Edge& f) {
    const double ends = std::min(std::min(squared_point_edge(e.a, f), squared_point_edge(e.b, f)),
                                 std::min(squared_point_edge(f.a, e), squared_point_edge(f.b, e)));
    return std::min(ends, squared_inner(e, f));
}

// Between x and its foot on the plane, where the foot lies in the face.
double squared_point_plane(const Vec3& x, const Face& f, const Vec3& n, double n2) {
    if (!(n2 > 0.0)) return infinite;
    const Vec3 w = x - f.a;
    const double beta = dot(cross(w, f.c - f.a), n) / n2, gamma = dot(cross(f.b - f.a, w), n) / n2;
    if (!(beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0)) return infinite;
    return squared_norm(w - beta * (f.b - f.a) - gamma * (f.c - f.a));
}

// The ends lie on two sides of the plane, and the three edges wind around the line in one sense.
bool pierces(const Edge& e, const Face& f, const Vec3& n) {
    const double above_a = dot(e.a - f.a, n), above_b = dot(e.b - f.a, n);
    if ((above_a > 0.0 && above_b > 0.0) || (above_a < 0.0 && above_b < 0.0) || above_a == above_b) return false;
    const Vec3 along = e.b - e.a, a = f.a - e.a, b = f.b - e.a, c = f.c - e.a;
    const double ab = dot(along, cross(a, b)), bc = dot(along, cross(b, c)), ca = dot(along, cross(c, a));
    return (ab > 0.0 && bc > 0.0 && ca > 0.0) || (ab < 0.0 && bc < 0.0 && ca < 0.0);
}

}  // namespace

double separation(const Vec3& x, const Edge& e) {
    return std::sqrt(squared_point_edge(x, e));
}

double separation(const Edge& e, const Edge& f) {
    return std::sqrt(squared_edge_edge(e, f));
}

double separation(const Vec3& x, const Face& f) {
    const Vec3 n = cross(f.b - f.a, f.c - f.a);
    double least = squared_point_plane(x, f, n, squared_norm(n));
    for (const Edge& side : {Edge{f.a, f.b}, Edge{f.b, f.c}, Edge{f.c, f.a}})
        least = std::min(least, squared_point_edge(x, side));
    return std::sqrt(least);
}

double separation(const Edge& e, const Face& f) {
    const Vec3 n = cross(f.b - f.a, f.c - f.a);
    const double n2 = squared_norm(n);
    if (pierces(e, f, n)) return 0.0;
    double least = std::min(squared_point_plane(e.a, f, n, n2), squared_point_plane(e.b, f, n, n2));
    for (const Vec3& corner : {f.a, f.b, f.c}) least = std::min(least, squared_point_edge(corner, e));
    for (const Edge& side : {Edge{f.a, f.b}, Edge{f.b, f.c}, Edge{f.c, f.a}}) {
        least = std::min(least, squared_inner(e, side));
        least = std::min(least, std::min(squared_point_edge(e.a, side), squared_point_edge(e.b, side)));
    }
    return std::sqrt(least);
}

}  // namespace plica::audit
