#pragma once
#include "engine/frame.hpp"
#include "engine/scratch.hpp"

namespace plica {

// Everything that a first step finds ready: arrays of their sizes, room for more pairs than a dense pile ever has, so
// that a warm step does not grow anything.
void prepare(const Model& model, Isa isa, ThreadPool& pool, State& state, Scratch& scratch, Frame& frame);

// The same of the tracked detector, whose model may come with a tuning.
void reserve_tracked_pairs(const Model& model, State& state, Scratch& scratch);

}  // namespace plica
