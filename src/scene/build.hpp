#pragma once
#include <cstdint>

#include "engine/state.hpp"
#include "scene/description.hpp"

namespace plica {

struct Built {
    Model model;
    State state;
};

// The world a description asks for, at rest but for the noise that the seed draws. Throws Error naming the pair when
// two primitives start through each other.
Built build_scene(const SceneDescription& scene, std::uint64_t seed);
// The same with errors that name the file which the description was read from.
Built build_scene(const SceneDescription& scene, const std::string& file, std::uint64_t seed);
// The same from a scene's text.
Built build_scene(const SceneSource& source, std::uint64_t seed);

}  // namespace plica
