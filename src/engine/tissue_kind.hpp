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
    tool          // the ball of a sphere tool
};

// What a grip takes hold of.
enum class Grip : std::uint8_t {
    nothing,
    node,  // the one it takes
    patch  // the nodes around it, as built
};

struct TissueTraits {
    std::string_view name;  // in scenes, summaries and files
    Grip grip;
    // Its triangles are the surface of a body, on which places are named by the nearest point; otherwise they are a
    // sheet that hangs on a tube, and places are fractions of the tube's length.
    bool surface;
};

// By kind.
inline constexpr std::array<TissueTraits, 6> tissue_traits{{{"mass_spring", Grip::node, false},
                                                            {"tled", Grip::patch, true},
                                                            {"heat", Grip::patch, true},
                                                            {"own", Grip::patch, true},
                                                            {"rigid", Grip::nothing, true},
                                                            {"tool", Grip::nothing, false}}};

constexpr const TissueTraits& traits_of(TissueKind kind) {
    return tissue_traits[static_cast<std::size_t>(kind)];
}

constexpr std::optional<TissueKind> find_tissue(std::string_view name) {
    for (std::size_t i = 0; i < tissue_traits.size(); ++i) {
        if (tissue_traits[i].name == name) return static_cast<TissueKind>(i);
    }
    return {};
}

}  // namespace plica
