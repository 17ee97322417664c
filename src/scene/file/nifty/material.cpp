#include "scene/file/nifty/material.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plica::nifty {
namespace {

const Vocabulary material_types{{"NH", "TI", "NHV", "TIV"}, {"AB", "PY", "LE"}};
constexpr double stiffest = 1e12;  // Pa

bool read_elastic(Document& document, const pugi::xml_node& node, bool fibres, tled::Material& material) {
    document.check_attributes(node, {"NumParams"});
    document.check_children(node, {});
    const std::size_t wanted = fibres ? 6 : 2;
    const std::int64_t promised = document.count(node, "NumParams");
    std::vector<double> values;
    if (!document.numbers(node, values) || promised < 0) return false;
    if (values.size() != wanted || static_cast<std::uint64_t>(promised) != wanted) {
        document.complain(
            node, fmt::format("ElasticParams: found {} numbers and NumParams=\"{}\", expected {}: {}", values.size(),
                              promised, wanted, fibres ? "mu, K, eta and the fibres' direction" : "mu and K"));
        return false;
    }
    const auto is_stiffness = [](double value) { return value > 0.0 && value <= stiffest; };
    if (!is_stiffness(values[0]) || !is_stiffness(values[1]) ||
        (fibres && !(values[2] >= 0.0 && values[2] <= stiffest))) {
        document.complain(node, fmt::format("ElasticParams: found mu = {} Pa and K = {} Pa{}, expected more than 0 and "
                                            "at most {}",
                                            values[0], values[1],
                                            fibres ? fmt::format(" and eta = {} Pa", values[2]) : "", stiffest));
        return false;
    }
    material.shear = values[0];
    material.bulk = values[1];
    if (!fibres) return true;
    const Vec3 direction{values[3], values[4], values[5]};
    if (!(norm(direction) > 1e-9) || !std::isfinite(norm(direction))) {
        document.complain(node, "ElasticParams: found a direction of fibres without length, expected one like 1 0 0");
        return false;
    }
    // NiftySim: S = eta (I4 - 1) ..., ours is the derivative of stiffness/2 (I4 - 1)^2, twice as much.
    material.fibre.stiffness = 0.5 * values[2];
    material.fibre.direction = normalized(direction);
    return true;
}

// Pairs of share and time, first those of the isochoric stress, then those of the volumetric one.
bool read_viscous(Document& document, const pugi::xml_node& node, tled::Material& material) {
    document.check_attributes(node, {"NumIsoTerms", "NumVolTerms"});
    document.check_children(node, {});
    const std::int64_t isochoric = document.count(node, "NumIsoTerms"),
                       volumetric = document.count(node, "NumVolTerms");
    std::vector<double> values;
    if (!document.numbers(node, values) || isochoric < 0 || volumetric < 0) return false;
    if (values.size() % 2 != 0 || isochoric > 1000 || volumetric > 1000 ||
        static_cast<std::uint64_t>(isochoric + volumetric) != values.size() / 2) {
        document.complain(node, fmt::format("ViscoParams: found {} numbers, expected two for each of the {} terms",
                                            values.size(), isochoric + volumetric));
        return false;
    }
    const auto half = values.begin() + 2 * isochoric;
    if (!std::equal(values.begin(), half, half, values.end())) {
        document.complain(node,
                          "ViscoParams with isochoric terms that differ from the volumetric ones are not supported: "
                          "here all of the stress relaxes alike");
        return false;
    }
    if (static_cast<std::size_t>(isochoric) > tled::most_relaxations) {
        document.complain(node, fmt::format("ViscoParams with {} terms are not supported, at most {} are", isochoric,
                                            tled::most_relaxations));
        return false;
    }
    double shares = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(isochoric); ++i) {
        const double share = values[2 * i], time = values[2 * i + 1];
        shares += share;
        if (!(share >= 0.0 && shares < 1.0) || !(time >= 1e-6 && time <= 1e6)) {
            document.complain(node, fmt::format("ViscoParams: found the share {} and the time {} s, expected shares "
                                                "from 0 that add up to less than 1 and times from 1e-6 to 1e6",
                                                share, time));
            return false;
        }
        material.relaxation[i] = {share, time};
    }
    material.relaxations = static_cast<int>(isochoric);
    return true;
}

