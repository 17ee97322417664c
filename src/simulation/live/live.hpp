#pragma once
#include <memory>
#include <optional>
#include <string>

#include "engine/frame.hpp"
#include "engine/inputs.hpp"
#include "engine/report.hpp"
#include "scene/description.hpp"
#include "simulation/open_scene.hpp"

namespace plica {

// What a running scene shows: all of it belongs to one step.
struct Snapshot {
    Frame frame;
    StepReport report;       // of the step that led here; all zero at the scene's start
    std::uint64_t hash = 0;  // of State
    double pace = 0.0;       // simulated seconds a second, over the last second; 0 when it does not run
    double speed = 1.0;      // what is aimed at
    bool paused = false;
    bool lost = false;      // the last step was not valid and was undone; the scene is paused
    std::string recording;  // file that is being written; empty: none
    std::string message;    // what went wrong with the last recording
};

struct LiveOptions {
    std::uint64_t seed = 1;
    int threads = 1;
    bool paused = false;
};

// A scene that runs on a thread of its own, in time with the wall clock. Whoever shows it calls look() as often as it
// likes and never waits for a step. Commands take effect with the next step; all of them are inputs of steps, so that a
// recording replays what was done by hand. All functions are for one thread, the owner's.
class Live {
public:
    explicit Live(OpenScene scene, const LiveOptions& options = {});
    explicit Live(const SceneSource& source, const LiveOptions& options = {});
    ~Live();
    Live(const Live&) = delete;
    Live& operator=(const Live&) = delete;
    Live(Live&&) = delete;
    Live& operator=(Live&&) = delete;

    [[nodiscard]] const Model& model() const;
    [[nodiscard]] const SceneDescription& scene() const;

    // The newest snapshot, which lasts until the next call.
    const Snapshot& look();

    void pause(bool paused);
    void step();                   // one, while paused
    void reset();                  // to the scene's start; tools are the script's again, a recording ends
    void set_speed(double speed);  // simulated seconds a second
    void tune(const Tuning& tuning);
    void set_gravity(const std::optional<Vec3>& gravity);  // m/s^2; none: the scene's own
    void mark_contacts(bool mark);

    // A tool taken from its script. A grab takes hold of a node where it is seen, m, but not of what is rigid; a moved
    // tool that holds nothing is left alone.
    void hold(std::size_t tool, std::int32_t node, const Vec3& where);
    void move(std::size_t tool, const Vec3& where);
    void release(std::size_t tool);
    // A rigid tool taken from its script: it goes there, turned as it is and no faster than a hand, and stays there.
    void steer(std::size_t tool, const Vec3& where);

    // A recording is replayed from the scene's start, so the scene is reset. Failures are told in the snapshot.
    void record(const std::string& path);
    void stop_recording();

    // Ends the thread; what it left is in look(). The destructor does the same.
    void end();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace plica
