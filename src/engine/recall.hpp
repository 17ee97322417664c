#pragma once
#include "collision/recall.hpp"
#include "engine/world.hpp"

namespace plica {

// The recall of the last detection of the world's last step. Meaningful with detector tracked only.
Recall compute_recall(const World& world);

}  // namespace plica
