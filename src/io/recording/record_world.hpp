#pragma once
#include "engine/model.hpp"
#include "io/recording/recording.hpp"

// The one place that knows what of a world goes into a recording.
namespace plica {

// Nodes, tools, time step, the frame's fields and the model's shapes. The scene's name, text, overrides, seed, folder
// and files are left to who knows them.
RecordingHeader describe_world(const Model& model, const Frame& frame);

// A step that the frame shows.
void record_step(RecordingWriter& writer, const Inputs& inputs, std::uint64_t hash, const Frame& frame);

// The other way round: what recorded step `number` (from 1) says, as the frame that the world published.
void fill_frame(const RecordingHeader& header, const RecordedStep& step, std::uint64_t number, Frame& frame);
// The same before the first step, where fields are 0. positions: m, 3 per node.
void fill_start(const RecordingHeader& header, std::span<const float> positions, Frame& frame);

}  // namespace plica
