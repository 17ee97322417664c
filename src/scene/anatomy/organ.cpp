#include "scene/anatomy/organ.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "geometry/mesh/external.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/stuffing.hpp"

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

double coordinate(const Vec3& p, int axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

VolumeMesh fill(const OrganDescription& organ, const SurfaceMesh& surface) {
    if (organ.mesher == "tetgen") return mesh_with_tetgen(surface, organ.cell);
    if (organ.mesher == "gmsh") return mesh_with_gmsh(surface, organ.cell);
    return fill_surface(surface, organ.cell);
}

VolumeMesh read_file(const OrganDescription& organ, std::vector<std::string>* notes) {
    if (kind_of_mesh_file(organ.mesh) == MeshFile::volume) {
        std::vector<std::string> ignored;
        VolumeMesh mesh = read_volume_mesh(organ.mesh, organ.scale, &ignored);
        for (const std::string& each : ignored) {
            if (notes != nullptr) notes->push_back(organ.mesh + ": ignored " + each);
        }
        return mesh;
    }
    SurfaceMesh surface = read_surface_mesh(organ.mesh, organ.scale);
    repair_surface(surface, organ.mesh);
    return fill(organ, surface);
}

VolumeMesh make_shape(const OrganDescription& organ) {
    if (organ.shape == "liver") {
        return organ.own_size ? make_liver(organ.cell) : make_liver(organ.cell, organ.size);
    }
    if (organ.shape == "ball") return make_ball(organ.radius, organ.cell);
    if (organ.shape == "diaphragm") return make_diaphragm(organ.cells[0], organ.hexahedra);
    if (organ.shape == "slab") return make_slab();
    const Vec3 half = organ.size * 0.5;
    return organ.hexahedra ? make_hexahedral_block(-half, half, organ.cells)
                           : make_tetrahedral_block(-half, half, organ.cells);
}

bool is_selected(const NodeSelection& s, const Vec3& p) {
    switch (s.kind) {
        case NodeSelection::Kind::box:
            return p.x >= s.low.x && p.y >= s.low.y && p.z >= s.low.z && p.x <= s.high.x && p.y <= s.high.y &&
                   p.z <= s.high.z;
        case NodeSelection::Kind::ball:
            return squared_norm(p - s.center) <= s.radius * s.radius;
        default:
            return true;
    }
}

std::vector<std::int32_t> select_side(const NodeSelection& s, const VolumeMesh& mesh) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec3& p : mesh.nodes) {
        low = std::min(low, coordinate(p, s.axis));
        high = std::max(high, coordinate(p, s.axis));
    }
    const double slack = 1e-6 * (high - low);
    std::vector<std::int32_t> nodes;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
        const double c = coordinate(mesh.nodes[n], s.axis);
        if (s.towards_high ? c >= high - slack : c <= low + slack) nodes.push_back(static_cast<std::int32_t>(n));
    }
    return nodes;
}

std::vector<std::int32_t> select_set(const NodeSelection& s, const VolumeMesh& mesh) {
    std::vector<std::string> names;
    for (const NodeSet& set : mesh.node_sets) {
        if (set.name == s.set) return set.nodes;
        names.push_back(set.name);
    }
    throw Error(fmt::format("the mesh has no node set \"{}\"; expected {}", s.set,
                            names.empty() ? "one that has node sets" : join_choices(names)));
}

std::vector<std::int32_t> select_list(const NodeSelection& s, const std::vector<std::int32_t>& order) {
    std::vector<std::int32_t> number(order.size());
    for (std::size_t n = 0; n < order.size(); ++n) number[at(order[n])] = static_cast<std::int32_t>(n);
    std::vector<std::int32_t> nodes;
    nodes.reserve(s.nodes.size());
    for (const std::int32_t n : s.nodes) {
        if (n < 0 || at(n) >= number.size()) {
            throw Error(fmt::format("node {} of a constraint, expected 0 to {}", n, number.size() - 1));
        }
        nodes.push_back(number[at(n)]);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

}  // namespace

Vec3 turn_about_axes(Vec3 p, const Vec3& by) {
    if (by == Vec3{}) return p;
    const auto turn = [](double& a, double& b, double angle) {
        const double old = a;
        a = std::cos(angle) * old - std::sin(angle) * b;
        b = std::sin(angle) * old + std::cos(angle) * b;
    };
    turn(p.y, p.z, by.x);
    turn(p.z, p.x, by.y);
    turn(p.x, p.y, by.z);
    return p;
}

VolumeMesh make_organ_mesh(const OrganDescription& organ, std::vector<std::string>* notes) {
    const bool from_file = !organ.mesh.empty();
    VolumeMesh mesh = organ.given ? *organ.given : from_file ? read_file(organ, notes) : make_shape(organ);
    if (organ.given || from_file) {
        const MeshReport report = repair_mesh(mesh, from_file ? organ.mesh : "the mesh");
        if (notes != nullptr && report.slivers > 0) {
            notes->push_back(fmt::format("{} slivers; the worst is cell {} with an angle of {:.1f} degrees",
                                         report.slivers, report.worst_cell, report.worst_angle));
        }
    }
    for (Vec3& p : mesh.nodes) p = turn_about_axes(p, organ.turn) + organ.center;
    return mesh;
}

std::vector<std::int32_t> select_nodes(const NodeSelection& selection, const VolumeMesh& mesh,
                                       const std::vector<std::int32_t>& order) {
    std::vector<std::int32_t> nodes;
    if (selection.kind == NodeSelection::Kind::side) {
        nodes = select_side(selection, mesh);
    } else if (selection.kind == NodeSelection::Kind::set) {
        nodes = select_set(selection, mesh);
    } else if (selection.kind == NodeSelection::Kind::list) {
        nodes = select_list(selection, order);
    } else {
        for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
            if (is_selected(selection, mesh.nodes[n])) nodes.push_back(static_cast<std::int32_t>(n));
        }
    }
    if (nodes.empty()) throw Error("a place that holds no node; expected one within the organ");
    return nodes;
}

}  // namespace plica
