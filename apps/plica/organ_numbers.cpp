#include "apps/plica/organ_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/plica/membrane_numbers.hpp"
#include "engine/slice.hpp"
#include "io/export/organ_vtk.hpp"
#include "tissue/tled/fields.hpp"
#include "tissue/tled/limit.hpp"

namespace plica::app {
namespace {

template <class Visit>
void visit_cells(const World& world, const tled::Organ& organ, Visit&& visit) {
    const auto index = static_cast<std::size_t>(&organ - world.model().of<Solids>().data());
    tled::visit_cell_fields(organ, slice(organ, world.model().rest), slice(organ, world.state().x),
                            &world.state().of<Solids>()[index].history,
                            [&](std::size_t, const tled::CellField& field) { visit(field); });
}

// Sum of what the motions' holds exert on the organ, N: the tissue's force there less the loads, for a body at rest.
Vec3 sum_reactions(const World& world, const tled::Organ& organ) {
    Vec3 sum;
    for (const Vec3& each :
         compute_reactions(world, static_cast<std::size_t>(&organ - world.model().of<Solids>().data())))
        sum += each;
    return sum;
}

}  // namespace

const tled::Organ* find_organ(const Model& model, const Body& body) {
    for (const tled::Organ& organ : model.of<Solids>()) {
        if (organ.first_node == body.first_node) return &organ;
    }
    return nullptr;
}

double compute_max_stretch(const World& world, std::size_t body) {
    const Model& model = world.model();
    const tled::Organ* organ = find_organ(model, model.bodies[body]);
    const heat::Membrane* membrane = find_membrane(model, model.bodies[body]);
    if (membrane != nullptr) return compute_max_stretch(world, *membrane);
    if (organ == nullptr) {
        return mass_spring::compute_max_stretch(model.of<Springs>(), world.state().x, static_cast<int>(body));
    }
    double largest = 1.0;
    visit_cells(world, *organ, [&](const tled::CellField& field) { largest = std::max(largest, field.stretch); });
    return largest - 1.0;
}

double compute_elastic_energy(const World& world, std::size_t body) {
    const Model& model = world.model();
    const tled::Organ* organ = find_organ(model, model.bodies[body]);
    const heat::Membrane* membrane = find_membrane(model, model.bodies[body]);
    if (membrane != nullptr) return compute_elastic_energy(world, *membrane);
    if (organ == nullptr)
        return mass_spring::compute_energy(model.of<Springs>(), world.state().x, static_cast<int>(body));
    return tled::compute_energy(*organ, slice(*organ, model.rest), slice(*organ, world.state().x));
}

void add_organ_json(const World& world, const tled::Organ& organ, nlohmann::ordered_json& body) {
    double rest_volume = 0.0, stress = 0.0, least = 1.0;
    visit_cells(world, organ, [&](const tled::CellField& field) {
        rest_volume += field.volume;
        stress = std::max(stress, field.von_mises);
        least = std::min(least, field.volume_ratio);
    });
    const auto index = static_cast<std::size_t>(&organ - world.model().of<Solids>().data());
    const tled::CellBound bound = tled::bound_step(organ);
    const Vec3 reaction = sum_reactions(world, organ);
    body["cells"] = organ.cells();
    body["element"] = tled::element_name(organ.blocks.empty() ? organ.settings.tetrahedra : organ.blocks.back().kind);
    body["precision"] = organ.settings.exact ? "double" : "single";
    body["rest_volume"] = rest_volume;
    body["volume"] = tled::compute_present_volume(organ, slice(organ, world.state().x));
    body["least_volume_ratio"] = least;
    body["max_von_mises"] = stress;
    body["reaction"] = {reaction.x, reaction.y, reaction.z};
    body["step_limit"] = {{"seconds", world.state().of<Solids>()[index].numbers.limit},
                          {"cell_bound", bound.seconds},
                          {"cell", organ.source[bound.cell]},
                          {"median_cell_bound", bound.median}};
}

std::vector<std::string> organ_lines(const nlohmann::ordered_json& body) {
    const auto number = [&](const char* key) { return body[key].get<double>(); };
    const auto& limit = body["step_limit"];
    return {
        fmt::format("{} {} cells, {:.1f} ml ({:+.2f} %), {:.2f} mm/s rms, largest stretch {:.3f}, von Mises {:.3g} Pa",
                    body["cells"].get<std::size_t>(), body["element"].get<std::string>(), 1e6 * number("volume"),
                    100.0 * (number("volume") / number("rest_volume") - 1.0), 1e3 * number("rms_speed"),
                    1.0 + number("max_stretch"), number("max_von_mises")),
        fmt::format(
            "stable steps up to {:.3g} ms; the fastest cell, {}, alone would allow {:.3g} ms (median cell {:.3g})",
            1e3 * limit["seconds"].get<double>(), limit["cell"].get<int>(), 1e3 * limit["cell_bound"].get<double>(),
            1e3 * limit["median_cell_bound"].get<double>())};
}

}  // namespace plica::app
