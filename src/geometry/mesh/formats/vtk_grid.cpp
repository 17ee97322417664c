#include "geometry/mesh/formats/vtk_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "geometry/mesh/formats/volume_builder.hpp"

namespace plica::formats {
namespace {

struct VtkCell {
    std::int64_t type;
    const char* name;
    int dimension;
    int corners;  // 0: any number; -1: not read
};
constexpr VtkCell vtk_cells[] = {{1, "vertex", 0, 1},
                                 {2, "poly-vertex", 0, 0},
                                 {3, "line", 1, 2},
                                 {4, "poly-line", 1, 0},
                                 {5, "triangle", 2, 3},
                                 {6, "triangle strip", 2, -1},
                                 {vtk_polygon, "polygon", 2, 0},
                                 {8, "pixel", 2, -1},
                                 {9, "quadrangle", 2, 4},
                                 {10, "tetrahedron", 3, 4},
                                 {11, "voxel", 3, 8},
                                 {12, "hexahedron", 3, 8},
                                 {13, "wedge", 3, -1},
                                 {14, "pyramid", 3, -1},
                                 {15, "pentagonal prism", 3, -1},
                                 {16, "hexagonal prism", 3, -1},
                                 {21, "quadratic edge", 1, -1},
                                 {22, "quadratic triangle", 2, -1},
                                 {23, "quadratic quadrangle", 2, -1},
                                 {24, "quadratic tetrahedron", 3, -1},
                                 {25, "quadratic hexahedron", 3, -1},
                                 {26, "quadratic wedge", 3, -1},
                                 {27, "quadratic pyramid", 3, -1},
                                 {29, "triquadratic hexahedron", 3, -1},
                                 {42, "polyhedron", 3, -1},
                                 {71, "Lagrange tetrahedron", 3, -1},
                                 {72, "Lagrange hexahedron", 3, -1},
                                 {78, "Bezier tetrahedron", 3, -1},
                                 {79, "Bezier hexahedron", 3, -1}};

const VtkCell* find_cell(std::int64_t type) {
    for (const VtkCell& cell : vtk_cells) {
        if (cell.type == type) return &cell;
    }
    return nullptr;
}

// The cells of a grid one after the other, each checked.
class Cells {
public:
    Cells(const std::string& path, const VtkGrid& grid) : m_path(path), m_grid(grid) {
        if (grid.offsets.size() != grid.types.size()) {
            fail(fmt::format("found {} cells and {} cell types, expected as many of both", grid.offsets.size(),
                             grid.types.size()));
        }
    }
    // Calls visit(kind, points, cell number).
    template <class Visit>
    void for_each(Visit&& visit) {
        std::int64_t start = 0;
        for (std::size_t i = 0; i < m_grid.offsets.size(); ++i) {
            const std::int64_t end = m_grid.offsets[i];
            if (end < start || static_cast<std::uint64_t>(end) > m_grid.connectivity.size()) {
                fail(fmt::format("cell {} ends at {} in the list of points, expected {} to {}", i, end, start,
                                 m_grid.connectivity.size()));
            }
            const VtkCell* cell = find_cell(m_grid.types[i]);
            if (cell == nullptr) fail(fmt::format("cell {} is of VTK type {}; {}", i, m_grid.types[i], wanted));
            const std::span<const std::int64_t> points(m_grid.connectivity.data() + start,
                                                       static_cast<std::size_t>(end - start));
            check(i, *cell, points);
            visit(*cell, points, i);
            start = end;
        }
    }
    [[noreturn]] void fail(const std::string& problem) const {
        throw Error(fmt::format("{}:{}: {}", m_path, m_grid.cells_line, problem));
    }
    static constexpr const char* wanted = "expected linear tetrahedra or hexahedra";

private:
    void check(std::size_t i, const VtkCell& cell, std::span<const std::int64_t> points) const {
        if (cell.dimension == 3 && cell.corners < 0) {
            fail(fmt::format("cell {} is a {} (VTK type {}); {}", i, cell.name, cell.type, wanted));
        }
        if (cell.corners > 0 && points.size() != static_cast<std::size_t>(cell.corners)) {
            fail(fmt::format("cell {} is a {} of {} points, expected {}", i, cell.name, points.size(), cell.corners));
        }
        for (const std::int64_t p : points) {
            if (p >= 0 && static_cast<std::uint64_t>(p) < m_grid.points.size()) continue;
            fail(fmt::format("cell {} has the point {}, expected 0 to {}", i, p,
                             static_cast<std::int64_t>(m_grid.points.size()) - 1));
        }
    }

