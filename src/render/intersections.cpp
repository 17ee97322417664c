#include "render/intersections.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plica::render {
namespace {

__extension__ using Wide = __int128;

constexpr double steps = 536870912.0;  // 2^29 across the mesh: a product of three differences needs 93 bits

struct Point {
    std::int64_t x, y, z;
    friend Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    [[nodiscard]] std::int64_t along(int axis) const { return axis == 0 ? x : (axis == 1 ? y : z); }
};

Point cross(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

int sign(Wide v) {
    return v > 0 ? 1 : (v < 0 ? -1 : 0);
}

struct Face {
    Point p[3];
    Point normal;  // twice the area
    std::int64_t lo[3], hi[3];
    std::array<std::int32_t, 3> vertices;

    // On which side of the plane.
    [[nodiscard]] int side(const Point& q) const {
        const Point d = q - p[0];
        return sign(static_cast<Wide>(normal.x) * d.x + static_cast<Wide>(normal.y) * d.y +
                    static_cast<Wide>(normal.z) * d.z);
    }
    [[nodiscard]] bool shares_vertex(const Face& o) const {
        return std::any_of(vertices.begin(), vertices.end(), [&](std::int32_t v) {
            return v == o.vertices[0] || v == o.vertices[1] || v == o.vertices[2];
        });
    }
    [[nodiscard]] bool overlaps(const Face& o) const {
        for (int k = 0; k < 3; ++k) {
            if (lo[k] > o.hi[k] || o.lo[k] > hi[k]) return false;
        }
        return true;
    }
};

// Volume's sign of the tetrahedron a b c d.
int orientation(const Point& a, const Point& b, const Point& c, const Point& d) {
    const Point n = cross(b - a, c - a);
    const Point e = d - a;
    return sign(static_cast<Wide>(n.x) * e.x + static_cast<Wide>(n.y) * e.y + static_cast<Wide>(n.z) * e.z);
}

// Faces of one plane, seen along the axis that shows the most of them.
class Flat {
public:
    explicit Flat(const Point& normal) {
        const std::int64_t x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
        const int away = x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
        m_u = (away + 1) % 3;
        m_v = (away + 2) % 3;
    }
    [[nodiscard]] bool overlap(const Face& f, const Face& g) const {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                if (cross_or_touch(f.p[i], f.p[(i + 1) % 3], g.p[j], g.p[(j + 1) % 3])) return true;
            }
        }
        return holds(f, g.p[0]) || holds(g, f.p[0]);
    }

private:
    [[nodiscard]] int turn(const Point& a, const Point& b, const Point& c) const {
        const Point d = b - a, e = c - a;
        return sign(static_cast<Wide>(d.along(m_u)) * e.along(m_v) - static_cast<Wide>(d.along(m_v)) * e.along(m_u));
    }
    // c is on the line a b: whether within its box.
    [[nodiscard]] bool on(const Point& a, const Point& b, const Point& c) const {
        const auto within = [&](int k) {
            return std::min(a.along(k), b.along(k)) <= c.along(k) && c.along(k) <= std::max(a.along(k), b.along(k));
        };
        return within(m_u) && within(m_v);
    }
    [[nodiscard]] bool cross_or_touch(const Point& a, const Point& b, const Point& c, const Point& d) const {
        const int ac = turn(a, b, c), ad = turn(a, b, d), ca = turn(c, d, a), cb = turn(c, d, b);
        if (ac * ad < 0 && ca * cb < 0) return true;
        return (ac == 0 && on(a, b, c)) || (ad == 0 && on(a, b, d)) || (ca == 0 && on(c, d, a)) ||
               (cb == 0 && on(c, d, b));
    }
    [[nodiscard]] bool holds(const Face& f, const Point& q) const {
        const int a = turn(f.p[0], f.p[1], q), b = turn(f.p[1], f.p[2], q), c = turn(f.p[2], f.p[0], q);
        return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    }

    int m_u, m_v;
};

