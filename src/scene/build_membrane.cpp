#include "scene/build_membrane.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/index.hpp"
#include "scene/placed_error.hpp"
#include "tissue/heat/paper.hpp"
#include "tissue/heat/step.hpp"

namespace plica {
namespace {

// A surface, and how the people who wrote the scene call its parts.
struct NamedSurface {
    std::string name;                    // of the body
    SurfaceMesh mesh;                    // sound, at its place
    std::vector<std::int32_t> old_node;  // per node: its number in the file
};

// Errors begin with the body's name.
template <class Call>
auto with_name(const NamedSurface& surface, Call&& call) {
    try {
        return call();
    } catch (const Error& error) {
        rethrow_at(error, surface.name + ": ", 0);
    }
}

// Of entry `index` of the body's list `key`.
std::vector<std::int32_t> select(const NamedSurface& surface, const char* key, std::size_t index,
                                 const NodeSelection& where) {
    try {
        return select_nodes(where, surface.mesh.nodes, {}, surface.old_node);
    } catch (const Error& error) {
        rethrow_at(error, fmt::format("{}.{}[{}]: ", surface.name, key, index), 0);
    }
}

std::vector<std::uint8_t> mark_nodes(const NamedSurface& surface, const char* key,
                                     const std::vector<NodeSelection>& places) {
    std::vector<std::uint8_t> marks(places.empty() ? 0 : surface.mesh.nodes.size(), 0);
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (const std::int32_t n : select(surface, key, i, places[i])) marks[at(n)] = 1;
    }
    return marks;
}

// J/m^2 over the capacity per node, of the last place that has it; empty where all places are at 0.
std::vector<double> list_held(const MembraneDescription& description, const NamedSurface& surface) {
    const std::vector<double>& values = description.cold_at;
    if (std::all_of(values.begin(), values.end(), [](double t) { return t == 0.0; })) return {};
    std::vector<double> held(surface.mesh.nodes.size(), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (const std::int32_t n : select(surface, "cold", i, description.cold[i])) held[at(n)] = values[i];
    }
    return held;
}

// m^2/s per node: of the mesh's own, or everywhere the same, then painted over.
std::vector<double> list_conductivities(const std::vector<PaintDescription>& paint, const NamedSurface& surface,
                                        std::vector<double> own, double everywhere) {
    std::vector<double> conductivity = std::move(own);
    if (conductivity.empty()) conductivity.assign(surface.mesh.nodes.size(), everywhere);
    for (std::size_t i = 0; i < paint.size(); ++i) {
        for (const std::int32_t n : select(surface, "paint", i, paint[i].where))
            conductivity[at(n)] = std::min(paint[i].conductivity.along, paint[i].conductivity.across);
    }
    return conductivity;
}

// Faces between painted nodes get the tensor; other faces what their nodes conduct.
std::vector<heat::FaceConductivity> list_tensors(const std::vector<PaintDescription>& paint,
                                                 const NamedSurface& surface, const std::vector<double>& of_nodes) {
    const auto is_tensor = [](const PaintDescription& p) { return p.conductivity.along != p.conductivity.across; };
    if (std::none_of(paint.begin(), paint.end(), is_tensor)) return {};
    const SurfaceMesh& mesh = surface.mesh;
    std::vector<heat::FaceConductivity> of_faces = heat::conductivity_of_faces(mesh, of_nodes);
    for (std::size_t i = 0; i < paint.size(); ++i) {
        std::vector<std::uint8_t> marked(mesh.nodes.size(), 0);
        for (const std::int32_t n : select(surface, "paint", i, paint[i].where)) marked[at(n)] = 1;
        for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
            const auto& t = mesh.triangles[f];
            const bool whole = marked[at(t[0])] != 0 && marked[at(t[1])] != 0 && marked[at(t[2])] != 0;
            if (whole) of_faces[f] = paint[i].conductivity;
        }
    }
    return of_faces;
}

std::vector<std::array<std::int32_t, 3>> select_faces(const NamedSurface& surface, std::size_t load,
                                                      const std::vector<std::int32_t>& nodes) {
    try {
        return select_triangles(surface.mesh.triangles, nodes, surface.mesh.nodes.size());
    } catch (const Error& error) {
        rethrow_at(error, fmt::format("{}.load[{}]: ", surface.name, load), 0);
    }
}

std::vector<Load> list_loads(const std::vector<LoadDescription>& descriptions, const NamedSurface& surface,
                             const std::vector<double>& mass) {
    std::vector<Load> loads;
    for (std::size_t i = 0; i < descriptions.size(); ++i) {
        Load load = descriptions[i].load;
        const std::vector<std::int32_t> nodes = select(surface, "load", i, descriptions[i].where);
        if (acts_on_nodes(load.kind)) {
            load.nodes = nodes;
            for (const std::int32_t n : nodes) load.masses.push_back(mass[at(n)]);
        } else {
            load.triangles = select_faces(surface, i, nodes);
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

heat::Membrane make_membrane(const MembraneDescription& description, const NamedSurface& surface) {
    heat::Settings settings = fill_settings(description, surface.mesh);
    const std::vector<double> own =
        with_name(surface, [&] { return find_conductivities(description, surface.mesh, surface.old_node); });
    if (!own.empty()) settings.conductivity = *std::max_element(own.begin(), own.end());
    const std::vector<double> conductivity =
        list_conductivities(description.paint, surface, own, settings.conductivity);
    const std::vector<heat::FaceConductivity> tensors = list_tensors(description.paint, surface, conductivity);
    const std::vector<std::uint8_t> fixed = mark_nodes(surface, "fixed", description.fixed);
    const std::vector<std::uint8_t> cold = mark_nodes(surface, "cold", description.cold);
    return with_name(surface,
                     [&] { return heat::build_membrane(surface.mesh, conductivity, tensors, fixed, cold, settings); });
}

}  // namespace

void add_membrane(const BodyDescription& body, bool /*exact*/, Model& model) {
    const MembraneDescription& description = body.membrane;
    NamedSurface surface{body.name, {}, {}};
    surface.mesh = make_membrane_mesh(description, &surface.old_node);
    const SurfaceMesh& mesh = surface.mesh;
    heat::Membrane membrane = make_membrane(description, surface);
    membrane.first_node = static_cast<std::int32_t>(model.nodes());
    membrane.held_at = list_held(description, surface);
    const auto index = static_cast<std::int32_t>(model.bodies.size());
    const double half = half_thickness(description, membrane);
    model.bodies.push_back({body.name, TissueKind::heat, membrane.first_node, membrane.nodes, {}, description.shape});
    const auto is_open = [](const heat::Piece& piece) { return !piece.closed; };
    model.bodies.back().open = std::any_of(membrane.pieces.begin(), membrane.pieces.end(), is_open);
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
    if (membrane.settings.motion == heat::Motion::euler) membrane.euler_step = heat::find_euler_step(membrane);
    membrane.loads = list_loads(description.loads, surface, membrane.mass);
    model.of<HeatSurfaces>().push_back(std::move(membrane));
}

}  // namespace plica
