#include "experiments/johnsen/edge_collapse.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "core/index.hpp"

namespace plica::experiments {
namespace {

// Sum of squared distances to planes n.x = d, weighted: x.A x - 2 b.x + c.
struct Quadric {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    Vec3 b;
    double c = 0;

    void add(const Vec3& n, double d, double weight) {
        xx += weight * n.x * n.x, xy += weight * n.x * n.y, xz += weight * n.x * n.z;
        yy += weight * n.y * n.y, yz += weight * n.y * n.z, zz += weight * n.z * n.z;
        b += n * (weight * d);
        c += weight * d * d;
    }
    [[nodiscard]] Vec3 times(const Vec3& v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
    [[nodiscard]] double at(const Vec3& v) const { return dot(v, times(v)) - 2.0 * dot(b, v) + c; }
    // Where it is least; `otherwise` where that is not a point.
    [[nodiscard]] Vec3 lowest(const Vec3& otherwise) const {
        const Vec3 r0{xx, xy, xz}, r1{xy, yy, yz}, r2{xz, yz, zz};
        const double det = dot(r0, cross(r1, r2)), trace = xx + yy + zz;
        if (!(det > 1e-6 * trace * trace * trace)) return otherwise;
        return (cross(r1, r2) * b.x + cross(r2, r0) * b.y + cross(r0, r1) * b.z) / det;
    }
    friend Quadric operator+(Quadric p, const Quadric& q) {
        p.xx += q.xx, p.xy += q.xy, p.xz += q.xz, p.yy += q.yy, p.yz += q.yz, p.zz += q.zz;
        p.b += q.b;
        p.c += q.c;
        return p;
    }
};

struct Candidate {
    double cost;
    std::int32_t a, b;     // a < b
    int stamp_a, stamp_b;  // of the nodes when it was made: older ones no longer count
    Vec3 place;

    friend bool operator<(const Candidate& p, const Candidate& q) {  // the cheapest is on top of the heap
        return std::tie(p.cost, p.a, p.b) > std::tie(q.cost, q.a, q.b);
    }
};

class Collapse {
public:
    explicit Collapse(const SurfaceMesh& fine)
        : m_mesh(fine), m_quadric(fine.nodes.size()), m_stamp(fine.nodes.size(), 0), m_around(fine.nodes.size()) {
        m_alive.assign(fine.triangles.size(), true);
        m_left = fine.triangles.size();
        for (std::size_t t = 0; t < fine.triangles.size(); ++t) {
            const Vec3 across = normal_of(t);
            const Vec3 n = normalized(across);
            for (const std::int32_t node : fine.triangles[t]) {
                m_around[at(node)].push_back(static_cast<std::int32_t>(t));
                m_quadric[at(node)].add(n, dot(n, fine.nodes[at(fine.triangles[t][0])]), norm(across));
            }
        }
        for (std::int32_t a = 0; at(a) < fine.nodes.size(); ++a) {
            for (const std::int32_t b : neighbours(a)) {
                if (a < b) offer(a, b);
            }
        }
    }

    void reduce(std::size_t triangles) {
        while (m_left > triangles && !m_heap.empty()) {
            const Candidate next = m_heap.top();
            m_heap.pop();
            if (m_stamp[at(next.a)] != next.stamp_a || m_stamp[at(next.b)] != next.stamp_b) continue;
            if (is_allowed(next)) apply(next);
        }
    }

