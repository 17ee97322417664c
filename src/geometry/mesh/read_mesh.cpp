#include "geometry/mesh/read_mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "geometry/mesh/formats/formats.hpp"
#include "geometry/mesh/formats/mesh_text.hpp"

namespace plica {
namespace {

const std::vector<std::string> volume_endings{".msh", ".vtk", ".vtu", ".node", ".ele", ".inp"};
const std::vector<std::string> surface_endings{".stl", ".obj", ".ply", ".vtp"};

bool is_in(const std::vector<std::string>& list, const std::string& word) {
    for (const std::string& each : list) {
        if (each == word) return true;
    }
    return false;
}

bool is_vtk(const std::string& ending) {
    return ending == ".vtk" || ending == ".vtu" || ending == ".vtp";
}

// Lower case, as in ".msh"; ".node" for the stem of a pair of TetGen files.
std::string ending_of(const FileSource& files, const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    std::vector<std::string> known = volume_endings;
    known.insert(known.end(), surface_endings.begin(), surface_endings.end());
    if (is_in(known, ending)) return ending;
    if (files.has(path + ".node")) return ".node";
    const std::string nearest = ending.empty() ? "" : find_nearest(ending, known);
    throw Error(fmt::format("{}: found the ending {}, expected {}{}", path, formats::quote(ending), join_choices(known),
                            nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

void check_scale(const std::string& path, double scale) {
    if (std::isfinite(scale) && scale > 0.0) return;
    throw Error(fmt::format("{}: found the scale {}, expected a number above 0", path, scale));
}

std::string stem_of(const std::string& path) {
    const std::filesystem::path file(path);
    const std::string ending = file.extension().string();
    const bool pair = formats::to_upper(ending) == ".NODE" || formats::to_upper(ending) == ".ELE";
    return pair ? path.substr(0, path.size() - ending.size()) : path;
}

VolumeMesh read_volume(FileSource& files, const std::string& path, const std::string& ending, double scale,
                       formats::Ignored& ignored) {
    if (ending == ".node" || ending == ".ele") return formats::read_tetgen(files, stem_of(path), scale, ignored);
    const std::string& bytes = files.read(path);
    if (ending == ".msh") return formats::read_gmsh(path, bytes, scale, ignored);
    if (ending == ".inp") return formats::read_abaqus(path, bytes, scale, ignored);
    return formats::read_vtk_volume(path, bytes, scale, ignored);
}

SurfaceMesh read_surface(FileSource& files, const std::string& path, const std::string& ending, double scale) {
    const std::string& bytes = files.read(path);
    if (ending == ".stl") return formats::read_stl(path, bytes, scale);
    if (ending == ".obj") return formats::read_obj(path, bytes, scale);
    if (ending == ".ply") return formats::read_ply(path, bytes, scale);
    return formats::read_vtk_surface(path, bytes, scale);
}

}  // namespace

MeshFile kind_of_mesh_file(FileSource& files, const std::string& path) {
    const std::string ending = ending_of(files, path);
    if (is_vtk(ending)) {
        return formats::holds_volume(path, files.read(path)) ? MeshFile::volume : MeshFile::surface;
    }
    return is_in(volume_endings, ending) ? MeshFile::volume : MeshFile::surface;
}

VolumeMesh read_volume_mesh(FileSource& files, const std::string& path, double scale,
                            std::vector<std::string>* ignored) {
    const std::string ending = ending_of(files, path);
    check_scale(path, scale);
    if (!is_in(volume_endings, ending)) {
        throw Error(
            fmt::format("{}: found a surface ({}), expected a volume: {}", path, ending, join_choices(volume_endings)));
    }
    formats::Ignored left_out;
    VolumeMesh mesh = read_volume(files, path, ending, scale, left_out);
    if (ignored != nullptr) ignored->insert(ignored->end(), left_out.begin(), left_out.end());
    return mesh;
}

SurfaceMesh read_surface_mesh(FileSource& files, const std::string& path, double scale) {
    const std::string ending = ending_of(files, path);
    check_scale(path, scale);
    if (!is_vtk(ending) && !is_in(surface_endings, ending)) {
        throw Error(fmt::format("{}: found a volume ({}), expected a surface: {}", path, ending,
                                join_choices(surface_endings)));
    }
    SurfaceMesh mesh = read_surface(files, path, ending, scale);
    // A file may list its nodes twice; values of some of them alone are none.
    std::erase_if(mesh.values, [&](const NodeValues& v) { return v.numbers.size() != mesh.nodes.size(); });
    return mesh;
}

MeshFile kind_of_mesh_file(const std::string& path) {
    FileSource disk("");
    return kind_of_mesh_file(disk, path);
}

VolumeMesh read_volume_mesh(const std::string& path, double scale, std::vector<std::string>* ignored) {
    FileSource disk("");
    return read_volume_mesh(disk, path, scale, ignored);
}

SurfaceMesh read_surface_mesh(const std::string& path, double scale) {
    FileSource disk("");
    return read_surface_mesh(disk, path, scale);
}

}  // namespace plica
