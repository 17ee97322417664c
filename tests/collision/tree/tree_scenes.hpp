#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "collision/tree/surface_tree.hpp"
#include "core/random.hpp"
#include "geometry/closest.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/shapes.hpp"

// Bodies of triangles that move, and what a search of all pairs finds between them.
namespace plica::testing {

using PairList = std::vector<std::array<std::int32_t, 2>>;

struct TreeScene {
    Surface surface{};
    std::vector<TreeBody> bodies{};
    std::vector<Vec3> rest{};
    std::vector<std::int32_t> body_of{};  // per node
    double mean_edge = 0.0;

    void add(const SurfaceMesh& mesh, const TreeBody& body, double half_thickness, bool own, const Vec3& shift = {}) {
        const auto first = static_cast<std::int32_t>(rest.size());
        const auto number = static_cast<std::int32_t>(bodies.size());
        for (const Vec3& x : mesh.nodes) rest.push_back(x + shift);
        body_of.resize(rest.size(), number);
        for (const auto& t : mesh.triangles) {
            Triangle triangle{first + t[0], first + t[1], first + t[2], half_thickness, number, -1, 0, 0};
            triangle.sheet = true;
            triangle.own = own;
            surface.triangles.push_back(triangle);
            mean_edge +=
                distance(rest[static_cast<std::size_t>(triangle.a)], rest[static_cast<std::size_t>(triangle.b)]);
        }
        bodies.push_back(body);
    }
    void finish() {
        add_surface_features(surface, rest.size());
        mean_edge /= static_cast<double>(surface.triangles.size());
    }
};

// Nodes that no triangle has are left out.
inline SurfaceMesh boundary_of(const VolumeMesh& volume) {
    SurfaceMesh mesh;
    mesh.triangles = find_boundary(volume);
    std::vector<std::int32_t> number(volume.nodes.size(), -1);
    for (auto& t : mesh.triangles) {
        for (std::int32_t& n : t) {
            std::int32_t& to = number[static_cast<std::size_t>(n)];
            if (to < 0) {
                to = static_cast<std::int32_t>(mesh.nodes.size());
                mesh.nodes.push_back(volume.nodes[static_cast<std::size_t>(n)]);
            }
            n = to;
        }
    }
    return mesh;
}

// n x n squares of two triangles each, side long, in the plane z = 0.
inline SurfaceMesh make_sheet(int n, double side) {
    SurfaceMesh mesh;
    const auto node = [n](int i, int j) { return i * (n + 1) + j; };
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) mesh.nodes.push_back({side * i / n - 0.5 * side, side * j / n - 0.5 * side, 0.0});
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            mesh.triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
            mesh.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
        }
    }
    return mesh;
}

inline Vec3 at_time(const std::vector<Vec3>& x, const std::vector<Vec3>& p, std::int32_t node, double t) {
    const auto n = static_cast<std::size_t>(node);
    return x[n] + (p[n] - x[n]) * t;
}

// m: least of the distances at some times on the way from x to p.
inline double least_distance(const Surface& s, std::int32_t a, std::int32_t b, const std::vector<Vec3>& x,
                             const std::vector<Vec3>& p, int times) {
    const auto capsules = static_cast<std::int32_t>(s.capsules.size());
    const Capsule& c = s.capsules[static_cast<std::size_t>(a)];
    double least = 1e300;
    for (int i = 0; i < times; ++i) {
        const double t = times > 1 ? static_cast<double>(i) / (times - 1) : 1.0;
        const auto at = [&](std::int32_t n) { return at_time(x, p, n, t); };
        if (b < capsules) {
            const Capsule& d = s.capsules[static_cast<std::size_t>(b)];
            least = std::min(least, closest_segment_segment(at(c.a), at(c.b), at(d.a), at(d.b)).squared_distance);
        } else {
            const Triangle& d = s.triangles[static_cast<std::size_t>(b - capsules)];
            least =
                std::min(least, closest_segment_triangle(at(c.a), at(c.b), at(d.a), at(d.b), at(d.c)).squared_distance);
        }
    }
    return std::sqrt(least);
}

