#include "simulation/live/hand.hpp"

namespace plica {

OpenScene add_hand(const SceneSource& source) {
    HandTool hand;
    OpenScene scene{source, read_scene(source, hand), hand.name};
    scene.source.text += hand.table;
    return scene;
}

}  // namespace plica
