#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scene/report.hpp"

namespace plica::render {

// What surfaces take their colour from. Tubes know tissue and curvature, solid organs tissue, stress and stretch; what
// does not know one is drawn as tissue.
enum class ColourBy : std::uint8_t { tissue, curvature, stress, stretch };
inline constexpr std::array<const char*, 4> colour_names{"tissue", "curvature", "stress", "stretch"};

inline std::optional<ColourBy> find_colour(std::string_view name) {
    for (std::size_t i = 0; i < colour_names.size(); ++i) {
        if (name == colour_names[i]) return static_cast<ColourBy>(i);
    }
    return {};
}

// The field that frames must have for it.
inline FieldKind field_for(ColourBy colour) {
    if (colour == ColourBy::stress) return FieldKind::stress;
    return colour == ColourBy::stretch ? FieldKind::stretch : FieldKind::none;
}

}  // namespace plica::render
