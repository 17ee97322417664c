#pragma once
#include <string>

#include "scene/description.hpp"

namespace plica {

struct SceneWithHand {
    SceneSource source;
    std::string hand;  // the tool's name
};

// The scene with one more grab tool, which waits for a user: the scene's own tools go on as they are. It is as strong
// as the scene's first grab tool. The tool is a table at the end of the scene's text, so that what is recorded with it
// builds the same world, lines keep their numbers, and --set hand.max_force=5 works. Throws Error like read_scene().
SceneWithHand add_hand(const SceneSource& source);

}  // namespace plica
