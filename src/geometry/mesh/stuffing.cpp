#include "geometry/mesh/stuffing.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "geometry/mesh/stencils.hpp"
#include "geometry/mesh/stuffing_front.hpp"
#include "geometry/mesh/surface.hpp"

namespace plica {
namespace {

constexpr double most_cells = 2e7;
constexpr int margin = 3;  // cubes between the surface and the lattice's sides

struct Box {
    Vec3 low, high;
};

Box find_box(const SurfaceMesh& surface) {
    const auto node = [&](std::int32_t i) { return surface.nodes[static_cast<std::size_t>(i)]; };
    const Vec3 first = node(surface.triangles[0][0]);
    Box box{first, first};
    for (const auto& t : surface.triangles) {
        for (const std::int32_t i : t) {
            const Vec3 p = node(i);
            box.low = {min(box.low.x, p.x), min(box.low.y, p.y), min(box.low.z, p.z)};
            box.high = {max(box.high.x, p.x), max(box.high.y, p.y), max(box.high.z, p.z)};
        }
    }
    return box;
}

std::string in_words(double number) {
    std::ostringstream text;
    text.precision(3);
    text << number;
    return text.str();
}

// Both the tetrahedra and the lattice's cubes around them are bounded.
void check_cell(const SurfaceMesh& surface, const Box& box, double cell) {
    if (!std::isfinite(cell) || cell <= 0.0) {
        throw Error("cells of " + in_words(cell) + " m; expected a positive size");
    }
    const double volume = compute_volume(surface);
    if (!(volume > 0.0)) {
        throw Error(
            volume < 0.0
                ? "the surface to fill is turned inside out; expected triangles counterclockwise seen from outside"
                : "the surface to fill encloses nothing");
    }
    const Vec3 size = box.high - box.low;
    const double tetrahedra = Lattice::cubes_tetrahedra * volume / cell / cell / cell;
    const double cubes = (size.x / cell + 2 * margin) * (size.y / cell + 2 * margin) * (size.z / cell + 2 * margin);
    const double excess = std::max(tetrahedra, cubes) / most_cells;
    if (!(excess <= 1.0)) {
        throw Error("cells of " + in_words(cell) + " m would be about " + in_words(std::max(tetrahedra, cubes)) +
                    " in number; expected at most " + in_words(most_cells) + ": take cells of about " +
                    in_words(cell * elementary::cbrt(excess) * 1.05) + " m");
    }
}

// Makes the tetrahedra of the mesh, numbering its nodes as they come up.
class Stuffing {
public:
    Stuffing(const Lattice& lattice, StuffingFront& front, const Vec3& low, double unit)
        : m_lattice(lattice),
          m_front(front),
          m_low(low),
          m_unit(unit),
          m_inner(static_cast<std::size_t>(lattice.nodes()), -1) {}

    void fill(VolumeMesh& mesh) {
        const std::array<int, 3>& size = m_lattice.size();
        for (int k = 1; k + 1 < size[2]; ++k) {
            for (int j = 1; j + 1 < size[1]; ++j) {
                for (int i = 1; i + 1 < size[0]; ++i) add_cube(m_lattice.node(true, i, j, k), mesh);
            }
        }
    }

private:
    void add_cube(std::int32_t centre, VolumeMesh& mesh) {
        for (int which = 0; which < Lattice::cubes_tetrahedra; ++which) {
            const std::array<std::int32_t, 4> corners = m_lattice.tetrahedron(centre, which);
            std::size_t pattern = 0;
            for (std::size_t c = 4; c-- > 0;) {
                pattern = 3 * pattern + static_cast<std::size_t>(m_front.sign(corners[c]) + 1);
            }
            const Stencil& stencil = m_stencils[pattern];
            for (std::size_t t = 0; t < static_cast<std::size_t>(stencil.count); ++t) {
                std::array<std::int32_t, 4> vertices{};
                for (std::size_t c = 0; c < 4; ++c) {
                    const int code = stencil.tetrahedra[t][c];
                    vertices[c] = code < 4 ? vertex_of(corners[static_cast<std::size_t>(code)], mesh)
                                           : cut_vertex_of(corners, code - 4, mesh);
                }
                mesh.tetrahedra.push_back(vertices);
            }
        }
    }

    std::int32_t vertex_of(std::int32_t node, VolumeMesh& mesh) {
        FrontNode* const front = m_front.find(node);
        std::int32_t& vertex = front != nullptr ? front->vertex : m_inner[static_cast<std::size_t>(node)];
        if (vertex < 0) vertex = add_vertex(front != nullptr ? front->place : m_lattice.place(node), mesh);
        return vertex;
    }

    std::int32_t cut_vertex_of(const std::array<std::int32_t, 4>& corners, int edge, VolumeMesh& mesh) {
        const std::int32_t a = corners[static_cast<std::size_t>(stencil_edges[edge][0])];
        const std::int32_t b = corners[static_cast<std::size_t>(stencil_edges[edge][1])];
        int direction = 0;
        while (m_lattice.neighbour(a, direction) != b) ++direction;
        const bool owns = direction < Lattice::half_directions;
        FrontNode& owner = *m_front.find(owns ? a : b);
        const int half = direction % Lattice::half_directions;
        std::int32_t& vertex = owner.cut_vertex[static_cast<std::size_t>(half)];
        if (vertex < 0) vertex = add_vertex(m_front.cut_place(owner, half), mesh);
        return vertex;
    }

    std::int32_t add_vertex(const Vec3& place, VolumeMesh& mesh) const {
        mesh.nodes.push_back(m_low + place * m_unit);
        return static_cast<std::int32_t>(mesh.nodes.size() - 1);
    }

    const Lattice& m_lattice;
    StuffingFront& m_front;
    Vec3 m_low;
    double m_unit;                      // m
    std::vector<std::int32_t> m_inner;  // vertices of nodes away from the surface; -1: not used yet
    std::array<Stencil, 81> m_stencils = make_stencils();
};

SurfaceMesh in_units(SurfaceMesh surface, const Vec3& low, double unit) {
    for (Vec3& p : surface.nodes) p = (p - low) / unit;
    return surface;
}

}  // namespace

VolumeMesh fill_surface(const SurfaceMesh& surface, double cell) {
    check_closed(surface, "the surface to fill");
    const Box box = find_box(surface);
    check_cell(surface, box, cell);
    // The lattice is shifted by shares no shape has: faces and corners with round numbers would fall onto its nodes.
    const Vec3 low = box.low - cell * Vec3{margin + 0.381966, margin + 0.236068, margin + 0.145898};
    const auto cubes = [&](double length) { return static_cast<int>(std::ceil(length / cell)) + 2 * margin + 1; };
    const Vec3 size = box.high - box.low;
    const Lattice lattice({cubes(size.x), cubes(size.y), cubes(size.z)});
    StuffingFront front(lattice, in_units(surface, low, 0.5 * cell));
    front.settle();
    VolumeMesh mesh;
    Stuffing(lattice, front, low, 0.5 * cell).fill(mesh);
    if (mesh.tetrahedra.empty()) {
        throw Error("cells of " + in_words(cell) + " m are too large for a surface of " + in_words(size.x) + " x " +
                    in_words(size.y) + " x " + in_words(size.z) +
                    " m: what it holds is thinner than a cell; take smaller ones");
    }
    return mesh;
}

}  // namespace plica
