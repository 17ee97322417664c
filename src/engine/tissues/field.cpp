#include "engine/tissues/field.hpp"

#include <algorithm>
#include <limits>

#include "engine/named_fields.hpp"
#include "tissue/tled/fields.hpp"

namespace plica {
namespace {

void fill_conductivity(const Model& model, std::vector<float>& values) {
    for (const heat::Membrane& membrane : model.of<HeatSurfaces>()) {
        std::transform(membrane.conductivity.begin(), membrane.conductivity.end(), values.begin() + membrane.first_node,
                       [](double k) { return static_cast<float>(k); });
    }
}

void fill_cell_field(const Model& model, FieldKind kind, Frame& frame) {
    const auto value = kind == FieldKind::stress ? &tled::CellField::von_mises : &tled::CellField::stretch;
    std::vector<tled::CellField> fields;
    std::vector<double> at_node;
    for (const tled::Organ& organ : model.of<Solids>()) {
        const auto first = static_cast<std::size_t>(organ.first_node), nodes = static_cast<std::size_t>(organ.nodes);
        fields.resize(organ.cells());
        at_node.resize(nodes);
        tled::compute_cell_fields(organ, std::span(model.rest).subspan(first, nodes),
                                  std::span(frame.positions).subspan(first, nodes), nullptr, fields);
        tled::average_at_nodes(organ, fields, value, at_node);
        std::transform(at_node.begin(), at_node.end(), frame.field.begin() + organ.first_node,
                       [](double v) { return static_cast<float>(v); });
    }
}

bool can_have(const Model& model, FieldKind kind, const Field* temperature) {
    if (kind == FieldKind::temperature) return temperature != nullptr;
    if (kind == FieldKind::conductivity) return !model.of<HeatSurfaces>().empty();
    return (kind == FieldKind::stress || kind == FieldKind::stretch) && !model.of<Solids>().empty();
}

}  // namespace

std::int32_t count_warm_nodes(const Model& model) {
    std::int32_t count = 0;
    for (const heat::Membrane& membrane : model.of<HeatSurfaces>()) count += membrane.nodes;
    return count;
}

void fill_field(const Model& model, FieldKind kind, Frame& frame) {
    const Field* temperature = frame.find_field("temperature");
    frame.field.clear();
    frame.field_kind = can_have(model, kind, temperature) ? kind : FieldKind::none;
    if (frame.field_kind == FieldKind::none) return;
    if (kind == FieldKind::temperature) {
        spread_field(frame, "temperature", frame.field);
        return;
    }
    frame.field.assign(model.nodes(), std::numeric_limits<float>::quiet_NaN());
    if (kind == FieldKind::conductivity) {
        fill_conductivity(model, frame.field);
    } else {
        fill_cell_field(model, kind, frame);
    }
}

}  // namespace plica
