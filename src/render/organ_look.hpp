#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica::render {

// What a solid body looks like. Tissues come first.
enum class Look : std::uint8_t { liver, muscle, fat, serosa, spleen, kidney, bone, steel };
inline constexpr std::size_t tissue_looks = 6;

constexpr bool is_rigid(Look look) {
    return static_cast<std::size_t>(look) >= tissue_looks;
}

// How a tissue is coloured, on a display.
struct TissueColours {
    Vec3 deep, warm, pale;  // patches of the surface, and what shows between its grains
    Vec3 scatter;           // what comes through from the lit side
    Vec3 stretch;           // of coordinates, before the grain is looked up: fibres run where it is small
    double grain;           // m, of lobules or fibres
};
const TissueColours& colours_of(Look tissue);

// The look that a body's name or shape says: "left_kidney", "diaphragm". None: it says nothing.
std::optional<Look> look_called(const std::string& name, const std::string& shape);

// The others take, in the order above, looks that no body has yet; when all are taken, from the first on again.
std::vector<Look> choose_looks(std::span<const std::optional<Look>> called);

}  // namespace plica::render
