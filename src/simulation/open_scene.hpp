#pragma once
#include <string>

#include "scene/description.hpp"

namespace plica {

// A scene that was read, once: whoever drives it needs no other look at its text.
struct OpenScene {
    SceneSource source;  // its text and overrides build the same world again
    SceneDescription scene;
    std::string hand{};  // name of the user's tool; empty: there is none
};

inline OpenScene open_scene(const SceneSource& source) {
    return {source, read_scene(source), {}};
}

}  // namespace plica