// An edge from one side of the face's plane to the other, or with one end in it: the line's turns about all three
// edges agree. An edge within the plane is left to the edges of the other face, one of which reaches out of it.
bool edge_meets(const Point& p, const Point& q, int side_p, int side_q, const Face& f) {
    if (side_p * side_q > 0 || (side_p == 0 && side_q == 0)) return false;
    const int a = orientation(p, q, f.p[0], f.p[1]);
    const int b = orientation(p, q, f.p[1], f.p[2]);
    const int c = orientation(p, q, f.p[2], f.p[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

bool some_edge_meets(const Face& f, const int (&side)[3], const Face& g) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (edge_meets(f.p[i], f.p[j], side[i], side[j], g)) return true;
    }
    return false;
}

bool all_beyond(const int (&side)[3]) {
    return (side[0] > 0 && side[1] > 0 && side[2] > 0) || (side[0] < 0 && side[1] < 0 && side[2] < 0);
}

bool intersect(const Face& f, const Face& g) {
    const int f_side[3] = {g.side(f.p[0]), g.side(f.p[1]), g.side(f.p[2])};
    if (all_beyond(f_side)) return false;
    const int g_side[3] = {f.side(g.p[0]), f.side(g.p[1]), f.side(g.p[2])};
    if (all_beyond(g_side)) return false;
    if (f_side[0] == 0 && f_side[1] == 0 && f_side[2] == 0) return Flat(g.normal).overlap(f, g);
    return some_edge_meets(f, f_side, g) || some_edge_meets(g, g_side, f);
}

bool are_a_pair(const Face& f, const Face& g) {
    return f.overlaps(g) && !f.shares_vertex(g) && intersect(f, g);
}

std::vector<Point> compute_points(const Mesh& mesh) {
    Vec3 lo{1e300, 1e300, 1e300}, hi = -1.0 * lo;
    for (const Vec3& p : mesh.positions) {
        lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
        hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    }
    const double extent = std::max({hi.x - lo.x, hi.y - lo.y, hi.z - lo.z, 1e-300});
    const auto rounded = [&](double v) { return static_cast<std::int64_t>(std::llround(v * (steps / extent))); };
    std::vector<Point> points;
    points.reserve(mesh.positions.size());
    for (const Vec3& p : mesh.positions) {
        points.push_back({rounded(p.x - lo.x), rounded(p.y - lo.y), rounded(p.z - lo.z)});
    }
    return points;
}

std::vector<Face> compute_faces(const Mesh& mesh) {
    const std::vector<Point> points = compute_points(mesh);
    std::vector<Face> faces;
    for (const auto& t : mesh.triangles) {
        Face f;
        f.vertices = t;
        for (std::size_t k = 0; k < 3; ++k) f.p[k] = points[static_cast<std::size_t>(t[k])];
        f.normal = cross(f.p[1] - f.p[0], f.p[2] - f.p[0]);
        if (f.normal.x == 0 && f.normal.y == 0 && f.normal.z == 0) continue;
        for (int k = 0; k < 3; ++k) {
            f.lo[k] = std::min({f.p[0].along(k), f.p[1].along(k), f.p[2].along(k)});
            f.hi[k] = std::max({f.p[0].along(k), f.p[1].along(k), f.p[2].along(k)});
        }
        faces.push_back(f);
    }
    return faces;
}

// The axis along which the mesh is longest.
int longest_axis(const std::vector<Face>& faces) {
    std::int64_t hi[3] = {0, 0, 0};
    for (const Face& f : faces) {
        for (int k = 0; k < 3; ++k) hi[k] = std::max(hi[k], f.hi[k]);
    }
    return static_cast<int>(std::max_element(hi, hi + 3) - hi);
}

}  // namespace

// Sorted by where they begin along one axis, faces are compared with those that begin before they end.
std::size_t count_self_intersections(const Mesh& mesh) {
    std::vector<Face> faces = compute_faces(mesh);
    const int axis = longest_axis(faces);
    std::sort(faces.begin(), faces.end(), [&](const Face& a, const Face& b) { return a.lo[axis] < b.lo[axis]; });
    std::size_t count = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        for (std::size_t j = i + 1; j < faces.size() && faces[j].lo[axis] <= faces[i].hi[axis]; ++j) {
            if (are_a_pair(faces[i], faces[j])) ++count;
        }
    }
    return count;
}

std::size_t count_self_intersections_brute(const Mesh& mesh) {
    const std::vector<Face> faces = compute_faces(mesh);
    std::size_t count = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        for (std::size_t j = i + 1; j < faces.size(); ++j) {
            if (!faces[i].shares_vertex(faces[j]) && intersect(faces[i], faces[j])) ++count;
        }
    }
    return count;
}

}  // namespace plica::render
