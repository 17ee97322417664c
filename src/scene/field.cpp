#include "scene/field.hpp"

#include <algorithm>
#include <limits>

#include "tissue/tled/fields.hpp"

namespace plica {

void fill_field(const Model& model, FieldKind kind, Frame& frame) {
    frame.field.clear();
    frame.field_kind = model.organs.empty() ? FieldKind::none : kind;
    if (frame.field_kind == FieldKind::none) return;
    frame.field.assign(model.nodes(), std::numeric_limits<float>::quiet_NaN());
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
