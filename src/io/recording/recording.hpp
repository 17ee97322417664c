#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/file_source.hpp"
#include "engine/frame.hpp"
#include "engine/inputs.hpp"
#include "engine/shapes.hpp"
#include "geometry/vec3.hpp"

namespace plica {

// A recording is one little-endian file: a magic word, the format version, then blocks that are checked and decoded
// each on its own: one with the header, then the files that the scene names, any number with steps, one that says how
// many steps there are. It grows in place, so that after a crash all but the last second can be read. It carries all
// that a replay needs, and surfaces and fields for those who draw it without running it.
struct RecordingHeader {
    std::string scene_name;
    std::string scene_text;
    std::vector<std::string> overrides;  // KEY=VALUE texts that were applied to the scene, in order
    std::uint64_t seed = 0;
    std::int32_t nodes = 0;
    std::int32_t tools = 0;
    double dt = 0.0;              // s
    std::vector<Field> fields{};  // that each step has values of; here without any
    Shapes shapes{};              // bodies and their surfaces as built, without what only contact needs
    std::string folder{};         // that paths in the scene are relative to
    StoredFiles files{};          // that the scene names
};

// Values that a field has at its nodes; of all fields together.
std::size_t count_values(const Field& field);
std::size_t count_values(std::span<const Field> fields);

struct RecordedStep {
    Inputs inputs;  // exact
    std::uint64_t hash = 0;
    std::vector<Vec3> tool_forces;   // N, exact
    std::vector<Vec3> tool_torques;  // N m, exact
    std::vector<float> positions;    // m, 3 per node, at the end of the step
    std::vector<float> values;       // of all fields, one after the other
};

// A failed write throws Error with Status::environment that names the file; what reached the file before stays readable
// and the writer takes nothing more.
class RecordingWriter {
public:
    // Replaces a recording at the path. Throws Error with bad_input where something else is there, and at once where
    // another writer is at work on it; where the header cannot be written the file is removed. flush_interval: s of
    // wall time.
    RecordingWriter(std::string path, const RecordingHeader& header, std::span<const Vec3> initial_positions,
                    double flush_interval = 1.0);
    ~RecordingWriter();  // closes; a failure is lost, so call close() where it matters
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;
    RecordingWriter(RecordingWriter&&) = delete;
    RecordingWriter& operator=(RecordingWriter&&) = delete;

    void append(const Inputs& inputs, std::uint64_t hash, std::span<const Vec3> tool_forces,
                std::span<const Vec3> tool_torques, std::span<const Vec3> positions,
                std::span<const float> values = {});
    // Hands the steps so far to the system. append() does so after each simulated second and when the interval has
    // passed since the last time; a program that pauses may want to do it at once.
    void flush();
    // Writes the end block. Nothing can be appended after it; a second call does nothing.
    void close();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

// Reads what is whole. The constructor checks every block and throws Error where there is no header to go by.
class RecordingReader {
public:
    explicit RecordingReader(std::string path);
    ~RecordingReader();
    RecordingReader(const RecordingReader&) = delete;
    RecordingReader& operator=(const RecordingReader&) = delete;
    RecordingReader(RecordingReader&&) = delete;
    RecordingReader& operator=(RecordingReader&&) = delete;

    [[nodiscard]] const RecordingHeader& header() const noexcept;
    [[nodiscard]] const std::vector<float>& initial_positions() const noexcept;  // m, 3 per node
    // How many steps next() gives in all.
    [[nodiscard]] std::uint64_t step_count() const noexcept;
    // The end block was not reached: the file was cut, or is damaged before it.
    [[nodiscard]] bool truncated() const noexcept;
    // Something in the file is not what was written. Steps from there on are not given.
    [[nodiscard]] bool damaged() const noexcept;
    // Names the file and what is wrong with it; empty for a whole recording.
    [[nodiscard]] const std::string& message() const noexcept;

    // The next step in order; false after the last, with `step` in no particular state.
    bool next(RecordedStep& step);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace plica
