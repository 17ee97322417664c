#pragma once
#include "engine/world.hpp"
#include "io/recording/record_world.hpp"
#include "scene/description.hpp"

namespace plica {

// What a recording of this scene begins with: all that a replay needs, the files that were read included.
inline RecordingHeader make_header(const SceneSource& source, const World& world, std::uint64_t seed) {
    RecordingHeader header = describe_world(world.model(), world.frame());
    header.scene_name = source.name;
    header.scene_text = source.text;
    header.overrides = source.overrides;
    header.seed = seed;
    if (!source.files) return header;
    header.folder = source.files->folder();
    header.files = source.files->files();
    return header;
}

}  // namespace plica
