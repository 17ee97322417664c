#include "scene/file/read_organ.hpp"

#include <fmt/format.h>

#include <cmath>

#include "geometry/mesh/shapes.hpp"
#include "scene/file/read_places.hpp"

namespace plica {
namespace {

// Liver: Young's modulus and density of soft parenchyma; sources in docs/materials.md.
constexpr double liver_young = 3000.0, liver_poisson = 0.45, liver_density = 1060.0;

void read_relaxations(TableReader& reader, tled::Material& material) {
    double shares = 0.0;
    for_each_table(reader, "relaxation", "{ share = 0.3, time = 0.5 }", [&](TableReader& each) {
        const double share = each.number("share", 0.3, {0.0, 1.0, true});
        const double time = each.number("time", 1.0, {1e-6, 1e6});
        shares += share;
        if (material.relaxations == static_cast<int>(tled::most_relaxations)) {
            each.complain("share", fmt::format("relaxation: found more than {}, expected at most that many",
                                               tled::most_relaxations));
            return;
        }
        material.relaxation[static_cast<std::size_t>(material.relaxations++)] = {share, time};
    });
    if (shares >= 1.0) {
        reader.complain("relaxation",
                        fmt::format("relaxation: found shares that add up to {}, expected less than 1: something "
                                    "must bear the load in the end",
                                    shares));
    }
}

void read_fibre(TableReader& reader, tled::Material& material) {
    const toml::table* table = reader.table("fibre");
    if (table == nullptr) return;
    TableReader fibre(*table, reader.path_of("fibre"), reader.mistakes());
    material.fibre.stiffness = fibre.number("stiffness", 0.0, not_negative);
    const Vec3 direction = fibre.vector("direction", {0, 0, 1});
    if (norm(direction) == 0.0)
        fibre.complain("direction", "direction: found a zero vector, expected a direction like [0, 0, 1]");
    material.fibre.direction = normalized(direction);
    material.fibre.tension_only = fibre.boolean("tension_only", false);
    fibre.finish();
}

tled::Material read_material(TableReader& reader) {
    tled::Material material;
    const std::string law = reader.choice("law", "neo_hookean", {"neo_hookean", "st_venant_kirchhoff"});
    material.law = law == "neo_hookean" ? tled::Law::neo_hookean : tled::Law::st_venant_kirchhoff;
    if (reader.has("shear") || reader.has("bulk")) {
        material.shear = reader.number("shear", 1000.0, positive);
        material.bulk = reader.number("bulk", 10000.0, positive);
        const bool young = reader.node("young") != nullptr, poisson = reader.node("poisson") != nullptr;
        if (young || poisson)
            reader.complain("young", "young: found together with shear and bulk, expected one pair or the other");
    } else {
        const double young = reader.number("young", liver_young, positive);
        tled::set_young(material, young, reader.number("poisson", liver_poisson, {-0.9, 0.4999}));
    }
    material.density = reader.number("density", liver_density, positive);
    read_fibre(reader, material);
    read_relaxations(reader, material);
    reader.finish();
    return material;
}

void read_materials(TableReader& reader, OrganDescription& organ) {
    tled::set_young(organ.material, liver_young, liver_poisson);
    organ.material.density = liver_density;
    if (const toml::table* table = reader.table("material")) {
        TableReader material(*table, reader.path_of("material"), reader.mistakes());
        organ.material = read_material(material);
    }
    const toml::table* regions = reader.table("region");
    if (regions == nullptr) return;
    for (const auto& [name, node] : *regions) {
        const toml::table* table = node.as_table();
        if (table == nullptr) {
            reader.complain("region", fmt::format("region.{}: found {}, expected a material like {{ young = 3000 }}",
                                                  name.str(), describe(node)));
            continue;
        }
        TableReader material(*table, reader.path_of("region") + "." + std::string(name.str()), reader.mistakes());
        organ.of_region[std::string(name.str())] = read_material(material);
    }
}

std::array<bool, 3> read_axes(TableReader& reader) {
    const std::string text = reader.text("axes", "xyz");
    std::array<bool, 3> axes{};
    bool good = !text.empty();
    for (const char c : text) {
        if (c < 'x' || c > 'z') {
            good = false;
        } else {
            axes[static_cast<std::size_t>(c - 'x')] = true;
        }
    }
    if (!good)
        reader.complain("axes", fmt::format("axes: found \"{}\", expected some of x, y and z, e.g. \"xz\"", text));
    return axes;
}

void read_motions(TableReader& reader, OrganDescription& organ) {
    for_each_table(reader, "fixed", "{ side = \"-x\" }", [&](TableReader& each) {
        MotionDescription motion;
        motion.where = read_selection(each, false);
        motion.motion.axes = read_axes(each);
        organ.motions.push_back(motion);
    });
    for_each_table(reader, "motion", "{ side = \"+x\", by = [0.01, 0, 0], until = 1.0 }", [&](TableReader& each) {
        MotionDescription motion;
        motion.where = read_selection(each, false);
        motion.motion.axes = read_axes(each);
        motion.motion.displacement = each.vector("by", {});
        motion.motion.ramp = read_ramp(each);
        organ.motions.push_back(motion);
    });
}

void read_cells(TableReader& reader, OrganDescription& organ) {
    const Vec3 cells = reader.vector("cells", {4, 4, 4}, {1, 1000});
    organ.cells = {static_cast<int>(cells.x), static_cast<int>(cells.y), static_cast<int>(cells.z)};
    if (cells.x != std::floor(cells.x) || cells.y != std::floor(cells.y) || cells.z != std::floor(cells.z) ||
        cells.x * cells.y * cells.z > 4e6) {
        reader.complain("cells", "cells: expected three whole numbers, of at most 4 million cells in all");
    }
}

void read_shape(TableReader& reader, const Files& files, OrganDescription& organ) {
    if (read_mesh_path(reader, files, organ)) {
        organ.mesher = reader.choice("mesher", "stuffing", {"stuffing", "tetgen", "gmsh"});
        organ.cell = reader.number("cell", 0.01, positive);
        return;
    }
    organ.shape = reader.choice("shape", "block", {"block", "ball", "liver", "diaphragm", "slab"});
    if (organ.shape == "block") {
        organ.size = reader.vector("size", {0.1, 0.1, 0.1}, positive);
        read_cells(reader, organ);
    } else if (organ.shape == "ball") {
        organ.radius = reader.number("radius", 0.05, positive);
        organ.cell = reader.number("cell", 0.2 * organ.radius, {1e-4 * organ.radius, organ.radius});
    } else if (organ.shape == "liver") {
        organ.cell = reader.number("cell", liver_cell_for(22000), {1e-4, 0.05});
        organ.own_size = !reader.has("size");
        if (!organ.own_size) organ.size = reader.vector("size", organ.size, {0.005, 1.0});
    } else if (organ.shape == "diaphragm") {
        organ.cells[0] = reader.integer("cells", 15, 3, 500);
    }
}

void read_element(TableReader& reader, OrganDescription& organ) {
    const std::string element = reader.choice("element", "t4", {"t4", "t4anp", "h8"});
    organ.hexahedra = element == "h8";
    organ.settings.tetrahedra = element == "t4anp" ? tled::ElementKind::t4anp : tled::ElementKind::t4;
    organ.settings.hourglass = reader.number("hourglass", 0.4, {0.0, 10.0});
    const bool can_be_hexahedral =
        organ.shape == "block" || organ.shape == "diaphragm" || !organ.mesh.empty();  // a file has what it has
    if (organ.hexahedra && !can_be_hexahedral) {
        reader.complain("element",
                        fmt::format("element: found \"h8\" for a {}, expected \"t4\" or \"t4anp\": only blocks, "
                                    "diaphragms and meshes from files have hexahedra",
                                    organ.shape));
    }
    const auto checks = [&](const tled::Material& material) {
        if (element == "t4anp" && material.law != tled::Law::neo_hookean) {
            reader.complain("element",
                            "element: found \"t4anp\" with law = \"st_venant_kirchhoff\", expected \"neo_hookean\": "
                            "nodes average a pressure that this law does not have");
        }
    };
    checks(organ.material);
    for (const auto& [name, material] : organ.of_region) checks(material);
}

}  // namespace

void read_organ(TableReader& reader, const Files& files, OrganDescription& organ) {
    read_shape(reader, files, organ);
    read_materials(reader, organ);
    read_element(reader, organ);
    organ.turn = reader.vector("turn", {}, {-100.0, 100.0});
    organ.center = reader.vector("center", {});
    organ.damping = reader.number("damping", 0.0, {0.0, 1e5});
    organ.relax = reader.boolean("relax", false);
    organ.thickness = reader.number("thickness", 0.0, {0.0, 0.1});
    organ.self_contact = reader.boolean("self_contact", true);
    read_motions(reader, organ);
    read_loads(reader, organ.loads);
}

void read_solid_body(TableReader& reader, const Files& files, BodyDescription& body) {
    read_organ(reader, files, body.organ);
}

}  // namespace plica
