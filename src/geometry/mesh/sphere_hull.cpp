#include "geometry/mesh/sphere_hull.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "core/index.hpp"
#include "core/random.hpp"

namespace plica {
namespace {

// Heights above a face below which two faces count as one: rounding must not flip an edge to and fro.
constexpr double flat_height = 1e-15;

struct HullFace {
    std::array<std::int32_t, 3> node;
    std::array<std::int32_t, 3> beyond;  // face across the side opposite corner k
};

class SphereHull {
public:
    explicit SphereHull(std::span<const Vec3> points) : m_points(points) {}

    std::vector<std::array<std::int32_t, 3>> run() {
        m_faces.reserve(2 * m_points.size());
        const std::vector<std::int32_t> order = draw_order();
        for (std::size_t i = 4; i < order.size(); ++i) insert(order[i]);
        std::vector<std::array<std::int32_t, 3>> triangles;
        triangles.reserve(m_faces.size());
        for (const HullFace& f : m_faces) {
            auto t = f.node;
            std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
            triangles.push_back(t);
        }
        std::sort(triangles.begin(), triangles.end());
        return triangles;
    }

private:
    [[nodiscard]] const Vec3& point(std::int32_t i) const { return m_points[at(i)]; }
    HullFace& face(std::int32_t i) { return m_faces[at(i)]; }
    [[nodiscard]] double volume(std::int32_t a, std::int32_t b, std::int32_t c) const {
        return dot(cross(point(a), point(b)), point(c));
    }

    // Four that surround the origin, then all others shuffled: in the order of a spiral every new point would see a
    // whole cap.
    std::vector<std::int32_t> draw_order() {
        Random random;
        std::vector<std::int32_t> order(m_points.size());
        std::iota(order.begin(), order.end(), 0);
        constexpr int most_tries = 100;
        for (int i = 0; i < most_tries; ++i) {
            const Vec3 axis{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
            move_corners_to_front(normalized(axis), order);
            if (!begin({order[0], order[1], order[2], order[3]})) continue;
            for (std::size_t k = order.size(); k-- > 5;) std::swap(order[k], order[4 + random.next() % (k - 3)]);
            return order;
        }
        throw Error("a hull of points that do not surround the origin");
    }

    // The nearest to the corners of a tetrahedron that was mirrored at a plane across `axis`.
    void move_corners_to_front(const Vec3& axis, std::vector<std::int32_t>& order) const {
        constexpr std::array<Vec3, 4> corners{Vec3{1, 1, 1}, {-1, -1, 1}, {1, -1, -1}, {-1, 1, -1}};
        for (std::size_t k = 0; k < 4; ++k) {
            const Vec3 corner = corners[k] - 2.0 * dot(axis, corners[k]) * axis;
            const auto best = std::max_element(
                order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                [&](std::int32_t a, std::int32_t b) { return dot(point(a), corner) < dot(point(b), corner); });
            std::swap(order[k], *best);
        }
    }

    // False: the tetrahedron does not surround the origin.
    bool begin(std::array<std::int32_t, 4> n) {
        if (dot(cross(point(n[1]) - point(n[0]), point(n[2]) - point(n[0])), point(n[3]) - point(n[0])) > 0.0)
            std::swap(n[1], n[2]);
        m_faces = {{{n[0], n[1], n[2]}, {2, 3, 1}},
                   {{n[0], n[3], n[1]}, {2, 0, 3}},
                   {{n[1], n[3], n[2]}, {3, 0, 1}},
                   {{n[2], n[3], n[0]}, {1, 0, 2}}};
        return std::all_of(m_faces.begin(), m_faces.end(),
                           [&](const HullFace& f) { return volume(f.node[0], f.node[1], f.node[2]) > 0.0; });
    }

    // From the last face towards p until p is on no side's outside.
    std::int32_t find_face(std::int32_t p) {
        std::int32_t f = m_last;
        for (std::size_t most = 4 * m_faces.size(); most > 0; --most) {
            const HullFace& here = face(f);
            std::size_t worst = 0;
            double least = 0.0;
            for (std::size_t k = 0; k < 3; ++k) {
                const double inside = volume(here.node[(k + 1) % 3], here.node[(k + 2) % 3], p);
                if (inside >= least) continue;
                least = inside;
                worst = k;
            }
            if (least == 0.0) return f;
            f = here.beyond[worst];
        }
        throw Error("a hull of points two of which are one");
    }

    void insert(std::int32_t p) {
        const std::int32_t f0 = find_face(p);
        const HullFace old = face(f0);
        const auto f1 = static_cast<std::int32_t>(m_faces.size());
        const std::int32_t f2 = f1 + 1;
        const auto [a, b, c] = old.node;
        face(f0) = {{a, b, p}, {f1, f2, old.beyond[2]}};
        m_faces.push_back({{b, c, p}, {f2, f0, old.beyond[0]}});
        m_faces.push_back({{c, a, p}, {f0, f1, old.beyond[1]}});
        replace(old.beyond[0], f0, f1);
        replace(old.beyond[1], f0, f2);
        m_last = f0;
        m_open = {f0, f1, f2};
        while (!m_open.empty()) {
            const std::int32_t next = m_open.back();
            m_open.pop_back();
            flip_if_seen(next, p);
        }
    }

    void replace(std::int32_t of, std::int32_t from, std::int32_t to) {
        for (std::int32_t& n : face(of).beyond) {
            if (n == from) n = to;
        }
    }

    // Face f has the new point p as its last corner; where p lies above the face beyond, the edge between is no edge
    // of the hull.
    void flip_if_seen(std::int32_t f, std::int32_t p) {
        const std::int32_t g = face(f).beyond[2];
        const HullFace other = face(g);
        const Vec3& o = point(other.node[0]);
        const Vec3 normal = cross(point(other.node[1]) - o, point(other.node[2]) - o);
        if (dot(normal, point(p) - o) <= flat_height * norm(normal)) return;
        const auto [a, b, apex] = face(f).node;
        std::size_t k = 0;
        while (other.node[k] == a || other.node[k] == b) ++k;
        const std::int32_t d = other.node[k];
        // other is (d, b, a): beyond its corners lie f, the face of (a, d) and the face of (d, b).
        const std::int32_t beyond_ad = other.beyond[(k + 1) % 3];
        const std::int32_t beyond_db = other.beyond[(k + 2) % 3];
        const std::int32_t beyond_bp = face(f).beyond[0];
        const std::int32_t beyond_pa = face(f).beyond[1];
        face(f) = {{a, d, apex}, {g, beyond_pa, beyond_ad}};
        face(g) = {{d, b, apex}, {beyond_bp, f, beyond_db}};
        replace(beyond_ad, g, f);
        replace(beyond_bp, f, g);
        m_open.push_back(f);
        m_open.push_back(g);
    }

    std::span<const Vec3> m_points;
    std::vector<HullFace> m_faces;
    std::vector<std::int32_t> m_open;
    std::int32_t m_last = 0;
};

}  // namespace

std::vector<std::array<std::int32_t, 3>> find_sphere_hull(std::span<const Vec3> points) {
    if (points.size() < 4) throw Error("a hull of fewer than four points");
    return SphereHull(points).run();
}

}  // namespace plica
