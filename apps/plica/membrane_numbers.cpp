#include "apps/plica/membrane_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/slice.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/march.hpp"

namespace plica::app {
namespace {

using Json = nlohmann::ordered_json;

std::size_t index_of(const World& world, const heat::Membrane& membrane) {
    return static_cast<std::size_t>(&membrane - world.model().of<HeatSurfaces>().data());
}

heat::MembraneEnergy compute_energy(const World& world, const heat::Membrane& membrane) {
    return heat::compute_energy(membrane, slice(membrane, world.state().x), slice(membrane, world.state().v),
                                world.state().of<HeatSurfaces>()[index_of(world, membrane)].temperature);
}

Json stretches_json(const World& world, const heat::Membrane& membrane) {
    const auto x = slice(membrane, world.state().x);
    double least = 1.0, most = 1.0;
    for (const heat::MembraneEdge& e : membrane.edges) {
        const auto a = static_cast<std::size_t>(e.a), b = static_cast<std::size_t>(e.b);
        const double stretch = distance(x[a], x[b]) / distance(membrane.rest[a], membrane.rest[b]);
        least = std::min(least, stretch);
        most = std::max(most, stretch);
    }
    return {{"least", least}, {"most", most}};
}

double largest_displacement(const World& world, const heat::Membrane& membrane) {
    const auto x = slice(membrane, world.state().x);
    double largest = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) largest = std::max(largest, distance(x[n], membrane.rest[n]));
    return largest;
}

// Of all closed pieces together; null where there are none.
Json volume_ratio(const World& world, const heat::Membrane& membrane) {
    double now = 0.0, rest = 0.0;
    for (const heat::Piece& piece : membrane.pieces) {
        if (!piece.closed) continue;
        now += heat::compute_volume(membrane, piece, slice(membrane, world.state().x));
        rest += piece.volume;
    }
    return rest > 0.0 ? Json(now / rest) : Json();
}

}  // namespace

const heat::Membrane* find_membrane(const Model& model, const Body& body) {
    for (const heat::Membrane& membrane : model.of<HeatSurfaces>()) {
        if (membrane.first_node == body.first_node) return &membrane;
    }
    return nullptr;
}

double compute_max_stretch(const World& world, const heat::Membrane& membrane) {
    return stretches_json(world, membrane)["most"].get<double>() - 1.0;
}

double compute_elastic_energy(const World& world, const heat::Membrane& membrane) {
    return compute_energy(world, membrane).stored();
}

void add_membrane_json(const World& world, const heat::Membrane& membrane, Json& body) {
    const heat::Settings& s = membrane.settings;
    const heat::MembraneState& own = world.state().of<HeatSurfaces>()[index_of(world, membrane)];
    const auto [coldest, warmest] = std::minmax_element(own.temperature.begin(), own.temperature.end());
    body["triangles"] = membrane.triangles.size();
    if (membrane.settings.quads) body["quads"] = membrane.quads;
    body["area"] = membrane.rest_area;
    body["material"] = {{"conductivity", s.conductivity},
                        {"young", s.young},
                        {"coupling", s.coupling},
                        {"anchor", s.anchor},
                        {"bulk", s.bulk},
                        {"relaxation", s.relaxation},
                        {"density", s.density},
                        {"drag", s.area_damping}};
    body["obtuse_edges"] = membrane.conduction.obtuse_edges;
    body["temperature"] = {{"least", *coldest}, {"most", *warmest}};
    body["heat"] = heat::compute_heat(membrane.conduction, s.capacity, own.temperature);
    body["tension"] = world.work<HeatSurfaces>().membranes[index_of(world, membrane)].reached.tension;
    body["edge_stretch"] = stretches_json(world, membrane);
    body["displacement"] = largest_displacement(world, membrane);
    body["volume_ratio"] = volume_ratio(world, membrane);
    body["work"] = {{"external", own.numbers.external_work}, {"weight", own.numbers.weight_work},
                    {"active", own.numbers.active_work},     {"drag", own.numbers.damping_work},
                    {"heat_given", own.numbers.heat_given},  {"heat_lost", own.numbers.heat_lost}};
}

std::string membrane_text(const Json& body) {
    const auto number = [](const Json& value) { return value.get<double>(); };
    std::string text = fmt::format(
        "{} triangles, moved by up to {:.2f} mm, {:.2f} mm/s rms, edges {:.3f} to {:.3f} long, {:.3g} J of heat, up to "
        "{:.3g} J/m2, tension {:.2f} of the edges' strength",
        body["triangles"].get<std::size_t>(), 1e3 * number(body["displacement"]), 1e3 * number(body["rms_speed"]),
        number(body["edge_stretch"]["least"]), number(body["edge_stretch"]["most"]), number(body["heat"]),
        number(body["temperature"]["most"]), number(body["tension"]));
    if (!body["volume_ratio"].is_null()) text += fmt::format(", volume {:.4f}", number(body["volume_ratio"]));
    const std::string obtuse = obtuse_text(body["obtuse_edges"].get<int>());
    return obtuse.empty() ? text : fmt::format("{}; {}", text, obtuse);
}

std::string obtuse_text(int obtuse_edges) {
    if (obtuse_edges == 0) return "";
    return fmt::format("{} {} not Delaunay: the angles opposite are obtuse, temperatures may overshoot there",
                       obtuse_edges, obtuse_edges == 1 ? "edge is" : "edges are");
}

}  // namespace plica::app
