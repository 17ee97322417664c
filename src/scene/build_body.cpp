#include "scene/build_body.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/index.hpp"
#include "scene/build_mesentery.hpp"

namespace plica {
namespace {

void add_nodes(Model& model, const std::vector<Vec3>& positions) {
    model.rest.insert(model.rest.end(), positions.begin(), positions.end());
    model.inverse_mass.resize(model.rest.size(), 0.0);
    model.contact_radius.resize(model.rest.size(), 0.0);
    model.column.resize(model.rest.size(), -1);
}

int next_chain(const Model& model) {
    int chain = 0;
    for (const Capsule& c : model.surface.capsules) chain = std::max(chain, c.chain + 1);
    return chain;
}

// A tube whose nodes first .. first + segments are there already, as contact sees it: every `step`-th node, and the
// last.
struct TubeShape {
    std::int32_t first, segments, step;
    [[nodiscard]] std::int32_t pieces() const { return (segments + step - 1) / step; }
    [[nodiscard]] std::int32_t place(std::int32_t piece) const { return std::min(piece * step, segments); }
    [[nodiscard]] std::int32_t node(std::int32_t piece) const { return first + place(piece); }
};

// Collision surface and bend limit.
void add_tube(Model& model, const TubeShape& tube, const std::vector<double>& radius, int body_index) {
    const int chain = next_chain(model);
    const std::int32_t pieces = tube.pieces();
    double length = 0.0;
    for (std::int32_t i = 0; i < pieces; ++i)
        length += distance(model.rest[at(tube.node(i))], model.rest[at(tube.node(i + 1))]);
    const double h = length / pieces;
    if (tube.step > 1) {  // walls leave alone what is carried
        for (std::int32_t n = tube.first; n <= tube.first + tube.segments; ++n) model.contact_radius[at(n)] = -1.0;
    }
    for (std::int32_t i = 0; i < pieces; ++i) {
        const double r = radius[at((tube.place(i) + tube.place(i + 1)) / 2)];
        const auto exclude = static_cast<std::int32_t>(std::max(1.0, std::ceil(std::numbers::pi * r / h)));
        model.surface.capsules.push_back({tube.node(i), tube.node(i + 1), r, body_index, chain, i, exclude, false});
        for (const std::int32_t n : {tube.node(i), tube.node(i + 1)}) {
            model.contact_radius[at(n)] = std::max(model.contact_radius[at(n)], r);
        }
        // Neighbours closer along the tube than a U-turn are no contacts; this keeps them apart instead.
        if (exclude >= 2 && i + exclude <= pieces) {
            model.of<Springs>().limits.push_back(
                {tube.node(i), tube.node(i + exclude), 0.95 * std::min(exclude * h, 2.0 * r)});
        }
    }
    for (std::int32_t i = 0; i <= pieces; ++i) model.column[at(tube.node(i))] = i;
}

void set_masses(Model& model, std::int32_t first, const Mass& mass, const std::vector<std::uint8_t>& pinned) {
    for (std::size_t i = 0; i < mass.kg.size(); ++i) {
        model.inverse_mass[at(first) + i] = pinned[i] != 0 ? 0.0 : 1.0 / mass.kg[i];
    }
}

void add_tube_mass(Mass& mass, const std::vector<Vec3>& nodes, int segments, double mass_per_length) {
    for (std::int32_t i = 0; i < segments; ++i) {
        const double half = 0.5 * mass_per_length * distance(nodes[at(i)], nodes[at(i + 1)]);
        mass.add(i, half);
        mass.add(i + 1, half);
    }
}

// Springs and bending of a tube without mesentery.
void add_tube_springs(Model& model, const BodyDescription& body, std::int32_t first, int segments, double length,
                      int index) {
    mass_spring::add_rope(model.of<Springs>(),
                          {first, segments + 1, body.axial_stiffness * segments / length, index, body.viscosity},
                          model.rest, model.inverse_mass);
    model.of<Springs>().sheets.back().bending = bending_per_node(body, length / segments);
}

void add_rope(const BodyDescription& body, Model& model) {
    const std::vector<Vec3> nodes = build_rope(body.rope);
    const auto first = static_cast<std::int32_t>(model.nodes());
    const int index = static_cast<int>(model.bodies.size());
    add_nodes(model, nodes);
    model.bodies.push_back({body.name, TissueKind::mass_spring, first, static_cast<std::int32_t>(nodes.size()), {}});
    Mass mass{std::vector<double>(nodes.size(), 0.0)};
    add_tube_mass(mass, nodes, body.rope.segments, body.mass_per_length);
    std::vector<std::uint8_t> pinned(nodes.size(), 0);
    pinned.front() = body.fixed_start ? 1 : 0;
    pinned.back() = body.fixed_end ? 1 : 0;
    add_tube(model, {first, body.rope.segments, 1}, std::vector<double>(at(body.rope.segments), body.rope.radius),
             index);
    set_masses(model, first, mass, pinned);
    add_tube_springs(model, body, first, body.rope.segments, body.rope.length, index);
}

// The anatomy is built around the z axis; this turns z into `axis`.
Vec3 place(const Vec3& p, const Vec3& axis, const Vec3& center) {
    const Vec3 z = normalized(axis);
    const Vec3 x = z == Vec3{0, 0, 1} ? Vec3{1, 0, 0} : any_perpendicular(z);
    const Vec3 y = cross(z, x);
    return center + x * p.x + y * p.y + z * p.z;
}

void add_intestine(const BodyDescription& body, Model& model) {
    IntestineGeometry g = build_intestine(body.intestine);
    if (model.contact.response != ResponseKind::consistent) g.carrier = 1;  // others change velocities
    for (std::vector<Vec3>* points : {&g.nodes, &g.ruling_end}) {
        for (Vec3& p : *points) p = place(p, body.axis, body.center);
    }
    const auto first = static_cast<std::int32_t>(model.nodes());
    const int index = static_cast<int>(model.bodies.size());
    const std::size_t first_capsule = model.surface.capsules.size();
    add_nodes(model, g.nodes);
    Body gut{body.name, TissueKind::mass_spring, first, g.gut_nodes, {}};
    for (const std::int32_t n : g.exempt) gut.exempt.push_back(first + n);
    model.bodies.push_back(gut);
    Mass mass{std::vector<double>(g.nodes.size(), 0.0)};
    add_tube_mass(mass, g.nodes, body.intestine.segments, body.mass_per_length);
    add_tube(model, {first, body.intestine.segments, g.carrier}, g.radius, index);
    std::vector<std::uint8_t> exempt(at(g.gut_nodes), 0);
    for (const std::int32_t n : g.exempt) exempt[at(n)] = 1;
    for (std::size_t i = 0; i + 1 < exempt.size(); ++i) {
        bool& of_piece = model.surface.capsules[first_capsule + i / at(g.carrier)].exempt;
        of_piece = of_piece || (exempt[i] != 0 && exempt[i + 1] != 0);
    }
    if (body.intestine.mesentery) {
        add_mesentery(model, body, g, first, model.surface.capsules[first_capsule].chain, mass);
        set_masses(model, first, mass, g.pinned);
    } else {
        set_masses(model, first, mass, g.pinned);
        add_tube_springs(model, body, first, body.intestine.segments, body.intestine.length, index);
    }
}

}  // namespace

void add_tube_body(const BodyDescription& body, bool /*exact*/, Model& model) {
    if (body.anatomy == Anatomy::rope) {
        add_rope(body, model);
    } else {
        add_intestine(body, model);
    }
}

}  // namespace plica
