#pragma once
#include "scene/description.hpp"

namespace plica {

// m/s^2: what pulls at everything in the scene's cavity between two times, on average. A turn takes place with the
// first step that begins at its time or after; the shaking's part is what the cavity's velocity changes by in the step,
// so that no frequency adds up to a push that the cavity never made.
Vec3 compute_apparent_gravity(const SceneDescription& scene, double from, double to);

}  // namespace plica
