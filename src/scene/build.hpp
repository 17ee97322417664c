#pragma once
#include <cstdint>

#include "scene/description.hpp"
#include "scene/state.hpp"

namespace plica {

struct Built {
    Model model;
    State state;
};

// The world a description asks for, at rest but for the noise that the seed draws.
Built build_scene(const SceneDescription& scene, std::uint64_t seed);

}  // namespace plica