// Every pair of features and triangles that the rules allow, with a bound on its distance.
template <class Visit>
void for_each_near_pair(const Surface& s, const std::vector<Vec3>& x, const std::vector<Vec3>& p, double layer,
                        const Visit& visit) {
    const auto capsules = static_cast<std::int32_t>(s.capsules.size());
    std::vector<Bounds> boxes;
    const auto bound = [&](std::initializer_list<std::int32_t> nodes, double radius) {
        Bounds box;
        for (const std::int32_t n : nodes) {
            include(box, x[static_cast<std::size_t>(n)]);
            include(box, p[static_cast<std::size_t>(n)]);
        }
        boxes.push_back(grown(box, radius + 0.5 * layer));
    };
    for (const Capsule& c : s.capsules) bound({c.a, c.b}, c.radius);
    for (const Triangle& t : s.triangles) bound({t.a, t.b, t.c}, t.half_thickness);
    const std::int32_t first_edge = capsules - s.features.edges;
    // Sorted along x: what begins beyond the end of a box is beyond it, and so on.
    std::vector<std::int32_t> order(boxes.size() - static_cast<std::size_t>(first_edge));
    std::iota(order.begin(), order.end(), first_edge);
    const auto begin_of = [&](std::int32_t i) { return boxes[static_cast<std::size_t>(i)].lo.x; };
    std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) { return begin_of(i) < begin_of(j); });
    double widest = 0.0;
    for (const Bounds& box : boxes) widest = std::max(widest, box.hi.x - box.lo.x);
    for (std::int32_t a = plain_capsules(s); a < capsules; ++a) {
        const auto i = static_cast<std::size_t>(a);
        const auto from = std::lower_bound(order.begin(), order.end(), boxes[i].lo.x - widest,
                                           [&](std::int32_t b, double x0) { return begin_of(b) < x0; });
        for (auto at = from; at != order.end() && begin_of(*at) <= boxes[i].hi.x; ++at) {
            const std::int32_t b = *at;
            if ((a < first_edge) == (b < capsules) || b <= a) continue;
            if (!overlap(boxes[i], boxes[static_cast<std::size_t>(b)])) continue;
            const bool allowed = b >= capsules ? can_touch(s, i, static_cast<std::size_t>(b - capsules))
                                               : capsules_can_touch(s, i, static_cast<std::size_t>(b));
            if (allowed) visit(a, b);
        }
    }
}

inline double contact_radii(const Surface& s, std::int32_t a, std::int32_t b) {
    const auto capsules = static_cast<std::int32_t>(s.capsules.size());
    return s.capsules[static_cast<std::size_t>(a)].radius +
           (b < capsules ? s.capsules[static_cast<std::size_t>(b)].radius
                         : s.triangles[static_cast<std::size_t>(b - capsules)].half_thickness);
}

// Ascending.
inline PairList find_all_pairs(const Surface& s, const std::vector<Vec3>& x, const std::vector<Vec3>& p, double layer,
                               int times = 5) {
    PairList found;
    for_each_near_pair(s, x, p, layer, [&](std::int32_t a, std::int32_t b) {
        if (least_distance(s, a, b, x, p, times) < contact_radii(s, a, b) + layer) found.push_back({a, b});
    });
    std::sort(found.begin(), found.end());
    return found;
}

inline int count_missing(const PairList& wanted, std::span<const std::array<std::int32_t, 2>> found) {
    int missing = 0;
    for (const auto& pair : wanted) missing += std::binary_search(found.begin(), found.end(), pair) ? 0 : 1;
    return missing;
}

// A smooth field of displacements: waves in random directions.
class Waves {
public:
    Waves(Random& random, double length, double size) {
        for (Wave& w : m_waves) {
            const auto vector = [&](double scale) {
                const double a = random.uniform(-scale, scale), b = random.uniform(-scale, scale);
                return Vec3{a, b, random.uniform(-scale, scale)};
            };
            w = {vector(2.0 * std::numbers::pi / length), vector(size), random.uniform(0.0, 6.3),
                 random.uniform(0.5, 2.0)};
        }
    }
    [[nodiscard]] Vec3 at(const Vec3& x, double time) const {
        Vec3 sum;
        for (const Wave& w : m_waves) {
            sum +=
                w.size * (std::sin(dot(w.number, x) + w.phase + w.rate * time) - std::sin(dot(w.number, x) + w.phase));
        }
        return sum;
    }

private:
    struct Wave {
        Vec3 number, size;
        double phase, rate;
    };
    Wave m_waves[4];
};

}  // namespace plica::testing
