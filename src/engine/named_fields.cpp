#include "engine/named_fields.hpp"

#include <algorithm>
#include <limits>

namespace plica {

std::vector<std::string> list_fields(const Frame& frame) {
    std::vector<std::string> names;
    for (const Field& field : frame.fields) {
        if (std::find(names.begin(), names.end(), field.name) == names.end()) names.push_back(field.name);
    }
    return names;
}

bool spread_field(const Frame& frame, std::string_view name, std::vector<float>& out) {
    out.clear();
    if (frame.find_field(name) == nullptr) return false;
    out.assign(frame.positions.size(), std::numeric_limits<float>::quiet_NaN());
    for (const Field& field : frame.fields) {
        if (field.name != name) continue;
        auto next = field.values.begin();
        for (const Field::Range& range : field.where) {
            std::copy_n(next, range.nodes, out.begin() + range.first_node);
            next += range.nodes;
        }
    }
    return true;
}

void show_field(std::string_view name, Frame& frame) {
    const Field* field = frame.find_field(name);
    frame.field_kind = spread_field(frame, name, frame.field) ? FieldKind::named : FieldKind::none;
    frame.field_name = field != nullptr ? field->name : "";
    frame.field_unit = field != nullptr ? field->unit : "";
}

}  // namespace plica
