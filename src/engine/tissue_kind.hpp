#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plica {

// What a body is made of.
enum class TissueKind : std::uint8_t {
    mass_spring,  // tubes and the sheets they hang on
    tled,         // solids of finite elements
    heat,         // surfaces whose inner forces come from heat
    own,          // a tissue that a program brings itself (plica/tissue.hpp)
    rigid,        // keeps its shape
    tool          // the ball of a sphere tool; the last
};

// What a grip takes hold of.
enum class Grip : std::uint8_t {
    nothing,
    node,  // the one it takes
    patch  // the nodes around it, as built
};

struct TissueTraits {
    TissueKind kind;
    std::string_view name;  // in scenes, summaries and files
    Grip grip;
    // Its triangles are the surface of a body, on which places are named by the nearest point; otherwise they are a
    // sheet that hangs on a tube, and places are fractions of the tube's length.
    bool surface;
};

// By kind.
inline constexpr auto tissue_traits =
    std::to_array<TissueTraits>({{TissueKind::mass_spring, "mass_spring", Grip::node, false},
                                 {TissueKind::tled, "tled", Grip::patch, true},
                                 {TissueKind::heat, "heat", Grip::patch, true},
                                 {TissueKind::own, "own", Grip::patch, true},
                                 {TissueKind::rigid, "rigid", Grip::nothing, true},
                                 {TissueKind::tool, "tool", Grip::nothing, false}});
static_assert(tissue_traits.size() == static_cast<std::size_t>(TissueKind::tool) + 1, "each kind has traits");
static_assert(
    [] {
        for (std::size_t i = 0; i < tissue_traits.size(); ++i) {
            if (static_cast<std::size_t>(tissue_traits[i].kind) != i) return false;
        }
        return true;
    }(),
    "traits are in the order of the kinds");

constexpr const TissueTraits& traits_of(TissueKind kind) {
    return tissue_traits[static_cast<std::size_t>(kind)];
}

constexpr std::optional<TissueKind> find_tissue(std::string_view name) {
    for (const TissueTraits& traits : tissue_traits) {
        if (traits.name == name) return traits.kind;
    }
    return {};
}

}  // namespace plica
