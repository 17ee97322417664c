#include "scene/build_membrane.hpp"

#include <algorithm>

#include "tissue/heat/step.hpp"

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

std::vector<std::uint8_t> mark_nodes(const std::vector<NodeSelection>& places, const SurfaceMesh& mesh) {
    std::vector<std::uint8_t> marks(places.empty() ? 0 : mesh.nodes.size(), 0);
    for (const NodeSelection& where : places) {
        for (const std::int32_t n : select_nodes(where, mesh.nodes, {}, {})) marks[at(n)] = 1;
    }
    return marks;
}

// Faces between painted nodes get the tensor; other faces what their nodes conduct.
std::vector<heat::FaceConductivity> list_tensors(const std::vector<PaintDescription>& paint, const SurfaceMesh& mesh,
                                                 const std::vector<double>& of_nodes) {
    const auto is_tensor = [](const PaintDescription& p) { return p.conductivity.along != p.conductivity.across; };
    if (std::none_of(paint.begin(), paint.end(), is_tensor)) return {};
    std::vector<heat::FaceConductivity> of_faces = heat::conductivity_of_faces(mesh, of_nodes);
    for (const PaintDescription& each : paint) {
        const std::vector<std::uint8_t> marked = mark_nodes({each.where}, mesh);
        for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
            const auto& t = mesh.triangles[f];
            const bool whole = marked[at(t[0])] != 0 && marked[at(t[1])] != 0 && marked[at(t[2])] != 0;
            if (whole) of_faces[f] = each.conductivity;
        }
    }
    return of_faces;
}

std::vector<Load> list_loads(const MembraneDescription& description, const SurfaceMesh& mesh,
                             const std::vector<double>& mass) {
    std::vector<Load> loads;
    for (const LoadDescription& each : description.loads) {
        Load load = each.load;
        const std::vector<std::int32_t> nodes = select_nodes(each.where, mesh.nodes, {}, {});
        if (acts_on_nodes(load.kind)) {
            load.nodes = nodes;
            for (const std::int32_t n : nodes) load.masses.push_back(mass[at(n)]);
        } else {
            load.triangles = select_triangles(mesh.triangles, nodes, mesh.nodes.size());
        }
        loads.push_back(std::move(load));
    }
    return loads;
}

// What contact adds to the surface: enough for a certificate to work with, too little to see.
double half_thickness(const MembraneDescription& description, const heat::Membrane& membrane) {
    if (description.thickness > 0.0) return 0.5 * description.thickness;
    double edges = 0.0;
    for (const heat::SurfaceEdge& e : membrane.conduction.edges) {
        edges += distance(membrane.rest[at(e.a)], membrane.rest[at(e.b)]);
    }
    return 0.05 * edges / static_cast<double>(std::max<std::size_t>(1, membrane.conduction.edges.size()));
}

}  // namespace

void add_membrane(const BodyDescription& body, Model& model) {
    const MembraneDescription& description = body.membrane;
    const SurfaceMesh mesh = make_membrane_mesh(description);
    const heat::Settings settings = fill_settings(description, mesh);
    std::vector<double> conductivity(mesh.nodes.size(), settings.conductivity);
    for (const PaintDescription& each : description.paint) {
        for (const std::int32_t n : select_nodes(each.where, mesh.nodes, {}, {})) {
            conductivity[at(n)] = std::min(each.conductivity.along, each.conductivity.across);
        }
    }
    heat::Membrane membrane =
        heat::build_membrane(mesh, conductivity, list_tensors(description.paint, mesh, conductivity),
                             mark_nodes(description.fixed, mesh), mark_nodes(description.cold, mesh), settings);
    membrane.first_node = static_cast<std::int32_t>(model.nodes());
    const auto index = static_cast<std::int32_t>(model.bodies.size());
    const double half = half_thickness(description, membrane);
    model.bodies.push_back({body.name, "heat", membrane.first_node, membrane.nodes, {}, description.shape});
    model.rest.insert(model.rest.end(), mesh.nodes.begin(), mesh.nodes.end());
    model.contact_radius.resize(model.rest.size(), half);
    model.column.resize(model.rest.size(), -1);
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        const bool fixed = !membrane.fixed.empty() && membrane.fixed[n] != 0;
        model.inverse_mass.push_back(fixed ? 0.0 : 1.0 / membrane.mass[n]);
    }
    for (const auto& t : mesh.triangles) {
        const std::int32_t first = membrane.first_node;
        model.surface.triangles.push_back(
            {first + t[0], first + t[1], first + t[2], half, index, -1, -1, -1, true, description.self_contact});
    }
    membrane.contact_step = heat::find_contact_step(membrane);
    membrane.loads = list_loads(description, mesh, membrane.mass);
    model.membranes.push_back(std::move(membrane));
}

}  // namespace plica
