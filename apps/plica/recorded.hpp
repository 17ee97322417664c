#pragma once
#include <string>
#include <vector>

#include "io/recording/recording.hpp"
#include "scene/build.hpp"

// What commands that read recordings share.
namespace plica::app {

// The world that a recording began with. Throws Error where this program builds another one from its scene.
Built rebuild_world(const RecordingHeader& header);

// The scene that a recording holds, as text.
SceneSource source_of(const RecordingHeader& header);

// Throws Error where this is not the world that the recording began with.
void check_world(const RecordingHeader& header, const Model& model);

// A node outside the world cannot come from a run; a forged or damaged file must not reach into memory.
void check_inputs(const Inputs& inputs, const Model& model, const std::string& file);

void warn_if_cut(const RecordingReader& reader);

std::vector<Vec3> to_positions(const std::vector<float>& floats);

}  // namespace plica::app
