#include "scene/file/read_body.hpp"

#include <fmt/format.h>

#include "scene/body_kinds.hpp"
#include "scene/file/read_friction.hpp"

namespace plica {
namespace {

// Sources for every value: docs/materials.md.
struct Material {
    double mass_per_length, axial_stiffness, bending_stiffness, mesentery_stiffness, mesentery_density;
};
constexpr Material paper_material{0.5, 300.0, 1e-3, 5000.0, 1.9};
constexpr Material human_material{0.2, 300.0, 2.5e-4, 5000.0, 1.9};

void read_material(TableReader& reader, const Material& standard, BodyDescription& body) {
    body.mass_per_length = reader.number("mass_per_length", standard.mass_per_length, positive);
    if (body.mass_per_length < 1e-6) {
        reader.complain("mass_per_length",
                        fmt::format("mass_per_length: found {}, expected at least 1e-6 kg/m", body.mass_per_length));
    }
    body.axial_stiffness = reader.number("axial_stiffness", standard.axial_stiffness, positive);
    body.bending_stiffness = reader.number("bending_stiffness", standard.bending_stiffness, not_negative);
    body.viscosity = reader.number("viscosity", 0.005, {0.0, 100.0});
    body.noise = reader.number("noise", 0.0, {0.0, 10.0});
}

void read_intestine(TableReader& reader, BodyDescription& body) {
    const std::string preset = reader.choice("preset", "human", {"paper", "corrected", "human"});
    IntestineParameters& p = body.intestine;
    p = intestine_preset(preset);
    read_material(reader, preset == "human" ? human_material : paper_material, body);
    const Material& material = preset == "human" ? human_material : paper_material;
    body.mesentery_stiffness = reader.number("mesentery_stiffness", material.mesentery_stiffness, positive);
    body.mesentery_density = reader.number("mesentery_density", material.mesentery_density, positive);
    body.mesentery_compression = reader.number("mesentery_compression", 0.1, {1e-6, 1.0});
    body.mesentery_edges = reader.choice("mesentery_contact", "triangles", {"triangles", "edges"}) == "edges";
    // The edges of a graded mesentery are too far apart to keep anything out.
    p.rows = reader.integer("rows", body.mesentery_edges && p.rows == 0 ? 4 : p.rows, 0, 64);
    // By default where it is cheap enough: a grid's slivers are near too many others.
    body.mesentery_self_contact = reader.boolean("mesentery_self_contact", p.rows == 0 && !body.mesentery_edges);
    if (body.mesentery_self_contact && body.mesentery_edges) {
        reader.complain("mesentery_self_contact",
                        fmt::format("{}: found true with mesentery_contact = \"edges\", expected \"triangles\"",
                                    reader.path_of("mesentery_self_contact")));
    }
    body.mesentery_name = reader.text("mesentery_name", "mesentery");
    p.segments = reader.integer("segments", p.segments, 1, 10000);
    p.cell = reader.number("mesentery_cell", p.cell, not_negative);
    p.length = reader.number("length", p.length, positive);
    p.radius_start = reader.number("radius", p.radius_start, positive);
    p.radius_end = reader.number("radius_end", reader.has("radius") ? p.radius_start : p.radius_end, positive);
    p.cylinder_radius = reader.number("cylinder_radius", p.cylinder_radius, positive);
    p.root_length = reader.number("root_length", p.root_length, positive);
    p.half_thickness = 0.5 * reader.number("mesentery_thickness", 2.0 * p.half_thickness, positive);
    p.pitch_ratio = reader.number("pitch_ratio", p.pitch_ratio, {1.0, 100.0});
    p.max_height = reader.number("max_height", p.max_height, not_negative);
    p.mesentery = reader.boolean("mesentery", p.mesentery);
    p.zero_width_ends = reader.boolean("zero_width_ends", p.zero_width_ends);
    body.center = reader.vector("center", {});
    body.axis = reader.vector("axis", {0, 0, 1});
    if (norm(body.axis) == 0.0)
        reader.complain("axis", "axis: found a zero vector, expected a direction like [0, 0, 1]");
}

void read_rope(TableReader& reader, BodyDescription& body) {
    read_material(reader, paper_material, body);
    RopeParameters& p = body.rope;
    p.length = reader.number("length", 1.0, positive);
    p.radius = reader.number("radius", 0.02, positive);
    p.segments = reader.integer("segments", 25, 1, 10000);
    p.layout = reader.choice("layout", "line", {"line", "coil"});
    p.from = reader.vector("from", {});
    p.direction = reader.vector("direction", {1, 0, 0});
    if (p.layout == "coil") {
        p.coil_radius = reader.number("coil_radius", 5.0 * p.radius, positive);
        p.coil_pitch = reader.number("coil_pitch", 2.5 * p.radius, positive);
    }
    const std::string fixed = reader.choice("fixed", "none", {"none", "start", "end", "both"});
    body.fixed_start = fixed == "start" || fixed == "both";
    body.fixed_end = fixed == "end" || fixed == "both";
}

// Each problem begins with the key it is about; one that does not, or whose key has its default, is told at `segments`.
void complain_of_anatomy(TableReader& reader, const std::string& name, const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) {
        const std::string key = problem.substr(0, problem.find(' '));
        reader.complain(reader.has(key) ? key : "segments", name + ": " + problem);
    }
}

}  // namespace

void read_tube(TableReader& reader, const Files& /*files*/, BodyDescription& body) {
    const std::string anatomy = reader.choice("anatomy", "intestine", {"intestine", "rope"});
    body.anatomy = anatomy == "rope" ? Anatomy::rope : Anatomy::intestine;
    if (body.anatomy == Anatomy::intestine) {
        read_intestine(reader, body);
        check_name(reader, "mesentery_name", body.mesentery_name);
        complain_of_anatomy(reader, body.name, check_intestine(body.intestine));
    } else {
        read_rope(reader, body);
        complain_of_anatomy(reader, body.name, check_rope(body.rope));
    }
}

BodyDescription read_body(TableReader& reader, const Files& files) {
    BodyDescription body;
    body.name = reader.text("name", "");
    body.line = reader.line("mesh");
    check_name(reader, "name", body.name);
    body.tissue = *find_tissue(reader.choice("tissue", "mass_spring", readable_tissues()));
    if (body.tissue != TissueKind::rigid) body.velocity = reader.vector("velocity", {}, {-100.0, 100.0});
    body.friction = read_own_friction(reader);
    kind_of(body.tissue).read(reader, files, body);
    reader.finish();
    return body;
}

}  // namespace plica
