#include "scene/file/read_membrane.hpp"

#include <fmt/format.h>

#include <limits>

#include "scene/file/read_places.hpp"

namespace plica {
namespace {

constexpr double by_size = std::numeric_limits<double>::quiet_NaN();

void read_shape(TableReader& reader, const Files& files, MembraneDescription& membrane) {
    if (read_mesh_path(reader, files, membrane)) return;
    membrane.shape = reader.choice("shape", "superquadric", {"superquadric", "sphere", "plane", "net", "liver"});
    if (membrane.shape == "superquadric") {
        membrane.nodes = reader.integer("nodes", membrane.nodes, 20, 1000000);
        membrane.exponent = reader.number("exponent", membrane.exponent, {0.1, 2.0});
        membrane.size = reader.vector("size", membrane.size, positive);
    } else if (membrane.shape == "sphere") {
        membrane.nodes = reader.integer("nodes", membrane.nodes, 20, 1000000);
        membrane.radius = reader.number("radius", membrane.radius, positive);
    } else if (membrane.shape == "plane" || membrane.shape == "net") {
        membrane.size = reader.vector("size", {2, 2, 0}, not_negative);
        membrane.columns = reader.integer("columns", membrane.columns, 1, 2000);
        membrane.rows = reader.integer("rows", membrane.rows, 1, 2000);
        if (!(membrane.size.x > 0.0) || !(membrane.size.y > 0.0)) {
            reader.complain("size", "size: found no extent along x or y, expected two that are positive and 0 along z");
        }
    } else {
        membrane.fineness = reader.integer("fineness", membrane.fineness, 1, 7);
    }
}

double read_sized(TableReader& reader, const char* key, const Range& range = positive) {
    return reader.has(key) ? reader.number(key, 1.0, range) : (reader.node(key), by_size);
}

// A number, or the name of values that the mesh file has for its nodes.
void read_conductivity(TableReader& reader, MembraneDescription& membrane) {
    const toml::node* node = reader.node("conductivity");
    if (node == nullptr || !node->is_string()) {
        membrane.settings.conductivity = read_sized(reader, "conductivity");
        return;
    }
    membrane.settings.conductivity = by_size;
    membrane.conductivity_from = reader.text("conductivity", "");
    if (membrane.mesh.empty() || membrane.conductivity_from.empty()) {
        reader.complain("conductivity",
                        fmt::format("{}: found the text \"{}\", expected a number (m^2/s) or, with mesh, the name of "
                                    "values that the file has for its nodes",
                                    reader.path_of("conductivity"), membrane.conductivity_from));
    }
}

void read_material(TableReader& reader, MembraneDescription& membrane) {
    heat::Settings& s = membrane.settings;
    const std::string mode = reader.choice("mode", "complete", {"complete", "paper_attract", "paper_literal"});
    s.mode = mode == "complete"        ? heat::Mode::complete
             : mode == "paper_attract" ? heat::Mode::paper_attract
                                       : heat::Mode::paper_literal;
    s.source =
        reader.choice("source", "work", {"work", "energy"}) == "work" ? heat::Source::work : heat::Source::energy;
    membrane.load = reader.number("bears", 0.0, not_negative);
    read_conductivity(reader, membrane);
    s.young = read_sized(reader, "young");
    s.coupling = read_sized(reader, "coupling", not_negative);
    s.anchor = read_sized(reader, "anchor", not_negative);
    s.bulk = read_sized(reader, "bulk", not_negative);
    const std::string spread = reader.choice("conduction", "implicit", {"implicit", "explicit", "printed"});
    s.spread = spread == "implicit"   ? heat::Spread::implicit
               : spread == "explicit" ? heat::Spread::stencil
                                      : heat::Spread::printed;
    s.motion = reader.choice("motion", "implicit", {"implicit", "explicit"}) == "implicit" ? heat::Motion::implicit
                                                                                           : heat::Motion::euler;
    s.quads = reader.boolean("quads", membrane.shape == "net");
    s.punch_radius = read_sized(reader, "punch_radius");
    s.punch_young = read_sized(reader, "punch_young");
    s.punch_poisson = reader.number("punch_poisson", s.punch_poisson, {0.0, 0.5});
    s.capacity = reader.number("capacity", s.capacity, positive);
    s.relaxation = reader.number("relaxation", s.relaxation, positive);
    s.density = reader.number("density", s.density, positive);
    s.area_damping = reader.number("drag", s.area_damping, not_negative);
    if (s.motion == heat::Motion::euler && s.area_damping == 0.0)
        reader.complain("drag", reader.path_of("drag") + ": found 0, expected a number above 0 with explicit motion");
    s.edge_damping = reader.number("edge_damping", s.edge_damping, not_negative);
    s.contrast_power = reader.number("contrast", s.contrast_power, {0.0, 4.0});
    s.contrast_most = reader.number("contrast_most", s.contrast_most, {1.0, 1e6});
    s.paper_sign = reader.boolean("pulls_cool", s.paper_sign);
}

void read_paint(TableReader& reader, bool printed, std::vector<PaintDescription>& paint) {
    for_each_table(reader, "paint", "{ box = [[...], [...]], conductivity = 0.001 }", [&](TableReader& each) {
        PaintDescription brush;
        brush.where = read_selection(each, false);
        brush.conductivity.along = each.number("conductivity", 0.4, positive);
        brush.conductivity.across = each.number("across", brush.conductivity.along, positive);
        if (brush.conductivity.across != brush.conductivity.along && !each.has("direction")) {
            each.complain("across",
                          "across: found without direction, expected the one along which the surface "
                          "conducts by `conductivity`, e.g. direction = [1, 0, 0]");
        }
        if (brush.conductivity.across != brush.conductivity.along && printed) {
            each.complain("across",
                          "across: found with conduction = \"printed\", expected one conductivity: eq. 10 and 12 have "
                          "no tensors");
        }
        const Vec3 direction = each.vector("direction", {1, 0, 0});
        if (norm(direction) == 0.0) {
            each.complain("direction", "direction: found a zero vector, expected a direction like [1, 0, 0]");
        }
        brush.conductivity.direction = normalized(direction);
        paint.push_back(brush);
    });
}

void read_selections(TableReader& reader, const char* key, std::vector<NodeSelection>& places) {
    for_each_table(reader, key, "{ side = \"-z\" }",
                   [&](TableReader& each) { places.push_back(read_selection(each, false)); });
}

}  // namespace

void read_membrane(TableReader& reader, const Files& files, MembraneDescription& membrane) {
    read_shape(reader, files, membrane);
    read_material(reader, membrane);
    read_paint(reader, membrane.settings.spread == heat::Spread::printed, membrane.paint);
    read_selections(reader, "fixed", membrane.fixed);
    for_each_table(reader, "cold", "{ side = \"-z\", temperature = 0 }", [&](TableReader& each) {
        membrane.cold.push_back(read_selection(each, false));
        membrane.cold_at.push_back(each.number("temperature", 0.0));
    });
    read_loads(reader, membrane.loads);
    membrane.turn = reader.vector("turn", {}, {-100.0, 100.0});
    membrane.center = reader.vector("center", {});
    membrane.thickness = reader.number("thickness", 0.0, {0.0, 0.5});
    membrane.self_contact = reader.boolean("self_contact", true);
}

void read_heat_body(TableReader& reader, const Files& files, BodyDescription& body) {
    read_membrane(reader, files, body.membrane);
}

}  // namespace plica
