#include "scene/field.hpp"

namespace plica {

// The model knows the boundary of solid organs, not their cells: nothing can be said of what is inside.
void fill_field(const Model& /*model*/, FieldKind /*kind*/, Frame& frame) {
    frame.field.clear();
    frame.field_kind = FieldKind::none;
}

}  // namespace plica
