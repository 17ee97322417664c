#include "scene/file/nifty/model_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/index.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "scene/file/nifty/nodes.hpp"

namespace plica::nifty {
namespace {

const Vocabulary element_types{{"T4", "T4ANP", "H8"}, {}};

std::optional<tled::ElementKind> read_kind(Document& document, const pugi::xml_node& node) {
    const std::string type = document.choice(node, "Type", "", element_types);
    if (type.empty()) return std::nullopt;
    return type == "H8" ? tled::ElementKind::h8 : type == "T4" ? tled::ElementKind::t4 : tled::ElementKind::t4anp;
}

template <std::size_t Corners>
void add_cells(const std::vector<std::int64_t>& corners, std::vector<std::array<std::int32_t, Corners>>& cells) {
    for (std::size_t i = 0; i < corners.size(); i += Corners) {
        auto& cell = cells.emplace_back();
        for (std::size_t k = 0; k < Corners; ++k) cell[k] = static_cast<std::int32_t>(corners[i + k]);
    }
}

bool read_elements(Document& document, const pugi::xml_node& node, ModelMesh& model) {
    document.check_attributes(node, {"NumEls", "Type"});
    document.check_children(node, {});
    const std::optional<tled::ElementKind> kind = read_kind(document, node);
    std::vector<std::int64_t> corners;
    const std::size_t each = kind ? static_cast<std::size_t>(tled::corners_of(*kind)) : 0;
    if (!read_corners(document, node, each, model.mesh.nodes.size(), corners)) return false;
    model.kind = *kind;
    each == 8 ? add_cells(corners, model.mesh.hexahedra) : add_cells(corners, model.mesh.tetrahedra);
    return true;
}

bool read_mesh_file(Document& document, const pugi::xml_node& node, FileSource& files, ModelMesh& model) {
    document.check_attributes(node, {"Type"});
    document.check_children(node, {{"Translation", "Rotation", "ScaleFactor"}, {}});
    const std::optional<tled::ElementKind> kind = read_kind(document, node);
    const std::string path = find_file(document, node, files);
    if (path.empty()) return false;
    try {
        std::vector<std::string> ignored;
        model.mesh = read_volume_mesh(files, path, 1.0, &ignored);
        for (const std::string& each : ignored) document.note(node, path + ": ignored " + each);
    } catch (const Error& error) {
        document.complain(node, error.what());
        return false;
    }
    if (!kind) return false;
    model.kind = *kind;
    model.mesh.region.clear();
    model.mesh.region_names.clear();
    model.mesh.node_sets.clear();
    const bool cubes = *kind == tled::ElementKind::h8;
    const std::size_t others = cubes ? model.mesh.tetrahedra.size() : model.mesh.hexahedra.size();
    if (others > 0 || model.mesh.cells() == 0) {
        document.complain(
            node,
            fmt::format("{} has {} {}, expected {} for Type=\"{}\"", path, others, cubes ? "tetrahedra" : "hexahedra",
                        cubes ? "hexahedra alone" : "tetrahedra alone", node.attribute("Type").value()));
        return false;
    }
    return place_nodes(document, node, model.mesh.nodes);
}

template <class Cells>
void mark(const Cells& cells, std::vector<std::int32_t>& number) {
    for (const auto& cell : cells) {
        for (const std::int32_t n : cell) number[at(n)] = 0;
    }
}

template <class Cells>
void renumber(Cells& cells, const std::vector<std::int32_t>& number) {
    for (auto& cell : cells) {
        for (std::int32_t& n : cell) n = number[at(n)];
    }
}

// Nodes of no element go; the others keep their order.
void compact(ModelMesh& model) {
    VolumeMesh& mesh = model.mesh;
    model.number.assign(mesh.nodes.size(), -1);
    mark(mesh.tetrahedra, model.number);
    mark(mesh.hexahedra, model.number);
    std::int32_t kept = 0;
    for (std::size_t n = 0; n < model.number.size(); ++n) {
        if (model.number[n] < 0) continue;
        mesh.nodes[at(kept)] = mesh.nodes[n];
        model.number[n] = kept++;
    }
    mesh.nodes.resize(at(kept));
    renumber(mesh.tetrahedra, model.number);
    renumber(mesh.hexahedra, model.number);
}

using Quad = std::array<std::int32_t, 4>;

// Squares of one hexahedron only, in the order of the hexahedra.
std::vector<Face> find_squares(const VolumeMesh& mesh) {
    constexpr std::size_t sides[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    std::vector<Quad> quads;
    for (const auto& cell : mesh.hexahedra) {
        for (const auto& side : sides) quads.push_back({cell[side[0]], cell[side[1]], cell[side[2]], cell[side[3]]});
    }
    std::vector<std::pair<Quad, std::size_t>> keys(quads.size());
    for (std::size_t i = 0; i < quads.size(); ++i) {
        keys[i] = {quads[i], i};
        std::sort(keys[i].first.begin(), keys[i].first.end());
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> single;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool before = i > 0 && keys[i - 1].first == keys[i].first;
        const bool after = i + 1 < keys.size() && keys[i + 1].first == keys[i].first;
        if (!before && !after) single.push_back(keys[i].second);
    }
    std::sort(single.begin(), single.end());
    std::vector<Face> faces;
    for (const std::size_t i : single) faces.push_back({quads[i], 4});
    return faces;
}

}  // namespace

std::optional<ModelMesh> read_model_mesh(Document& document, const pugi::xml_node& model, FileSource& files) {
    const pugi::xml_node nodes = model.child("Nodes"), elements = model.child("Elements");
    const pugi::xml_node msh = model.child("MSHMesh"), vtk = model.child("VTKMesh");
    const int ways = (nodes || elements ? 1 : 0) + (msh ? 1 : 0) + (vtk ? 1 : 0);
    if (ways != 1 || ((nodes || elements) && !(nodes && elements))) {
        document.complain(model, fmt::format("{}: found {}, expected Nodes and Elements, or MSHMesh, or VTKMesh",
                                             model.name(), ways > 1 ? "several meshes" : "no whole mesh"));
        return std::nullopt;
    }
    ModelMesh mesh;
    if (msh || vtk) {
        if (!read_mesh_file(document, msh ? msh : vtk, files, mesh)) return std::nullopt;
    } else {
        const bool placed = read_nodes(document, nodes, mesh.mesh.nodes);
        if (!placed || !read_elements(document, elements, mesh)) return std::nullopt;
    }
    compact(mesh);
    return mesh;
}

bool finish_mesh(Document& document, const pugi::xml_node& model, ModelMesh& mesh) {
    const pugi::xml_node named = model.child("MSHMesh") ? model.child("MSHMesh") : model.child("VTKMesh");
    const pugi::xml_node where = named ? named : model.child("Elements");
    try {
        const MeshReport report = repair_mesh(mesh.mesh, "the mesh");
        mesh.pieces = report.pieces;
        if (report.inverted_repaired > 0)
            document.note(where, fmt::format("{} mirrored elements were turned", report.inverted_repaired));
        if (report.duplicates_removed > 0)
            document.note(where,
                          fmt::format("{} elements that are there twice were left out", report.duplicates_removed));
        for (const auto& t : find_boundary(mesh.mesh)) {
            if (mesh.kind != tled::ElementKind::h8) mesh.boundary.push_back({{t[0], t[1], t[2], -1}, 3});
        }
    } catch (const Error& error) {
        document.complain(where, error.what());
        return false;
    }
    if (mesh.kind == tled::ElementKind::h8) mesh.boundary = find_squares(mesh.mesh);
    return true;
}

}  // namespace plica::nifty
