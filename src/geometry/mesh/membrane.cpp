#include "geometry/mesh/membrane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "geometry/mesh/pieces.hpp"

namespace plica {
namespace {

using Triangle = std::array<std::int32_t, 3>;

double bounding_diagonal(const SurfaceMesh& mesh) {
    Vec3 low{1e300, 1e300, 1e300};
    Vec3 high{-1e300, -1e300, -1e300};
    for (const Triangle& t : mesh.triangles) {
        for (const std::int32_t n : t) {
            const Vec3& p = mesh.nodes[at(n)];
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
    }
    return distance(low, high);
}

double smallest_angle(const std::array<Vec3, 3>& x) {
    double least = 180.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 u = x[(k + 1) % 3] - x[k];
        const Vec3 v = x[(k + 2) % 3] - x[k];
        least = std::min(least, elementary::atan2(norm(cross(u, v)), dot(u, v)) * 180.0 / std::numbers::pi);
    }
    return least;
}

class MembraneCheck {
public:
    MembraneCheck(SurfaceMesh& mesh, const std::string& name) : m_mesh(mesh), m_name(name) {}

    MembraneReport run() {
        check_surface(m_mesh, m_name);  // places, indices, edges of three triangles, one-sidedness
        check_repeated_nodes();
        check_repeated_triangles();
        check_shapes();
        find_sides();
        check_fans();
        note_old_nodes();
        m_report.surface = repair_surface(m_mesh, m_name);
        find_pieces();
        return std::move(m_report);
    }

private:
    struct Side {
        std::int32_t low, high, triangle;
    };
    [[noreturn]] void fail(const std::string& problem) const { throw Error(fmt::format("{}: {}", m_name, problem)); }

    void check_repeated_nodes() const {
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
            const Triangle& t = m_mesh.triangles[i];
            for (std::size_t k = 0; k < 3; ++k) {
                if (t[k] == t[(k + 1) % 3]) fail(fmt::format("triangle {} has the node {} twice", i, t[k]));
            }
        }
    }

    void check_repeated_triangles() const {
        std::vector<std::pair<Triangle, std::size_t>> keys;
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
            Triangle t = m_mesh.triangles[i];
            std::sort(t.begin(), t.end());
            keys.emplace_back(t, i);
        }
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 1; i < keys.size(); ++i) {
            if (keys[i].first == keys[i - 1].first)
                fail(fmt::format("triangles {} and {} have the same nodes", keys[i - 1].second, keys[i].second));
        }
    }

    void check_shapes() {
        const double diagonal = bounding_diagonal(m_mesh);
        const double least = least_membrane_area * diagonal * diagonal;
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
            const Triangle& t = m_mesh.triangles[i];
            const std::array<Vec3, 3> x{m_mesh.nodes[at(t[0])], m_mesh.nodes[at(t[1])], m_mesh.nodes[at(t[2])]};
            const double area = 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]));
            if (!(area >= least && area > 0.0))
                fail(fmt::format("triangle {} (nodes {}, {}, {}) has an area of {:.3g} m^2, expected at least {:.3g}",
                                 i, t[0], t[1], t[2], area, least));
            const double angle = smallest_angle(x);
            if (!(angle >= least_membrane_angle))
                fail(fmt::format("triangle {} (nodes {}, {}, {}) has an angle of {:.3g} degrees, expected at least {}",
                                 i, t[0], t[1], t[2], angle, least_membrane_angle));
            if (angle >= m_report.smallest_angle) continue;
            m_report.smallest_angle = angle;
            m_report.sharpest_triangle = i;
        }
    }

    void find_sides() {
        m_sides.clear();
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
            const Triangle& t = m_mesh.triangles[i];
            for (std::size_t k = 0; k < 3; ++k) {
                const std::int32_t a = t[k];
                const std::int32_t b = t[(k + 1) % 3];
                m_sides.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(i)});
            }
        }
        std::sort(m_sides.begin(), m_sides.end(), [](const Side& a, const Side& b) {
            return std::array{a.low, a.high, a.triangle} < std::array{b.low, b.high, b.triangle};
        });
    }

    [[nodiscard]] std::int32_t corner(std::int32_t triangle, std::int32_t node) const {
        const Triangle& t = m_mesh.triangles[at(triangle)];
        return 3 * triangle + static_cast<std::int32_t>(std::find(t.begin(), t.end(), node) - t.begin());
    }

    // The triangles at a node must be one fan: each reached from the next over an edge at that node.
    void check_fans() const {
        Pieces fans(3 * m_mesh.triangles.size());
        for (std::size_t i = 1; i < m_sides.size(); ++i) {
            const Side& s = m_sides[i - 1];
            const Side& next = m_sides[i];
            if (s.low != next.low || s.high != next.high) continue;
            fans.join(corner(s.triangle, s.low), corner(next.triangle, s.low));
            fans.join(corner(s.triangle, s.high), corner(next.triangle, s.high));
        }
        std::vector<std::int32_t> fan(m_mesh.nodes.size(), -1);
        for (std::size_t i = 0; i < 3 * m_mesh.triangles.size(); ++i) {
            const std::int32_t node = m_mesh.triangles[i / 3][i % 3];
            const std::int32_t here = fans.find(static_cast<std::int32_t>(i));
            if (fan[at(node)] >= 0 && fan[at(node)] != here)
                fail(
                    fmt::format("node {} joins parts of the surface that share no edge there (triangles {} and {}); "
                                "expected one fan of triangles around it",
                                node, fan[at(node)] / 3, i / 3));
            fan[at(node)] = here;
        }
    }

    void note_old_nodes() {
        std::vector<char> used(m_mesh.nodes.size(), 0);
        for (const Triangle& t : m_mesh.triangles) {
            for (const std::int32_t n : t) used[at(n)] = 1;
        }
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (used[i] != 0) m_report.old_node.push_back(static_cast<std::int32_t>(i));
        }
    }

    void find_pieces() {
        Pieces pieces(m_mesh.nodes.size());
        for (const Triangle& t : m_mesh.triangles) {
            pieces.join(t[0], t[1]);
            pieces.join(t[1], t[2]);
        }
        m_report.piece.assign(m_mesh.nodes.size(), -1);
        std::int32_t count = 0;
        for (std::size_t i = 0; i < m_mesh.nodes.size(); ++i) {
            std::int32_t& first = m_report.piece[at(pieces.find(static_cast<std::int32_t>(i)))];
            if (first < 0) first = count++;
            m_report.piece[i] = first;
        }
        m_report.closed.assign(at(count), 1);
        find_sides();
        for (std::size_t i = 0; i < m_sides.size(); ++i) {
            const auto same = [&](std::size_t j) {
                return j < m_sides.size() && m_sides[j].low == m_sides[i].low && m_sides[j].high == m_sides[i].high;
            };
            if (!same(i - 1) && !same(i + 1)) m_report.closed[at(m_report.piece[at(m_sides[i].low)])] = 0;
        }
    }

    SurfaceMesh& m_mesh;
    const std::string& m_name;
    MembraneReport m_report;
    std::vector<Side> m_sides;
};

}  // namespace

MembraneReport check_membrane(SurfaceMesh& mesh, const std::string& name) {
    return MembraneCheck(mesh, name).run();
}

}  // namespace plica
