#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plica {

// What a grip takes hold of.
enum class Grip : std::uint8_t {
    nothing,
    node,  // the one it takes
    patch  // the nodes around it, as built
};

// What bodies can be made of, a line each: its name in code, scenes, summaries and files; its grip; and whether its
// triangles are the surface of a body, on which places are named by the nearest point (otherwise they are a sheet that
// hangs on a tube, and places are fractions of the tube's length).
//   mass_spring: tubes and the sheets they hang on; tled: solids of finite elements; heat: surfaces whose inner forces
//   come from heat; own: a tissue that a program brings itself (plica/tissue.hpp); rigid: keeps its shape; tool: the
//   ball of a sphere tool.
#define PLICA_FOR_EACH_TISSUE(TISSUE) \
    TISSUE(mass_spring, node, false)  \
    TISSUE(tled, patch, true)         \
    TISSUE(heat, patch, true)         \
    TISSUE(own, patch, true)          \
    TISSUE(rigid, nothing, true)      \
    TISSUE(tool, nothing, false)

#define PLICA_TISSUE_NAME(name, grip, surface) name,
enum class TissueKind : std::uint8_t { PLICA_FOR_EACH_TISSUE(PLICA_TISSUE_NAME) };
#undef PLICA_TISSUE_NAME

struct TissueTraits {
    TissueKind kind;
    std::string_view name;
    Grip grip;
    bool surface;
};

// By kind.
#define PLICA_TISSUE_TRAITS(name, grip, surface) {TissueKind::name, #name, Grip::grip, surface},
inline constexpr auto tissue_traits = std::to_array<TissueTraits>({PLICA_FOR_EACH_TISSUE(PLICA_TISSUE_TRAITS)});
#undef PLICA_TISSUE_TRAITS

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
