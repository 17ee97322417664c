#include "scene/file/nifty/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "core/index.hpp"

namespace plica::nifty {
namespace {

const Vocabulary ways{{"NODES", "FACES", "NORMAL"}, {}};

bool is_by_normal(Document& document, const pugi::xml_node& constraint, bool& good) {
    const std::string way = document.choice(constraint, "SpecType", "NODES", ways);
    good = !way.empty();
    return way == "NORMAL";
}

// Twice the area, outward.
Vec3 normal_of(const Face& face, const std::vector<Vec3>& places) {
    const auto corner = [&](int k) { return places[at(face.node[static_cast<std::size_t>(k)])]; };
    return face.corners == 3 ? cross(corner(1) - corner(0), corner(2) - corner(0))
                             : cross(corner(2) - corner(0), corner(3) - corner(1));
}

// Pieces of the boundary that face this way.
bool find_by_normal(Document& document, const pugi::xml_node& constraint, const ModelMesh& mesh,
                    std::vector<Face>& faces) {
    const pugi::xml_node node = constraint.child("Normal");
    if (!node) {
        document.complain(constraint,
                          "Constraint SpecType=\"NORMAL\": found no Normal, expected one with "
                          "ToleranceAngle and three numbers");
        return false;
    }
    document.check_attributes(node, {"ToleranceAngle"});
    document.check_children(node, {});
    std::vector<double> values;
    if (!document.numbers(node, 3, values)) return false;
    const double angle = node.attribute("ToleranceAngle").as_double(-1.0);
    const Vec3 normal{values[0], values[1], values[2]};
    if (!(angle >= 0.0 && angle <= 180.0) || !(norm(normal) > 1e-9) || !std::isfinite(norm(normal))) {
        document.complain(node, "Normal: expected a direction and ToleranceAngle from 0 to 180 degrees");
        return false;
    }
    const double least = elementary::cos(angle * std::numbers::pi / 180.0) * norm(normal);
    for (const Face& face : mesh.boundary) {
        const Vec3 outward = normal_of(face, mesh.mesh.nodes);
        // Rounding must not lose faces that are exactly so.
        if (dot(outward, normal) >= (least - 1e-9 * norm(normal)) * norm(outward)) faces.push_back(face);
    }
    if (!faces.empty()) return true;
    document.complain(node, "Normal: no part of the boundary faces this way");
    return false;
}

// A list of so many nodes, or the first of so many in a row.
bool read_list(Document& document, const pugi::xml_node& constraint, const ModelMesh& mesh,
               std::vector<std::int64_t>& list) {
    if (std::string_view(constraint.attribute("NumNodes").value()) == "all") {
        for (std::int64_t n = 0; n < mesh.nodes(); ++n) list.push_back(n);
        return true;
    }
    const std::int64_t count = document.count(constraint, "NumNodes");
    const pugi::xml_node node = constraint.child("Nodes");
    if (count < 0) return false;
    if (!node) {
        document.complain(constraint, "Constraint: found no Nodes, expected a list of them");
        return false;
    }
    document.check_attributes(node, {});
    document.check_children(node, {});
    if (!document.integers(node, list)) return false;
    if (count == 0 && list.size() < 2) {
        document.note(constraint, "a Constraint of no nodes has no effect");
        return false;
    }
    if (count == 0 || count > mesh.nodes() || (list.size() != 1 && list.size() != static_cast<std::uint64_t>(count))) {
        document.complain(node,
                          fmt::format("Nodes: found {} for NumNodes=\"{}\" of {} in the mesh, expected as many as "
                                      "NumNodes says and at least one, or the first of them alone",
                                      list.size(), count, mesh.nodes()));
        return false;
    }
    const std::int64_t first = list[0];
    if (list.size() == 1) list.clear();
    for (std::int64_t k = 0; list.size() < static_cast<std::size_t>(count); ++k) list.push_back(first + k);
    for (const std::int64_t n : list) {
        if (n >= 0 && n < mesh.nodes()) continue;
        document.complain(node, fmt::format("Nodes: found the node {}, expected 0 to {}", n, mesh.nodes() - 1));
        return false;
    }
    return true;
}

bool check_face(Document& document, const pugi::xml_node& node, const Face& face) {
    const auto& [a, b, c, d] = face.node;
    const bool apart = a != b && b != c && c != a;
    if (apart && (face.corners == 3 || (d != a && d != b && d != c))) return true;
    document.complain(node, "Faces: found a face with a node twice, expected different corners");
    return false;
}

bool read_face_list(Document& document, const pugi::xml_node& constraint, const ModelMesh& mesh,
                    std::vector<Face>& faces) {
    const std::int64_t count = document.count(constraint, "NumFaces");
    const std::string type = document.choice(constraint, "FaceType", "", {{"Tri", "Quad"}, {}});
    const pugi::xml_node node = constraint.child("Faces");
    if (!node) document.complain(constraint, "Constraint: found no Faces, expected a list of their nodes");
    if (count < 0 || type.empty() || !node) return false;
    document.check_attributes(node, {});
    document.check_children(node, {});
    std::vector<std::int64_t> list;
    if (!document.integers(node, list)) return false;
    const std::size_t corners = type == "Tri" ? 3 : 4;
    if (count == 0 || list.size() % corners != 0 || list.size() / corners != static_cast<std::uint64_t>(count)) {
        document.complain(node, fmt::format("Faces: found {} nodes, expected {} for each of the {} faces of NumFaces, "
                                            "and at least one face",
                                            list.size(), corners, count));
        return false;
    }
    for (std::size_t i = 0; i < list.size(); i += corners) {
        Face& face = faces.emplace_back();
        face.corners = static_cast<int>(corners);
        for (std::size_t k = 0; k < corners; ++k) {
            const std::int64_t n = list[i + k];
            if (n < 0 || n >= mesh.nodes() || mesh.number[static_cast<std::size_t>(n)] < 0) {
                document.complain(node, fmt::format("Faces: found the node {}, expected one of an element, 0 to {}", n,
                                                    mesh.nodes() - 1));
                return false;
            }
            face.node[k] = mesh.number[static_cast<std::size_t>(n)];
        }
        if (!check_face(document, node, face)) return false;
    }
    return true;
}

}  // namespace

bool read_place(Document& document, const pugi::xml_node& constraint, const ModelMesh& mesh,
                std::vector<std::int32_t>& nodes) {
    bool good = true;
    if (is_by_normal(document, constraint, good)) {
        std::vector<Face> faces;
        if (!find_by_normal(document, constraint, mesh, faces)) return false;
        for (const Face& face : faces) nodes.insert(nodes.end(), face.node.begin(), face.node.begin() + face.corners);
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return true;
    }
    std::vector<std::int64_t> list;
    if (!good || !read_list(document, constraint, mesh, list)) return false;
    std::size_t lost = 0;
    for (const std::int64_t n : list) {
        nodes.push_back(mesh.number[static_cast<std::size_t>(n)]);
        lost += nodes.back() < 0 ? 1U : 0U;
    }
    if (lost == nodes.size()) {
        document.complain(constraint, "Constraint: none of its nodes belongs to an element");
        return false;
    }
    if (lost > 0) document.note(constraint, fmt::format("{} of its nodes belong to no element and are left out", lost));
    return true;
}

bool read_faces(Document& document, const pugi::xml_node& constraint, const ModelMesh& mesh, std::vector<Face>& faces) {
    bool good = true;
    if (is_by_normal(document, constraint, good)) return find_by_normal(document, constraint, mesh, faces);
    if (!good) return false;
    if (std::string_view(constraint.attribute("NumFaces").value()) != "all")
        return read_face_list(document, constraint, mesh, faces);
    faces = mesh.boundary;
    return true;
}

}  // namespace plica::nifty