    [[nodiscard]] SurfaceMesh result() const {
        SurfaceMesh mesh;
        std::vector<std::int32_t> number(m_mesh.nodes.size(), -1);
        for (std::size_t t = 0; t < m_alive.size(); ++t) {
            if (!m_alive[t]) continue;
            std::array<std::int32_t, 3> triangle = m_mesh.triangles[t];
            for (std::int32_t& node : triangle) {
                std::int32_t& place = number[at(node)];
                if (place < 0) {
                    place = static_cast<std::int32_t>(mesh.nodes.size());
                    mesh.nodes.push_back(m_mesh.nodes[at(node)]);
                }
                node = place;
            }
            mesh.triangles.push_back(triangle);
        }
        return mesh;
    }

private:
    [[nodiscard]] Vec3 normal_of(std::size_t t) const {
        const auto& [a, b, c] = m_mesh.triangles[t];
        return cross(m_mesh.nodes[at(b)] - m_mesh.nodes[at(a)], m_mesh.nodes[at(c)] - m_mesh.nodes[at(a)]);
    }
    [[nodiscard]] std::vector<std::int32_t> neighbours(std::int32_t node) const {
        std::vector<std::int32_t> found;
        for (const std::int32_t t : m_around[at(node)]) {
            for (const std::int32_t other : m_mesh.triangles[at(t)]) {
                if (other != node) found.push_back(other);
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }
    [[nodiscard]] bool has(std::int32_t t, std::int32_t node) const {
        const auto& triangle = m_mesh.triangles[at(t)];
        return std::find(triangle.begin(), triangle.end(), node) != triangle.end();
    }

    void offer(std::int32_t a, std::int32_t b) {
        if (a > b) std::swap(a, b);
        const Quadric sum = m_quadric[at(a)] + m_quadric[at(b)];
        const Vec3 &x = m_mesh.nodes[at(a)], &y = m_mesh.nodes[at(b)];
        const Vec3 middle = (x + y) * 0.5;
        Vec3 place = sum.lowest(middle);
        if (distance(place, middle) > 2.0 * distance(x, y)) place = middle;
        m_heap.push({std::max(sum.at(place), 0.0), a, b, m_stamp[at(a)], m_stamp[at(b)], place});
    }

    // No triangle of `node` that stays turns over or becomes a sliver when the node goes to `place`.
    [[nodiscard]] bool keeps_sides(std::int32_t node, std::int32_t other, const Vec3& place) const {
        for (const std::int32_t t : m_around[at(node)]) {
            if (has(t, other)) continue;
            Vec3 x[3];
            for (std::size_t k = 0; k < 3; ++k) {
                const std::int32_t n = m_mesh.triangles[at(t)][k];
                x[k] = n == node ? place : m_mesh.nodes[at(n)];
            }
            const Vec3 now = cross(x[1] - x[0], x[2] - x[0]), before = normal_of(at(t));
            if (!(dot(now, before) > 0.3 * norm(now) * norm(before))) return false;
            const double longest =
                std::max({squared_norm(x[1] - x[0]), squared_norm(x[2] - x[1]), squared_norm(x[0] - x[2])});
            if (!(norm(now) > 0.1 * longest)) return false;
        }
        return true;
    }

    // Ends of an edge may fall together where they have two common neighbours, and no more.
    [[nodiscard]] bool is_allowed(const Candidate& c) const {
        const std::vector<std::int32_t> p = neighbours(c.a), q = neighbours(c.b);
        std::vector<std::int32_t> common;
        std::set_intersection(p.begin(), p.end(), q.begin(), q.end(), std::back_inserter(common));
        if (common.size() != 2 || p.size() + q.size() < 8) return false;
        return keeps_sides(c.a, c.b, c.place) && keeps_sides(c.b, c.a, c.place);
    }

    void apply(const Candidate& c) {
        m_mesh.nodes[at(c.a)] = c.place;
        m_quadric[at(c.a)] = m_quadric[at(c.a)] + m_quadric[at(c.b)];
        std::vector<std::int32_t> kept;
        for (const std::int32_t t : m_around[at(c.a)]) {
            if (!has(t, c.b)) kept.push_back(t);
        }
        for (const std::int32_t t : m_around[at(c.b)]) {
            if (has(t, c.a)) {
                m_alive[at(t)] = false;
                --m_left;
                for (const std::int32_t node : m_mesh.triangles[at(t)]) {
                    if (node != c.a && node != c.b) std::erase(m_around[at(node)], t);
                }
            } else {
                auto& triangle = m_mesh.triangles[at(t)];
                std::replace(triangle.begin(), triangle.end(), c.b, c.a);
                kept.push_back(t);
            }
        }
        m_around[at(c.a)] = std::move(kept);
        m_around[at(c.b)].clear();
        ++m_stamp[at(c.b)];
        ++m_stamp[at(c.a)];
        for (const std::int32_t other : neighbours(c.a)) offer(c.a, other);
    }

    SurfaceMesh m_mesh;
    std::vector<Quadric> m_quadric;
    std::vector<int> m_stamp;
    std::vector<std::vector<std::int32_t>> m_around;  // triangles per node
    std::vector<bool> m_alive;
    std::size_t m_left = 0;
    std::priority_queue<Candidate> m_heap;
};

}  // namespace

SurfaceMesh coarsen(const SurfaceMesh& fine, std::size_t triangles) {
    Collapse collapse(fine);
    collapse.reduce(triangles);
    return collapse.result();
}

}  // namespace plica::experiments
