#pragma once
#include "engine/inputs.hpp"
#include "engine/model.hpp"
#include "engine/state.hpp"

namespace plica {

// The papers' detector measures segments against segments only.
bool can_track(const Model& model);
// What that detector needs to know; as many draws as there are segments when the model asks for fewer than none.
void prepare_tracking(Model& model);

// Gives `tuned`, a copy of the scene's model, the values that the tuning asks for.
void apply_tuning(const Model& scene, const Tuning& tuning, Model& tuned);

// A candidate list is of one kind of detector: an exact one's has margins, the tracked one's has none. A list of the
// other kind is dropped but for its pairs, which remember their load. State alone decides, not what the world was tuned
// to before, so that a restored one continues the same.
void hand_list_over(const Model& model, State& state);

}  // namespace plica
