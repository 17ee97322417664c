#pragma once
#include "engine/step/context.hpp"

// Triangle against triangle: which features of sheets and solids may touch is found by a tree of their surfaces, and
// their pairs follow all others in the candidate list.
//
// A state keeps only those of them that contact remembers something of: which others are listed depends on when the
// tree last looked, and changes nothing.
namespace plica {

std::unique_ptr<FeatureSearch> make_feature_search(const Model& model);

// Brings the pairs of features up to date for the way from x to p. True when they changed.
bool find_feature_pairs(StepContext& c);

// Between steps the list holds what the state needs; during a step all of it.
void unfold_pairs(State& state, Scratch& scratch);
void fold_pairs(const Model& model, State& state, Scratch& scratch);

}  // namespace plica
