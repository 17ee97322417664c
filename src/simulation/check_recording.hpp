#pragma once
#include <string>

#include "engine/model.hpp"
#include "io/recording/recording.hpp"

// What of a recording must be looked at before a world is stepped by it.
namespace plica {

// Throws Error where this is not the world that the recording began with.
void check_world(const RecordingHeader& header, const Model& model, const std::string& file);

// Throws Error at numbers that cannot come from a run; a forged or damaged file must not reach into memory.
void check_inputs(const Inputs& inputs, std::int32_t nodes, const std::string& file);

}  // namespace plica
