#include "scene/file/nifty/contact_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "scene/file/nifty/nodes.hpp"

namespace plica::nifty {
namespace {

const Vocabulary facet_types{{"T3", "Q4"}, {}};
const Vocabulary motion_types{{"Translation", "Rotation"}, {}};
constexpr double furthest = 1e9;  // m
constexpr double most_angle = 100.0;

Vec3 to_vec(const std::vector<double>& values, std::size_t first = 0) {
    return {values[first], values[first + 1], values[first + 2]};
}

// Squares become two triangles.
bool read_facets(Document& document, const pugi::xml_node& node, SurfaceMesh& mesh) {
    document.check_attributes(node, {"NumEls", "Type"});
    document.check_children(node, {});
    const std::string type = document.choice(node, "Type", "", facet_types);
    const std::size_t each = type == "T3" ? 3 : type == "Q4" ? 4 : 0;
    std::vector<std::int64_t> corners;
    if (!read_corners(document, node, each, mesh.nodes.size(), corners)) return false;
    const auto corner = [&](std::size_t i) { return static_cast<std::int32_t>(corners[i]); };
    for (std::size_t i = 0; i < corners.size(); i += each) {
        mesh.triangles.push_back({corner(i), corner(i + 1), corner(i + 2)});
        if (each == 4) mesh.triangles.push_back({corner(i), corner(i + 2), corner(i + 3)});
    }
    return true;
}

bool read_file(Document& document, const pugi::xml_node& node, FileSource& files, SurfaceMesh& mesh) {
    document.check_attributes(node, {"Type"});
    document.check_children(node, {{"Translation", "Rotation", "ScaleFactor"}, {}});
    if (document.choice(node, "Type", "", facet_types).empty()) return false;
    const std::string path = find_file(document, node, files);
    if (path.empty()) return false;
    try {
        mesh = read_surface_mesh(files, path, 1.0);
    } catch (const Error& error) {
        document.complain(node, error.what());
        return false;
    }
    return place_nodes(document, node, mesh.nodes);
}

bool read_mesh(Document& document, const pugi::xml_node& node, FileSource& files, SurfaceMesh& mesh) {
    const pugi::xml_node nodes = node.child("Nodes"), elements = node.child("Elements");
    const pugi::xml_node vtk = node.child("VTKSurface");
    if (vtk ? (nodes || elements) : !(nodes && elements)) {
        document.complain(node, fmt::format("ContactSurface: found {}, expected Nodes and Elements, or VTKSurface",
                                            vtk ? "several meshes" : "no whole mesh"));
        return false;
    }
    if (vtk) {
        if (!read_file(document, vtk, files, mesh)) return false;
    } else if (!read_nodes(document, nodes, mesh.nodes) || !read_facets(document, elements, mesh)) {
        return false;
    }
    try {
        const SurfaceReport report = repair_surface(mesh, "the surface");
        if (report.closed || report.flipped == 0) return true;
        document.note(
            node, fmt::format("{} triangles face the other way than their neighbours and were turned", report.flipped));
    } catch (const Error& error) {
        document.complain(vtk ? vtk : elements, error.what());
        return false;
    }
    return true;
}

bool check_angles(Document& document, const pugi::xml_node& node, const Vec3& angles) {
    const double x = std::abs(angles.x), y = std::abs(angles.y), z = std::abs(angles.z), sum = x + y + z;
    const double largest = std::max({x, y, z});
    if (largest > most_angle) {
        document.complain(node, fmt::format("Motion: found a rotation by {} rad, expected at most {}; the numbers are "
                                            "three angles, then the center",
                                            largest, most_angle));
        return false;
    }
    if (largest == sum || sum <= most_turn) return true;
    document.complain(node, fmt::format("Motion: a rotation about several axes by {} rad in all is not supported; "
                                        "supported are {}",
                                        sum, most_turn));
    return false;
}

bool read_motion(Document& document, const pugi::xml_node& node, RigidMotion& motion) {
    document.check_attributes(node, {"Type"});
    document.check_children(node, {});
    const std::string type = document.choice(node, "Type", "", motion_types);
    std::vector<double> values;
    if (type.empty() || !document.numbers(node, type == "Translation" ? 3 : 6, values)) return false;
    if (type == "Translation") {
        motion.translation = to_vec(values);
        if (norm(motion.translation) <= furthest) return true;
        document.complain(node, fmt::format("Motion: expected a translation of at most {}", furthest));
        return false;
    }
    motion.angles = to_vec(values);
    motion.center = to_vec(values, 3);
    return check_angles(document, node, motion.angles);
}

bool read_motions(Document& document, const pugi::xml_node& node, RigidMotion& motion) {
    std::vector<std::string_view> seen;
    bool good = true;
    for (const pugi::xml_node child : node.children("Motion")) {
        const std::string_view type = child.attribute("Type").value();
        if (std::find(seen.begin(), seen.end(), type) != seen.end()) {
            document.complain(child,
                              fmt::format("ContactSurface: found a second Motion Type={}, expected one", quote(type)));
            good = false;
        }
        seen.push_back(type);
        good = read_motion(document, child, motion) && good;
    }
    return good;
}

}  // namespace

void check_slaves(Document& document, const pugi::xml_node& node) {
    for (const char* name : {"SlvNodes", "SlaveNodes"}) {
        const pugi::xml_node slaves = node.child(name);
        if (!slaves) continue;
        document.check_attributes(slaves, {"NumNodes"});
        document.check_children(slaves, {});
        std::vector<std::int64_t> list;
        if (document.integers(slaves, list))
            document.note(slaves, fmt::format("{} has no effect here: the whole surface of all bodies touches", name));
    }
}

std::optional<RigidSurface> read_contact_surface(Document& document, const pugi::xml_node& node, FileSource& files) {
    document.check_attributes(node, {});
    document.check_children(
        node, {{"Nodes", "Elements", "VTKSurface", "Motion", "FrictionCoefficient", "SlvNodes", "SlaveNodes"}, {}},
        {"Motion"});
    document.check_empty(node);
    RigidSurface surface;
    surface.where = node;
    bool good = read_mesh(document, node, files, surface.mesh);
    good = read_motions(document, node, surface.motion) && good;
    if (const pugi::xml_node friction = node.child("FrictionCoefficient"))
        good = document.number(friction, {0.0, 10.0}, surface.friction) && good;
    check_slaves(document, node);
    if (!good) return std::nullopt;
    return surface;
}

}  // namespace plica::nifty
