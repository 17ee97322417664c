#pragma once
#include <optional>
#include <string>

#include "engine/world.hpp"
#include "io/recording/recording.hpp"
#include "simulation/open_scene.hpp"

namespace plica {

// Writes the steps of one world to a file, while there is one.
class Recorder {
public:
    // From the scene's start: that is where a replay begins. Throws Error with Status::environment.
    void start(const std::string& path, const OpenScene& opened, std::uint64_t seed, const World& world);
    // A failed write ends the recording, what was written can be read; throws Error with Status::environment.
    void add(const Inputs& inputs, const World& world, std::uint64_t hash);
    void close();
    [[nodiscard]] const std::string& path() const { return m_path; }  // empty: nothing is recorded

private:
    template <class Write>
    void write(const Write& write);

    std::optional<RecordingWriter> m_writer;
    std::string m_path;
};

}  // namespace plica
