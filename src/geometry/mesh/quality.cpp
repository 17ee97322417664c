#include "geometry/mesh/quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "geometry/mesh/cell_shape.hpp"
#include "geometry/mesh/node_merger.hpp"
#include "geometry/mesh/pieces.hpp"

namespace plica {
namespace {

void add_cell(const CellShape& shape, bool sliver, std::size_t cell, MeshReport& report) {
    report.volume += shape.volume;
    report.slivers += sliver ? 1 : 0;
    report.smallest_altitude = std::min(report.smallest_altitude, shape.altitude);
    if (cell > 0 && !(shape.quality < report.worst_quality)) return;
    report.worst_cell = cell;
    report.worst_quality = shape.quality;
    report.worst_angle = shape.angle;
}

std::size_t count_duplicate_positions(const std::vector<Vec3>& nodes) {
    NodeMerger merger;
    for (const Vec3& place : nodes) merger.add(place);
    return nodes.size() - merger.nodes.size();
}

std::size_t count_pieces(const VolumeMesh& mesh) {
    Pieces pieces(mesh.nodes.size());
    const auto join_all = [&](const auto& cell) {
        for (std::size_t i = 1; i < cell.size(); ++i) pieces.join(cell[0], cell[i]);
    };
    std::for_each(mesh.tetrahedra.begin(), mesh.tetrahedra.end(), join_all);
    std::for_each(mesh.hexahedra.begin(), mesh.hexahedra.end(), join_all);
    return pieces.count();
}

std::string worst_of(const MeshReport& r) {
    if (r.worst_cell < r.tetrahedra) {
        return fmt::format("tetrahedron {}, smallest dihedral angle {:.3g} degrees", r.worst_cell, r.worst_angle);
    }
    return fmt::format("hexahedron {}, smallest corner Jacobian {:.3g}", r.worst_cell - r.tetrahedra, r.worst_quality);
}

}  // namespace

MeshReport measure_mesh(const VolumeMesh& mesh) {
    MeshReport report;
    report.nodes = mesh.nodes.size();
    report.tetrahedra = mesh.tetrahedra.size();
    report.hexahedra = mesh.hexahedra.size();
    report.smallest_altitude = mesh.cells() > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    std::size_t cell = 0;
    for (const auto& t : mesh.tetrahedra) {
        const CellShape shape = compute_shape(places_of(mesh.nodes, t));
        add_cell(shape, shape.angle < sliver_angle, cell++, report);
    }
    for (const auto& h : mesh.hexahedra) {
        const CellShape shape = compute_shape(places_of(mesh.nodes, h));
        add_cell(shape, shape.quality < sliver_ratio, cell++, report);
    }
    report.duplicate_positions = count_duplicate_positions(mesh.nodes);
    report.pieces = count_pieces(mesh);
    report.regions = std::max<std::size_t>(mesh.region_names.size(), 1);
    return report;
}

std::string describe(const MeshReport& r) {
    std::string text =
        fmt::format("cells          {} tetrahedra, {} hexahedra on {} nodes\n", r.tetrahedra, r.hexahedra, r.nodes);
    text += fmt::format("volume         {:.6g} m^3 ({:.4g} ml)\n", r.volume, r.volume * 1e6);
    text += fmt::format("pieces         {}\n", r.pieces);
    text += fmt::format("regions        {}\n", r.regions);
    text += fmt::format("worst cell     {}\n", worst_of(r));
    text += fmt::format("slivers        {}\n", r.slivers);
    text += fmt::format("altitude       {:.4g} mm at least\n", r.smallest_altitude * 1e3);
    text += fmt::format("repaired       {} mirrored cells turned, {} duplicate cells and {} unused nodes removed\n",
                        r.inverted_repaired, r.duplicates_removed, r.unreferenced_removed);
    if (r.duplicate_positions > 0) {
        text += fmt::format("note           {} nodes are where another one is: is the mesh torn there?\n",
                            r.duplicate_positions);
    }
    return text;
}

}  // namespace plica