bool read_material(Document& document, const pugi::xml_node& node, double density, tled::Material& material) {
    document.check_attributes(node, {"Type"});
    document.check_children(node, {{"ElasticParams", "ViscoParams", "Density"}, {}});
    document.check_empty(node);
    const std::string type = document.choice(node, "Type", "", material_types);
    bool good = !type.empty();
    material.density = density;
    if (const pugi::xml_node own = node.child("Density")) {
        good = document.number(own, {0.0, 1e6, true}, material.density) && good;
    } else if (!(density > 0.0)) {
        document.complain(node, "Material: found no Density, expected one here or in SystemParams");
        good = false;
    }
    if (!good) return false;
    const pugi::xml_node elastic = node.child("ElasticParams"), viscous = node.child("ViscoParams");
    const bool relaxes = type.back() == 'V';
    if (!elastic || relaxes != static_cast<bool>(viscous)) {
        document.complain(node, fmt::format("Material: found {} for Type=\"{}\"",
                                            !elastic  ? "no ElasticParams"
                                            : relaxes ? "no ViscoParams"
                                                      : "ViscoParams",
                                            type));
        return false;
    }
    good = read_elastic(document, elastic, type[0] == 'T', material);
    return (!relaxes || read_viscous(document, viscous, material)) && good;
}

// Elements of the set; false after a complaint.
bool read_members(Document& document, const pugi::xml_node& node, std::int64_t cells, std::vector<std::int64_t>& list) {
    if (std::string_view(node.attribute("Size").value()) == "all") {
        for (std::int64_t c = 0; c < cells; ++c) list.push_back(c);
        return true;
    }
    const std::int64_t size = document.count(node, "Size");
    if (size < 0 || !document.integers(node, list)) return false;
    if (size > cells || (list.size() != 1 && list.size() != static_cast<std::uint64_t>(size))) {
        document.complain(node, fmt::format("ElementSet: found {} elements listed for Size=\"{}\" of {} in the mesh, "
                                            "expected as many as Size says, or the first alone",
                                            list.size(), size, cells));
        return false;
    }
    if (size == 0) document.note(node, "ElementSet: an empty set");
    if (list.size() == 1 && size != 1) {  // the first of a row
        const std::int64_t first = list[0];
        list.clear();
        for (std::int64_t c = 0; c < size; ++c) list.push_back(first + c);
    }
    for (const std::int64_t c : list) {
        if (c >= 0 && c < cells) continue;
        document.complain(node, fmt::format("ElementSet: found the element {}, expected 0 to {}", c, cells - 1));
        return false;
    }
    return true;
}

bool take_members(Document& document, const pugi::xml_node& set, std::int32_t index,
                  std::vector<std::int32_t>& region) {
    std::vector<std::int64_t> members;
    if (!read_members(document, set, static_cast<std::int64_t>(region.size()), members)) return false;
    for (const std::int64_t c : members) {
        std::int32_t& mine = region[static_cast<std::size_t>(c)];
        if (mine >= 0) {
            document.complain(set, fmt::format("ElementSet: the element {} is in another set too", c));
            return false;
        }
        mine = index;
    }
    return true;
}

}  // namespace

std::vector<tled::Material> read_materials(Document& document, const pugi::xml_node& model, double density,
                                           ModelMesh& mesh) {
    std::vector<tled::Material> materials;
    std::vector<std::int32_t> region(mesh.mesh.cells(), -1);
    bool good = true;
    for (const pugi::xml_node set : model.children("ElementSet")) {
        document.check_attributes(set, {"Size"});
        document.check_children(set, {{"Material"}, {}});
        const auto index = static_cast<std::int32_t>(materials.size());
        tled::Material& material = materials.emplace_back();
        mesh.mesh.region_names.push_back(fmt::format("set {}", index));
        if (const pugi::xml_node node = set.child("Material")) {
            good = read_material(document, node, density, material) && good;
        } else {
            document.complain(set, "ElementSet: found no Material, expected one");
        }
        good = good && take_members(document, set, index, region);  // one mistake hides those that follow from it
    }
    const auto without = std::find(region.begin(), region.end(), -1);
    if (good && without != region.end()) {
        document.complain(model, fmt::format("{}: the element {} is in no ElementSet, expected a material for each",
                                             model.name(), without - region.begin()));
    }
    for (std::int32_t& r : region) r = std::max(r, 0);
    mesh.mesh.region = std::move(region);
    if (materials.empty()) {  // told above
        materials.emplace_back();
        mesh.mesh.region_names.emplace_back("set 0");
    }
    return materials;
}

}  // namespace plica::nifty
