#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/frame.hpp"

namespace plica::render {

// What surfaces take their colour from. Tubes know tissue and curvature, solid organs tissue, stress and stretch,
// surfaces of heat tissue temperature and conductivity; any surface knows the field that its tissue publishes by a name
// of its own (named). What does not know one is drawn as tissue.
enum class ColourBy : std::uint8_t { tissue, curvature, stress, stretch, temperature, conductivity, named };
// Without named, which has many.
inline constexpr std::array<const char*, 6> colour_names{"tissue",  "curvature",   "stress",
                                                         "stretch", "temperature", "conductivity"};

inline std::optional<ColourBy> find_colour(std::string_view name) {
    for (std::size_t i = 0; i < colour_names.size(); ++i) {
        if (name == colour_names[i]) return static_cast<ColourBy>(i);
    }
    return {};
}

// The field that frames must have for it.
inline FieldKind field_for(ColourBy colour) {
    switch (colour) {
        case ColourBy::stress:
            return FieldKind::stress;
        case ColourBy::stretch:
            return FieldKind::stretch;
        case ColourBy::temperature:
            return FieldKind::temperature;
        case ColourBy::conductivity:
            return FieldKind::conductivity;
        case ColourBy::named:
            return FieldKind::named;
        default:
            return FieldKind::none;
    }
}

}  // namespace plica::render
