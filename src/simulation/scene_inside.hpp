#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plica/scene.hpp"
#include "simulation/open_scene.hpp"

namespace plica {

// A scene's text with what it cannot hold: meshes that are on no disk, and tissues from outside.
struct Scene::Inside {
    SceneSource source;
    StoredFiles meshes{};  // by the names that the text uses
    std::vector<std::pair<std::string, std::shared_ptr<const Tissue>>> tissues{};

    // Reads it. More overrides follow those of the scene.
    [[nodiscard]] OpenScene open(const std::vector<std::string>& overrides) const;
};

}  // namespace plica
