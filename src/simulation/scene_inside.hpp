#pragma once
#include <string>
#include <vector>

#include "plica/scene.hpp"
#include "simulation/open_scene.hpp"

namespace plica {

// A scene's text with what it cannot hold: meshes that are on no disk. Tissues from outside are in the source.
struct Scene::Inside {
    SceneSource source;
    StoredFiles meshes{};  // by the names that the text uses

    // Reads it. More overrides follow those of the scene.
    [[nodiscard]] OpenScene open(const std::vector<std::string>& overrides) const;
};

}  // namespace plica
