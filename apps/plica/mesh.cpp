#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "apps/plica/commands.hpp"
#include "apps/plica/print.hpp"
#include "core/nearest.hpp"
#include "geometry/mesh/external.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "geometry/mesh/stuffing.hpp"
#include "geometry/mesh/write_mesh.hpp"

namespace plica::app {
namespace {

Json to_json(const MeshReport& r) {
    return {{"nodes", r.nodes},
            {"tetrahedra", r.tetrahedra},
            {"hexahedra", r.hexahedra},
            {"volume", r.volume},
            {"inverted_repaired", r.inverted_repaired},
            {"duplicates_removed", r.duplicates_removed},
            {"unreferenced_removed", r.unreferenced_removed},
            {"duplicate_positions", r.duplicate_positions},
            {"slivers", r.slivers},
            {"worst_cell", r.worst_cell},
            {"worst_quality", r.worst_quality},
            {"worst_angle", r.worst_angle},
            {"smallest_altitude", r.smallest_altitude},
            {"pieces", r.pieces},
            {"regions", r.regions}};
}

Json to_json(const SurfaceReport& r) {
    return {{"nodes", r.nodes},     {"triangles", r.triangles},
            {"closed", r.closed},   {"open_edges", r.open_edges},
            {"flipped", r.flipped}, {"degenerate_removed", r.degenerate_removed},
            {"flat", r.flat},       {"unreferenced_removed", r.unreferenced_removed},
            {"pieces", r.pieces},   {"area", r.area},
            {"volume", r.volume}};
}

// Before anything is read: a wrong ending must not cost a minute of reading.
void check_output(const MeshOptions& options, bool surface) {
    if (options.output.empty()) return;
    const std::vector<std::string> endings =
        surface ? std::vector<std::string>{".obj"} : std::vector<std::string>{".vtk", ".msh"};
    const std::string ending = std::filesystem::path(options.output).extension().string();
    for (const std::string& each : endings) {
        if (each == ending) return;
    }
    throw Error(fmt::format("{}: found the ending \"{}\", expected {}{}", options.output, ending, join_choices(endings),
                            surface ? " for a surface; --cell fills it" : ""));
}

void write(const VolumeMesh& mesh, const std::string& path) {
    if (path.empty()) return;
    std::filesystem::path(path).extension() == ".msh" ? write_gmsh(mesh, path) : write_vtk(mesh, path);
}

// Whatever fills surfaces is chosen here.
VolumeMesh fill(const SurfaceMesh& surface, const MeshOptions& options) {
    if (options.mesher == "gmsh") return mesh_with_gmsh(surface, options.cell);
    if (options.mesher == "tetgen") return mesh_with_tetgen(surface, options.cell);
    return fill_surface(surface, options.cell);
}

std::string list_names(const VolumeMesh& mesh) {
    std::string text;
    if (!mesh.region_names.empty()) {
        std::vector<std::size_t> cells(mesh.region_names.size(), 0);
        for (const std::int32_t region : mesh.region) ++cells[static_cast<std::size_t>(region)];
        text += "region names  ";
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += fmt::format(" {} ({} cells)", mesh.region_names[i], cells[i]);
        text += "\n";
    }
    if (!mesh.node_sets.empty()) {
        text += "node sets     ";
        for (const NodeSet& set : mesh.node_sets) text += fmt::format(" {} ({} nodes)", set.name, set.nodes.size());
        text += "\n";
    }
    return text;
}

Json names_json(const VolumeMesh& mesh) {
    Json sets = Json::array();
    for (const NodeSet& set : mesh.node_sets) sets.push_back({{"name", set.name}, {"nodes", set.nodes.size()}});
    return {{"region_names", mesh.region_names}, {"node_sets", sets}};
}

void report_volume(VolumeMesh& mesh, const MeshOptions& options, const std::vector<std::string>& ignored, Json json) {
    const MeshReport report = repair_mesh(mesh, options.file);
    write(mesh, options.output);
    if (options.json) {
        json.update({{"kind", "volume"}});
        json.update(to_json(report));
        json.update(names_json(mesh));
        json["ignored"] = ignored;
        print_json(json);
        return;
    }
    std::string text = describe(report) + list_names(mesh);
    if (!ignored.empty()) text += "not read       " + fmt::format("{}", fmt::join(ignored, ", ")) + "\n";
    if (!options.output.empty()) text += fmt::format("written        {}\n", options.output);
    fmt::print("{}", text);
}

void report_surface(const MeshOptions& options) {
    check_output(options, options.cell == 0.0);
    SurfaceMesh surface = read_surface_mesh(options.file, options.scale);
    const SurfaceReport report = repair_surface(surface, options.file);
    if (options.cell > 0.0) {
        if (!report.closed) {
            throw Error(fmt::format("{}: the surface is open at {} edges; only a closed one can be filled",
                                    options.file, report.open_edges));
        }
        VolumeMesh mesh = fill(surface, options);
        report_volume(mesh, options, {}, {{"file", options.file}, {"surface", to_json(report)}});
        return;
    }
    if (!options.output.empty()) write_obj(surface, options.output);
    if (options.json) {
        Json json{{"file", options.file}, {"kind", "surface"}};
        json.update(to_json(report));
        print_json(json);
        return;
    }
    fmt::print("{}", describe(report));
    if (!options.output.empty()) fmt::print("written        {}\n", options.output);
}

}  // namespace

Status inspect_mesh(const MeshOptions& options) {
    if (kind_of_mesh_file(options.file) == MeshFile::surface) {
        report_surface(options);
        return Status::ok;
    }
    if (options.cell > 0.0) throw Error(fmt::format("{}: found a volume; --cell fills surfaces", options.file));
    check_output(options, false);
    std::vector<std::string> ignored;
    VolumeMesh mesh = read_volume_mesh(options.file, options.scale, &ignored);
    report_volume(mesh, options, ignored, {{"file", options.file}});
    return Status::ok;
}

}  // namespace plica::app
