#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <numeric>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "geometry/mesh/quality.hpp"

namespace plica {
namespace {

using Triangle = std::array<std::int32_t, 3>;

// One side of a triangle, from its corner `from` to its corner `to`.
struct Side {
    std::int32_t from, to;
    std::int32_t triangle, slot;
    [[nodiscard]] std::int32_t low() const { return std::min(from, to); }
    [[nodiscard]] std::int32_t high() const { return std::max(from, to); }
};

// The triangle beyond a side; turned: the two go along their edge in the same direction, so one is upside down.
struct Neighbour {
    std::int32_t triangle = -1;
    bool turned = false;
};

struct Piece {
    std::vector<std::int32_t> triangles;
    bool closed = true;
    double volume = 0.0;  // m^3, negative where it is inside out
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
};

class SurfaceRepair {
public:
    SurfaceRepair(SurfaceMesh& mesh, const std::string& name) : m_mesh(mesh), m_name(name) {}

    SurfaceReport run() {
        if (m_mesh.triangles.empty()) fail("the surface has no triangles");
        check_nodes();
        remove_degenerate();
        find_neighbours();
        find_pieces();
        for (Piece& piece : m_pieces) measure(piece);
        for (std::size_t i = 0; i < m_pieces.size(); ++i) turn_outward(i);
        remove_unreferenced();
        summarize();
        return m_report;
    }

private:
    [[noreturn]] void fail(const std::string& problem) const { throw Error(m_name + ": " + problem); }
    Triangle& triangle(std::int32_t i) { return m_mesh.triangles[static_cast<std::size_t>(i)]; }
    [[nodiscard]] const Vec3& place(std::int32_t node) const { return m_mesh.nodes[static_cast<std::size_t>(node)]; }

    void check_nodes() const {
        const auto count = static_cast<std::int64_t>(m_mesh.nodes.size());
        for (std::size_t i = 0; i < m_mesh.nodes.size(); ++i) {
            const Vec3& p = m_mesh.nodes[i];
            const bool good = std::abs(p.x) < 1e90 && std::abs(p.y) < 1e90 && std::abs(p.z) < 1e90;
            if (!good) fail(fmt::format("node {} is at ({}, {}, {}), expected finite numbers", i, p.x, p.y, p.z));
        }
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
            for (const std::int32_t node : m_mesh.triangles[i]) {
                if (node >= 0 && node < count) continue;
                fail(fmt::format("triangle {} has the node {}, expected 0 to {}", i, node, count - 1));
            }
        }
    }

