#include "engine/tissues/field.hpp"

#include <algorithm>
#include <limits>

#include "tissue/tled/fields.hpp"

namespace plica {

namespace {

bool is_of_heat(FieldKind kind) {
    return kind == FieldKind::temperature || kind == FieldKind::conductivity;
}

bool can_have(const Model& model, FieldKind kind, const Frame& frame) {
    if (!is_of_heat(kind)) return !model.organs.empty();
    const auto known = static_cast<std::int32_t>(frame.temperature.size());
    return !model.membranes.empty() && (kind != FieldKind::temperature || known == model.warm_nodes());
}

void fill_heat_field(const Model& model, FieldKind kind, Frame& frame) {
    auto next = frame.temperature.begin();
    for (const heat::Membrane& membrane : model.membranes) {
        const auto field = frame.field.begin() + membrane.first_node;
        if (kind == FieldKind::temperature) {
            std::copy_n(next, membrane.nodes, field);
            next += membrane.nodes;
        } else {
            std::transform(membrane.conductivity.begin(), membrane.conductivity.end(), field,
                           [](double k) { return static_cast<float>(k); });
        }
    }
}

}  // namespace

void fill_field(const Model& model, FieldKind kind, Frame& frame) {
    frame.field.clear();
    frame.field_kind = can_have(model, kind, frame) ? kind : FieldKind::none;
    if (frame.field_kind == FieldKind::none) return;
    frame.field.assign(model.nodes(), std::numeric_limits<float>::quiet_NaN());
    if (is_of_heat(kind)) return fill_heat_field(model, kind, frame);
    const auto value = kind == FieldKind::stress ? &tled::CellField::von_mises : &tled::CellField::stretch;
    std::vector<tled::CellField> fields;
    std::vector<double> at_node;
    for (const tled::Organ& organ : model.organs) {
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

}  // namespace plica
