#include "scene/build_organ.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/index.hpp"
#include "core/nearest.hpp"
#include "geometry/mesh/boundary.hpp"

namespace plica {
namespace {

using Triangles = std::vector<std::array<std::int32_t, 3>>;

std::vector<tled::Material> list_materials(const OrganDescription& organ, const VolumeMesh& mesh) {
    if (!organ.by_region.empty()) return organ.by_region;
    const std::size_t regions = std::max<std::size_t>(1, mesh.region_names.size());
    std::vector<tled::Material> materials(regions, organ.material);
    for (const auto& [name, material] : organ.of_region) {
        const auto found = std::find(mesh.region_names.begin(), mesh.region_names.end(), name);
        if (found == mesh.region_names.end()) {
            throw Error(
                fmt::format("the mesh has no region \"{}\"; expected {}", name,
                            mesh.region_names.empty() ? "one with named regions" : join_choices(mesh.region_names)));
        }
        materials[static_cast<std::size_t>(found - mesh.region_names.begin())] = material;
    }
    return materials;
}

void add_loads(const OrganDescription& description, const VolumeMesh& mesh, const std::vector<std::int32_t>& order,
               const Triangles& surface, const std::vector<double>& mass, tled::Organ& organ) {
    const auto select = [&](const NodeSelection& where) {
        return select_nodes(where, mesh.nodes, mesh.node_sets, order);
    };
    std::vector<std::int32_t> number(order.size());
    for (std::size_t n = 0; n < order.size(); ++n) number[at(order[n])] = static_cast<std::int32_t>(n);
    for (const LoadDescription& each : description.loads) {
        Load load = each.load;
        if (acts_on_nodes(load.kind)) {
            load.nodes = select(each.where);
            for (const std::int32_t n : load.nodes) load.masses.push_back(mass[at(n)]);
        } else if (each.faces.empty()) {
            load.triangles = select_triangles(surface, select(each.where), mesh.nodes.size());
        } else {
            for (auto face : each.faces) {
                for (std::int32_t& n : face) {
                    if (n < 0 || at(n) >= number.size()) {
                        throw Error(fmt::format("node {} of a face, expected 0 to {}", n, number.size() - 1));
                    }
                    n = number[at(n)];
                }
                load.triangles.push_back(face);
            }
        }
        organ.loads.push_back(std::move(load));
    }
    for (const MotionDescription& each : description.motions) {
        Motion motion = each.motion;
        motion.nodes = select(each.where);
        organ.held.resize(mesh.nodes.size(), 0);
        for (const std::int32_t n : motion.nodes) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (motion.axes[k]) organ.held[at(n)] = static_cast<std::uint8_t>(organ.held[at(n)] | (1U << k));
            }
        }
        organ.motions.push_back(std::move(motion));
    }
}

// What contact adds to the surface: enough for a certificate to work with, too little to see.
double half_thickness(const OrganDescription& description, const VolumeMesh& mesh, const Triangles& surface) {
    if (description.thickness > 0.0) return 0.5 * description.thickness;
    double edges = 0.0;
    for (const auto& t : surface) edges += distance(mesh.nodes[at(t[0])], mesh.nodes[at(t[1])]);
    return std::min(0.0005, 0.05 * edges / static_cast<double>(std::max<std::size_t>(1, surface.size())));
}

}  // namespace

void add_organ(const BodyDescription& body, bool exact, Model& model) {
    const OrganDescription& description = body.organ;
    VolumeMesh mesh = make_organ_mesh(description, nullptr);
    const std::vector<tled::Material> materials = list_materials(description, mesh);
    tled::OrganSettings settings = description.settings;
    settings.exact = exact;
    std::vector<std::int32_t> order;
    tled::Organ organ = tled::build_organ(mesh, materials, settings, &order);
    const Triangles surface = find_boundary(mesh);
    organ.first_node = static_cast<std::int32_t>(model.nodes());
    organ.damping = description.damping;
    organ.relax = description.relax;
    const std::vector<double> mass = tled::lump_masses(mesh, materials);
    add_loads(description, mesh, order, surface, mass, organ);

    const auto index = static_cast<std::int32_t>(model.bodies.size());
    const double half = half_thickness(description, mesh, surface);
    model.bodies.push_back({body.name, TissueKind::tled, organ.first_node, organ.nodes, {}, description.shape});
    model.rest.insert(model.rest.end(), mesh.nodes.begin(), mesh.nodes.end());
    model.contact_radius.resize(model.rest.size(), -1.0);
    model.column.resize(model.rest.size(), -1);
    model.inverse_mass.reserve(model.rest.size());
    for (std::size_t n = 0; n < mass.size(); ++n) {
        const bool held = !organ.held.empty() && organ.held[n] == 7;
        model.inverse_mass.push_back(held || !(mass[n] > 0.0) ? 0.0 : 1.0 / mass[n]);
    }
    for (const auto& t : surface) {
        const std::int32_t first = organ.first_node;
        model.surface.triangles.push_back(
            {first + t[0], first + t[1], first + t[2], half, index, -1, -1, -1, true, description.self_contact});
        for (const std::int32_t n : t) model.contact_radius[at(first + n)] = half;
    }
    model.of<Solids>().push_back(std::move(organ));
}

}  // namespace plica
