#include "engine/named_fields.hpp"
#include "engine/step/contact_marks.hpp"
#include "engine/tissues/field.hpp"
#include "simulation/inside.hpp"

// What a simulation shows of its world: contacts, surfaces, fields.
namespace plica {
namespace {

struct ShownField {
    const char *name, *unit;
    FieldKind kind;
};
// That are computed when they are asked for.
constexpr ShownField shown_fields[] = {{"stress", "Pa", FieldKind::stress},
                                       {"stretch", "1", FieldKind::stretch},
                                       {"conductivity", "m^2/s", FieldKind::conductivity}};

bool has_field(const Model& model, FieldKind kind) {
    if (kind == FieldKind::conductivity) return !model.of<HeatSurfaces>().empty();
    return !model.of<Solids>().empty();
}

std::size_t index_of(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

std::size_t Simulation::body(const std::string& name) const {
    for (std::size_t b = 0; b < bodies().size(); ++b) {
        if (bodies()[b].name == name) return b;
    }
    throw Error("no body is called \"" + name + "\"");
}

BodySurface Simulation::surface(std::size_t body) const {
    m_inside->check_body(body);
    const Surface surface = without_edges(m_inside->model().surface);
    BodySurface result;
    for (const Capsule& c : surface.capsules) {
        if (index_of(c.body) == body) result.segments.push_back({{index_of(c.a), index_of(c.b)}, c.radius});
    }
    for (const Triangle& t : surface.triangles) {
        if (index_of(t.body) != body) continue;
        result.triangles.push_back({{index_of(t.a), index_of(t.b), index_of(t.c)}, t.half_thickness});
    }
    return result;
}

BodyCells Simulation::cells(std::size_t body) const {
    m_inside->check_body(body);
    BodyCells result;
    const Model& model = m_inside->model();
    for (const tled::Organ& organ : model.of<Solids>()) {
        if (organ.first_node != model.bodies[body].first_node) continue;
        for (std::size_t c = 0; c < organ.cells(); ++c) {
            const tled::CellNodes nodes = tled::nodes_of(organ, c);
            const auto corners = [&](auto cell) {
                for (std::size_t k = 0; k < cell.size(); ++k) cell[k] = index_of(organ.first_node + nodes.node[k]);
                return cell;
            };
            if (nodes.count == 4) {
                result.tetrahedra.push_back(corners(std::array<std::size_t, 4>{}));
            } else {
                result.hexahedra.push_back(corners(std::array<std::size_t, 8>{}));
            }
        }
    }
    return result;
}

RigidInfo Simulation::rigid(std::size_t body) const {
    m_inside->check_body(body);
    const Model& model = m_inside->model();
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        if (index_of(model.rigids[i].body) != body) continue;
        const RigidState& now = m_inside->world().state().rigids[i];
        return {to_point(now.position), to_point(now.turn), to_point(now.velocity), to_point(now.spin)};
    }
    throw Error("body \"" + bodies()[body].name + "\" is not rigid");
}

std::span<const ContactInfo> Simulation::contacts() const {
    const World& world = m_inside->world();
    m_inside->marks.clear();
    m_inside->contacts.clear();
    if (world.state().substeps == 0) return {};
    add_contact_marks(world.model(), world.state(), m_inside->marks);
    add_wall_marks(world.model(), world.state(), m_inside->marks);
    for (const ContactMark& mark : m_inside->marks) {
        m_inside->contacts.push_back({index_of(mark.a), mark.b < 0 ? no_index : index_of(mark.b), to_point(mark.point),
                                      to_point(mark.normal), mark.force, to_point(mark.friction)});
    }
    return m_inside->contacts;
}

std::vector<FieldInfo> Simulation::fields() const {
    std::vector<FieldInfo> result;
    const Frame& frame = m_inside->frame();
    for (const std::string& name : list_fields(frame)) result.push_back({name, frame.find_field(name)->unit});
    for (const ShownField& field : shown_fields) {
        if (has_field(m_inside->model(), field.kind)) result.push_back({field.name, field.unit});
    }
    return result;
}

std::span<const float> Simulation::field(const std::string& name) const {
    Frame& shown = m_inside->shown;
    if (spread_field(m_inside->frame(), name, shown.field)) return shown.field;
    for (const ShownField& field : shown_fields) {
        if (name != field.name || !has_field(m_inside->model(), field.kind)) continue;
        shown.positions = m_inside->frame().positions;
        fill_field(m_inside->model(), field.kind, shown);
        return shown.field;
    }
    throw Error("this scene has no field \"" + name + "\"");
}

}  // namespace plica
