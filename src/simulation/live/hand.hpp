#pragma once
#include "simulation/open_scene.hpp"

namespace plica {

// The scene with one more grab tool, which waits for a user: the scene's own tools go on as they are. The tool is added
// to what was read, and as a table to the end of the text, so that what is recorded with it builds the same world and
// lines keep their numbers. Throws Error like read_scene().
OpenScene add_hand(const SceneSource& source);

}  // namespace plica