    // A corner twice, or the same triangle a second time.
    void remove_degenerate() {
        std::vector<std::pair<Triangle, std::uint32_t>> keys;
        std::vector<char> drop(m_mesh.triangles.size(), 0);
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
            Triangle t = m_mesh.triangles[i];
            drop[i] = t[0] == t[1] || t[1] == t[2] || t[2] == t[0] ? 1 : 0;
            std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
            if (drop[i] == 0) keys.emplace_back(t, static_cast<std::uint32_t>(i));
        }
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 1; i < keys.size(); ++i) {
            if (keys[i].first == keys[i - 1].first) drop[keys[i].second] = 1;
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < drop.size(); ++i) {
            if (drop[i] == 0) m_mesh.triangles[kept++] = m_mesh.triangles[i];
        }
        m_report.degenerate_removed = drop.size() - kept;
        m_mesh.triangles.resize(kept);
        if (kept == 0) fail("all triangles of the surface are degenerate");
    }

    void find_neighbours() {
        std::vector<Side> sides;
        sides.reserve(3 * m_mesh.triangles.size());
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
            const Triangle& t = m_mesh.triangles[i];
            for (std::int32_t k = 0; k < 3; ++k) {
                sides.push_back({t[static_cast<std::size_t>(k)], t[static_cast<std::size_t>((k + 1) % 3)],
                                 static_cast<std::int32_t>(i), k});
            }
        }
        std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
            return std::pair(a.low(), a.high()) != std::pair(b.low(), b.high())
                       ? std::pair(a.low(), a.high()) < std::pair(b.low(), b.high())
                       : a.triangle < b.triangle;
        });
        m_neighbours.assign(sides.size(), {});
        for (std::size_t i = 0; i < sides.size();) {
            std::size_t end = i + 1;
            while (end < sides.size() && sides[end].low() == sides[i].low() && sides[end].high() == sides[i].high())
                ++end;
            if (end - i > 2) {
                fail(fmt::format("the edge between the nodes {} and {} belongs to {} triangles, expected at most two",
                                 sides[i].low(), sides[i].high(), end - i));
            }
            if (end - i == 2) join(sides[i], sides[i + 1]);
            m_report.open_edges += end - i == 1 ? 1U : 0U;
            i = end;
        }
    }

    void join(const Side& a, const Side& b) {
        const bool turned = a.from == b.from;
        neighbour(a.triangle, a.slot) = {b.triangle, turned};
        neighbour(b.triangle, b.slot) = {a.triangle, turned};
    }
    Neighbour& neighbour(std::int32_t t, std::int32_t slot) {
        return m_neighbours[static_cast<std::size_t>(3 * t + slot)];
    }

    // Walks over the edges and turns what is not as its neighbour; the smaller part of a piece is what gets turned.
    void find_pieces() {
        std::vector<signed char> turn(m_mesh.triangles.size(), -1);  // 0 or 1 once seen
        for (std::size_t first = 0; first < turn.size(); ++first) {
            if (turn[first] >= 0) continue;
            Piece piece;
            piece.triangles.push_back(static_cast<std::int32_t>(first));
            turn[first] = 0;
            for (std::size_t next = 0; next < piece.triangles.size(); ++next) visit(piece.triangles[next], piece, turn);
            const auto turned = std::count_if(piece.triangles.begin(), piece.triangles.end(),
                                              [&](std::int32_t t) { return turn[static_cast<std::size_t>(t)] == 1; });
            const signed char bad = 2 * static_cast<std::size_t>(turned) > piece.triangles.size() ? 0 : 1;
            for (const std::int32_t t : piece.triangles) {
                if (turn[static_cast<std::size_t>(t)] == bad) flip(t);
            }
            m_pieces.push_back(std::move(piece));
        }
    }

    void visit(std::int32_t t, Piece& piece, std::vector<signed char>& turn) {
        for (std::int32_t k = 0; k < 3; ++k) {
            const Neighbour& n = neighbour(t, k);
            if (n.triangle < 0) {
                piece.closed = false;
                continue;
            }
            signed char& other = turn[static_cast<std::size_t>(n.triangle)];
            const auto wanted = static_cast<signed char>(turn[static_cast<std::size_t>(t)] ^ (n.turned ? 1 : 0));
            if (other < 0) {
                other = wanted;
                piece.triangles.push_back(n.triangle);
            } else if (other != wanted) {
                fail(fmt::format("triangles {} and {} cannot both face outside: the surface has only one side", t,
                                 n.triangle));
            }
        }
    }

    void flip(std::int32_t t) {
        std::swap(triangle(t)[1], triangle(t)[2]);
        if (m_flipped.empty()) m_flipped.assign(m_mesh.triangles.size(), 0);
        m_flipped[static_cast<std::size_t>(t)] ^= 1;
    }

    void measure(Piece& piece) {
        const Vec3 origin = place(triangle(piece.triangles.front())[0]);  // near by, for precision
        for (const std::int32_t i : piece.triangles) {
            const Triangle& t = triangle(i);
            piece.volume += dot(place(t[0]) - origin, cross(place(t[1]) - origin, place(t[2]) - origin)) / 6.0;
            for (const std::int32_t node : t) {
                const Vec3& p = place(node);
                piece.low = {std::min(piece.low.x, p.x), std::min(piece.low.y, p.y), std::min(piece.low.z, p.z)};
                piece.high = {std::max(piece.high.x, p.x), std::max(piece.high.y, p.y), std::max(piece.high.z, p.z)};
            }
        }
    }

    // Outside is where a piece's own volume is positive, but inside another piece it is the other way round.
    void turn_outward(std::size_t index) {
        Piece& piece = m_pieces[index];
        if (!piece.closed) return;
        const Triangle& first = triangle(piece.triangles.front());
        const Vec3 point = (place(first[0]) + place(first[1]) + place(first[2])) / 3.0;
        bool inside = false;
        for (std::size_t other = 0; other < m_pieces.size(); ++other) {
            if (other != index && m_pieces[other].closed && surrounds(m_pieces[other], point)) inside = !inside;
        }
        const bool right = inside ? piece.volume <= 0.0 : piece.volume >= 0.0;
        if (right) return;
        for (const std::int32_t t : piece.triangles) flip(t);
        piece.volume = -piece.volume;
    }

    // By the solid angle under which the point sees the piece: 4 pi inside, 0 outside.
    bool surrounds(const Piece& piece, const Vec3& p) {
        const bool within = p.x > piece.low.x && p.y > piece.low.y && p.z > piece.low.z && p.x < piece.high.x &&
                            p.y < piece.high.y && p.z < piece.high.z;
        if (!within) return false;
        double angle = 0.0;
        for (const std::int32_t i : piece.triangles) {
            const Triangle& t = triangle(i);
            const Vec3 a = place(t[0]) - p;
            const Vec3 b = place(t[1]) - p;
            const Vec3 c = place(t[2]) - p;
            const double la = norm(a);
            const double lb = norm(b);
            const double lc = norm(c);
            angle += 2.0 * elementary::atan2(dot(a, cross(b, c)),
                                             la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
        }
        return std::abs(angle) > 2.0 * std::numbers::pi;
    }

    void remove_unreferenced() {
        std::vector<std::int32_t> number(m_mesh.nodes.size(), -1);
        for (const Triangle& t : m_mesh.triangles) {
            for (const std::int32_t node : t) number[static_cast<std::size_t>(node)] = 0;
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < number.size(); ++i) {
            if (number[i] < 0) continue;
            m_mesh.nodes[kept] = m_mesh.nodes[i];
            for (NodeValues& values : m_mesh.values) values.numbers[kept] = values.numbers[i];
            number[i] = static_cast<std::int32_t>(kept++);
        }
        m_report.unreferenced_removed = number.size() - kept;
        m_mesh.nodes.resize(kept);
        for (NodeValues& values : m_mesh.values) values.numbers.resize(kept);
        for (Triangle& t : m_mesh.triangles) {
            for (std::int32_t& node : t) node = number[static_cast<std::size_t>(node)];
        }
    }

    void summarize() {
        m_report.nodes = m_mesh.nodes.size();
        m_report.triangles = m_mesh.triangles.size();
        m_report.pieces = m_pieces.size();
        m_report.closed = m_report.open_edges == 0;
        m_report.flipped = static_cast<std::size_t>(std::count(m_flipped.begin(), m_flipped.end(), 1));
        for (const Triangle& t : m_mesh.triangles) {
            const double area = 0.5 * norm(cross(place(t[1]) - place(t[0]), place(t[2]) - place(t[0])));
            m_report.area += area;
            m_report.flat += area > 0.0 ? 0U : 1U;
        }
        for (const Piece& piece : m_pieces) m_report.volume += m_report.closed ? piece.volume : 0.0;
    }

    SurfaceMesh& m_mesh;
    const std::string& m_name;
    SurfaceReport m_report;
    std::vector<Neighbour> m_neighbours;  // three a triangle
    std::vector<Piece> m_pieces;
    std::vector<char> m_flipped;
};

}  // namespace

SurfaceReport repair_surface(SurfaceMesh& mesh, const std::string& name) {
    return SurfaceRepair(mesh, name).run();
}

SurfaceReport check_surface(const SurfaceMesh& mesh, const std::string& name) {
    SurfaceMesh copy = mesh;
    return repair_surface(copy, name);
}

std::string describe(const SurfaceReport& r) {
    std::string text = fmt::format("surface        {} triangles on {} nodes\n", r.triangles, r.nodes);
    text += r.closed ? "closed         yes\n"
                     : fmt::format("closed         no: {} edges have one triangle only\n", r.open_edges);
    text += fmt::format("area           {:.6g} m^2\n", r.area);
    if (r.closed) text += fmt::format("volume         {:.6g} m^3 ({:.4g} ml)\n", r.volume, r.volume * 1e6);
    text += fmt::format("pieces         {}\n", r.pieces);
    text += fmt::format("repaired       {} triangles turned, {} degenerate ones and {} unused nodes removed\n",
                        r.flipped, r.degenerate_removed, r.unreferenced_removed);
    if (r.flat > 0) text += fmt::format("note           {} triangles have no area\n", r.flat);
    return text;
}

}  // namespace plica
