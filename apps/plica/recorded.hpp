#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/recording/recording.hpp"
#include "scene/build.hpp"

// What commands that read recordings share.
namespace plica::app {

// The scene as it was recorded, with the files that it names: nothing of it is read from the disk. Throws Error where
// this program does not know the tissue of a body.
SceneSource source_of(const RecordingHeader& header);

// The world that a recording began with.
Built rebuild_world(const RecordingHeader& header);

void warn_if_cut(const RecordingReader& reader);

// The frames of a recording in order, as they were recorded: no scene is built and no tissue need be known.
class RecordedFrames {
public:
    explicit RecordedFrames(const std::string& path);

    [[nodiscard]] const RecordingHeader& header() const { return m_reader.header(); }
    [[nodiscard]] const Shapes& shapes() const { return header().shapes; }
    [[nodiscard]] const Frame& frame() const { return m_frame; }       // the first is the start
    [[nodiscard]] const RecordedStep& step() const { return m_step; }  // that led to the frame, after advance()
    [[nodiscard]] std::uint64_t steps() const { return m_reader.step_count(); }
    [[nodiscard]] double end() const;  // s, of the last frame
    // To the next frame; false: there is none. Throws Error where the step cannot come from a run.
    bool advance();
    // frame.field and field_kind as fill_field() gives them. Temperatures are in the recording; for what is computed
    // from a tissue the scene is built once.
    void fill_field(FieldKind kind, Frame& frame);

private:
    void check(std::span<const float> numbers) const;

    std::string m_path;
    RecordingReader m_reader;
    RecordedStep m_step;
    Frame m_frame;
    std::optional<Built> m_built;
};

}  // namespace plica::app