    const std::string& m_path;
    const VtkGrid& m_grid;
};

std::array<std::int32_t, 8> hexahedron(std::int64_t type, std::span<const std::int64_t> p) {
    std::array<std::int32_t, 8> corners{};
    for (std::size_t i = 0; i < 8; ++i) corners[i] = static_cast<std::int32_t>(p[i]);
    if (type == 11) {  // a voxel counts x, y, z; a hexahedron goes around
        std::swap(corners[2], corners[3]);
        std::swap(corners[6], corners[7]);
    }
    return corners;
}

}  // namespace

bool is_region_name(std::string_view name) {
    static constexpr std::string_view known[] = {
        "REGION",      "REGIONS",   "REGIONID",  "MATERIAL",      "MATERIALID",   "MATERIALIDS",
        "MATERIAL_ID", "LABEL",     "LABELS",    "PART",          "PARTID",       "PHYSICALGROUP",
        "ATTRIBUTE",   "SUBDOMAIN", "MEDIT:REF", "CELLENTITYIDS", "GMSH:PHYSICAL"};
    return std::find(std::begin(known), std::end(known), to_upper(name)) != std::end(known);
}

VtkGrid read_vtk_grid(const std::string& path, std::string_view bytes, Ignored& ignored) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos) throw Error(path + ":1: the file is empty, expected a VTK file");
    return bytes[first] == '<' ? read_vtk_xml(path, bytes, ignored) : read_vtk_legacy(path, bytes, ignored);
}

bool holds_volume(const std::string& path, std::string_view bytes) {
    Ignored ignored;
    const VtkGrid grid = read_vtk_grid(path, bytes, ignored);
    bool surface = false;
    for (const std::int64_t type : grid.types) {
        const VtkCell* cell = find_cell(type);
        if (cell == nullptr || cell->dimension == 3) return true;
        surface = surface || cell->dimension == 2;
    }
    return !surface;
}

VolumeMesh read_vtk_volume(const std::string& path, std::string_view bytes, double scale, Ignored& ignored) {
    VtkGrid grid = read_vtk_grid(path, bytes, ignored);
    VolumeBuilder builder;
    std::size_t lower = 0;
    Cells(path, grid).for_each([&](const VtkCell& cell, std::span<const std::int64_t> p, std::size_t i) {
        if (cell.dimension < 3) {
            ++lower;
            return;
        }
        const std::int32_t region =
            grid.labels.empty() ? VolumeBuilder::no_region : builder.region(std::to_string(grid.labels[i]));
        if (cell.corners == 4) {
            builder.add_tetrahedron({static_cast<std::int32_t>(p[0]), static_cast<std::int32_t>(p[1]),
                                     static_cast<std::int32_t>(p[2]), static_cast<std::int32_t>(p[3])},
                                    region);
        } else {
            builder.add_hexahedron(hexahedron(cell.type, p), region);
        }
    });
    if (builder.cells() == 0) Cells(path, grid).fail("found no tetrahedra or hexahedra");
    if (lower > 0) ignored.push_back(fmt::format("{} points, lines and polygons", lower));
    VolumeMesh mesh = builder.finish(scale);
    mesh.nodes = std::move(grid.points);
    for (Vec3& place : mesh.nodes) place *= scale;
    return mesh;
}

SurfaceMesh read_vtk_surface(const std::string& path, std::string_view bytes, double scale) {
    Ignored ignored;
    VtkGrid grid = read_vtk_grid(path, bytes, ignored);
    SurfaceMesh mesh;
    Cells cells(path, grid);
    cells.for_each([&](const VtkCell& cell, std::span<const std::int64_t> p, std::size_t i) {
        if (cell.dimension == 3)
            cells.fail(fmt::format("cell {} is a {}, expected triangles or polygons", i, cell.name));
        if (cell.dimension < 2) return;
        if (cell.corners < 0 || p.size() < 3) {
            cells.fail(
                fmt::format("cell {} is a {} of {} points, expected triangles or polygons", i, cell.name, p.size()));
        }
        for (std::size_t k = 2; k < p.size(); ++k) {
            mesh.triangles.push_back({static_cast<std::int32_t>(p[0]), static_cast<std::int32_t>(p[k - 1]),
                                      static_cast<std::int32_t>(p[k])});
        }
    });
    if (mesh.triangles.empty()) cells.fail("found no triangles or polygons");
    mesh.nodes = std::move(grid.points);
    mesh.values = std::move(grid.values);
    for (Vec3& place : mesh.nodes) place *= scale;
    return mesh;
}

}  // namespace plica::formats
